// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @zero_and_rest(
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,?],f32>
// CHECK: return
func.func @zero_and_rest(%a0: tensor<?x3x4xf32>) -> tensor<?x12xf32> {
  %c0 = onnx.Constant dense<[0, -1]> : tensor<2xi64>
  %y = "onnx.Reshape"(%a0, %c0)
      : (tensor<?x3x4xf32>, tensor<2xi64>) -> tensor<?x12xf32>
  onnx.Return %y : tensor<?x12xf32>
}

// -----

func.func @zero_for_no_dim(%a0: tensor<4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<[4, 0]> : tensor<2xi64>
  // expected-error @below {{no lowering to torch for 'onnx.Reshape': expected a size of 0 for a dim of the input only, got it for dim 1 of '!torch.vtensor<[4],f32>'}}
  %y = "onnx.Reshape"(%a0, %c0)
      : (tensor<4xf32>, tensor<2xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
