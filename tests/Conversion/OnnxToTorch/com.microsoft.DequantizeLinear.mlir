// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @columns(
// CHECK: torch.aten.sub.Tensor
// CHECK: torch.aten.mul.Tensor {{.*}} -> !torch.vtensor<[?,3],f32>
func.func @columns(%x: tensor<?x3xi16>, %s: tensor<3xf32>, %z: tensor<3xi16>) -> tensor<?x3xf32> {
  %y = "onnx.com.microsoft.DequantizeLinear"(%x, %s, %z) {axis = 1 : si64} : (tensor<?x3xi16>, tensor<3xf32>, tensor<3xi16>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

func.func @no_such_axis(%x: tensor<2x3xi16>, %s: tensor<3xf32>) -> tensor<2x3xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.DequantizeLinear': expected an axis in [-2, 1], got 2}}
  %y = "onnx.com.microsoft.DequantizeLinear"(%x, %s, %none) {axis = 2 : si64} : (tensor<2x3xi16>, tensor<3xf32>, none) -> tensor<2x3xf32>
  onnx.Return %y : tensor<2x3xf32>
}
