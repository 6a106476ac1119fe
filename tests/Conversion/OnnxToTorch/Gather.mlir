// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @rows(
// CHECK: torch.aten.index.Tensor{{.*}} -> !torch.vtensor<[?,2,4],f32>
// CHECK: return
func.func @rows(%a0: tensor<?x4xf32>, %a1: tensor<?x2xi64>) -> tensor<?x2x4xf32> {
  %y = "onnx.Gather"(%a0, %a1)
      : (tensor<?x4xf32>, tensor<?x2xi64>) -> tensor<?x2x4xf32>
  onnx.Return %y : tensor<?x2x4xf32>
}

// -----

// CHECK-LABEL: func.func @known_scalar(
// CHECK: torch.aten.select.int{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: return
func.func @known_scalar(%a0: tensor<?x4xf32>) -> tensor<?xf32> {
  %c0 = onnx.Constant dense<-1> : tensor<i64>
  %y = "onnx.Gather"(%a0, %c0) {axis = 1 : si64}
      : (tensor<?x4xf32>, tensor<i64>) -> tensor<?xf32>
  onnx.Return %y : tensor<?xf32>
}
