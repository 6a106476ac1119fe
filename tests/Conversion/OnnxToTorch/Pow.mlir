// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @broadcast(
// CHECK: torch.aten.pow.Tensor_Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @broadcast(%a0: tensor<?x4xf32>, %a1: tensor<4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.Pow"(%a0, %a1)
      : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @known_exponent(
// CHECK: torch.aten.pow.Tensor_Scalar{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @known_exponent(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = onnx.Constant dense<2.0> : tensor<f32>
  %y = "onnx.Pow"(%a0, %c0)
      : (tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
