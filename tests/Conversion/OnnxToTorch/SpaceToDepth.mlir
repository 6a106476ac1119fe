// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @dcr(
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,2,2,2,3,2],f32>
// CHECK: torch.aten.permute{{.*}} -> !torch.vtensor<[?,2,2,2,2,3],f32>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,8,2,3],f32>
// CHECK: return
func.func @dcr(%a0: tensor<?x2x4x6xf32>) -> tensor<?x8x2x3xf32> {
  %y = "onnx.SpaceToDepth"(%a0) {blocksize = 2 : si64}
      : (tensor<?x2x4x6xf32>) -> tensor<?x8x2x3xf32>
  onnx.Return %y : tensor<?x8x2x3xf32>
}
