// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @per_channel(
// CHECK: torch.aten.convolution{{.*}} -> !torch.vtensor<[1,2,?,?],si32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[1,2,1,1],f32>
// CHECK: torch.aten.round
// CHECK: torch.aten.clamp
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[1,2,?,?],ui8>
func.func @per_channel(%x: tensor<1x3x?x?xui8>, %xs: tensor<f32>, %xz: tensor<ui8>, %w: tensor<2x3x3x3xui8>, %ws: tensor<2xf32>,
                       %wz: tensor<2xui8>, %ys: tensor<f32>, %yz: tensor<ui8>, %b: tensor<2xi32>) -> tensor<1x2x?x?xui8> {
  %y = "onnx.QLinearConv"(%x, %xs, %xz, %w, %ws, %wz, %ys, %yz, %b)
      : (tensor<1x3x?x?xui8>, tensor<f32>, tensor<ui8>, tensor<2x3x3x3xui8>, tensor<2xf32>, tensor<2xui8>, tensor<f32>, tensor<ui8>, tensor<2xi32>) -> tensor<1x2x?x?xui8>
  onnx.Return %y : tensor<1x2x?x?xui8>
}

// -----

func.func @scalar_weight(%a0: tensor<1x1x?x3xui8>, %a1: tensor<f32>, %a2: tensor<ui8>, %a3: tensor<ui8>, %a4: tensor<f32>, %a5: tensor<ui8>, %a6: tensor<f32>, %a7: tensor<ui8>) -> tensor<*xui8> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.QLinearConv': expected 'w' of rank 4 beside 'x', got rank 0: '!torch.vtensor<[],ui8>'}}
  %y = "onnx.QLinearConv"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %none)
      : (tensor<1x1x?x3xui8>, tensor<f32>, tensor<ui8>, tensor<ui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>, none) -> tensor<*xui8>
  onnx.Return %y : tensor<*xui8>
}

// -----

func.func @matrix_of_scales(%a0: tensor<1x1x?x3xui8>, %a1: tensor<f32>, %a2: tensor<ui8>, %a3: tensor<1x1x1x1xui8>, %a4: tensor<1x1xf32>, %a5: tensor<ui8>, %a6: tensor<f32>, %a7: tensor<ui8>) -> tensor<*xui8> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.QLinearConv': expected 'w_scale' of [], [1] or [M], got '!torch.vtensor<[1,1],f32>'}}
  %y = "onnx.QLinearConv"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %none)
      : (tensor<1x1x?x3xui8>, tensor<f32>, tensor<ui8>, tensor<1x1x1x1xui8>, tensor<1x1xf32>, tensor<ui8>, tensor<f32>, tensor<ui8>, none) -> tensor<*xui8>
  onnx.Return %y : tensor<*xui8>
}
