// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @axes(
// CHECK: torch.prims.squeeze{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: return
func.func @axes(%a0: tensor<?x1xf32>) -> tensor<?xf32> {
  %c0 = onnx.Constant dense<1> : tensor<1xi64>
  %y = "onnx.Squeeze"(%a0, %c0)
      : (tensor<?x1xf32>, tensor<1xi64>) -> tensor<?xf32>
  onnx.Return %y : tensor<?xf32>
}

// -----

func.func @unknown_sizes(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Squeeze': expected axes for an input with sizes known at run time only, got '!torch.vtensor<[?,4],f32>'}}
  %y = "onnx.Squeeze"(%a0, %none)
      : (tensor<?x4xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @size(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<1> : tensor<1xi64>
  // expected-error @below {{no lowering to torch for 'onnx.Squeeze': expected dims of size 1, got 4 for dim 1}}
  %y = "onnx.Squeeze"(%a0, %c0)
      : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
