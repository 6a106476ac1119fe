// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @u16(
// CHECK: torch.aten.div.Tensor
// CHECK: torch.aten.round
// CHECK-DAG: torch.constant.float 0.000000e+00
// CHECK-DAG: torch.constant.float 6.553500e+04
// CHECK: torch.aten.clamp
// CHECK: torch.prims.convert_element_type {{.*}} -> !torch.vtensor<[?,3],ui16>
func.func @u16(%x: tensor<?x3xf32>, %s: tensor<f32>, %z: tensor<ui16>) -> tensor<?x3xui16> {
  %y = "onnx.com.microsoft.QuantizeLinear"(%x, %s, %z) : (tensor<?x3xf32>, tensor<f32>, tensor<ui16>) -> tensor<?x3xui16>
  onnx.Return %y : tensor<?x3xui16>
}

// -----

func.func @blocks(%x: tensor<2x8xf32>, %s: tensor<2x2xf32>) -> tensor<2x8xui8> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.QuantizeLinear': expected scales and zero points that are scalars, vectors along axis 1 or blocks along it, got '!torch.vtensor<[2,2],f32>'}}
  %y = "onnx.com.microsoft.QuantizeLinear"(%x, %s, %none) : (tensor<2x8xf32>, tensor<2x2xf32>, none) -> tensor<2x8xui8>
  onnx.Return %y : tensor<2x8xui8>
}
