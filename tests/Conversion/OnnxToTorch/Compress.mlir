// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @axis(
// CHECK: torch.aten.nonzero{{.*}} -> !torch.vtensor<[?,1],si64>
// CHECK: torch.prims.squeeze{{.*}} -> !torch.vtensor<[?],si64>
// CHECK: torch.aten.index_select{{.*}} -> !torch.vtensor<[?,?],f32>
// CHECK: return
func.func @axis(%a0: tensor<?x4xf32>, %a1: tensor<4xi1>) -> tensor<?x?xf32> {
  %y = "onnx.Compress"(%a0, %a1) {axis = 1 : si64}
      : (tensor<?x4xf32>, tensor<4xi1>) -> tensor<?x?xf32>
  onnx.Return %y : tensor<?x?xf32>
}
