// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @diagonal(
// CHECK: torch.aten.arange.start_step{{.*}} -> !torch.vtensor<[?],si64>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,1],si64>
// CHECK: torch.aten.arange.start_step{{.*}} -> !torch.vtensor<[4],si64>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[1,4],si64>
// CHECK: torch.aten.add.Scalar{{.*}} -> !torch.vtensor<[?,1],si64>
// CHECK: torch.aten.eq.Tensor{{.*}} -> !torch.vtensor<[?,4],i1>
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @diagonal(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.EyeLike"(%a0) {k = 1 : si64}
      : (tensor<?x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
