// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @two(
// CHECK: torch.aten.cat
// CHECK: torch.aten.round
// CHECK: torch.aten.clamp
// CHECK: torch.prims.convert_element_type
func.func @two(%ys: tensor<f32>, %yz: tensor<ui8>, %a: tensor<?x3x8xui8>, %as: tensor<f32>, %az: tensor<ui8>, %b: tensor<?x4x8xui8>, %bs: tensor<f32>, %bz: tensor<ui8>) -> tensor<?x7x8xui8> {
  %y = "onnx.com.microsoft.QLinearConcat"(%ys, %yz, %a, %as, %az, %b, %bs, %bz) {axis = 1 : si64}
      : (tensor<f32>, tensor<ui8>, tensor<?x3x8xui8>, tensor<f32>, tensor<ui8>, tensor<?x4x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<?x7x8xui8>
  onnx.Return %y : tensor<?x7x8xui8>
}

// -----

func.func @no_zero_point(%ys: tensor<f32>, %yz: tensor<ui8>, %a: tensor<?x3x8xui8>, %as: tensor<f32>) -> tensor<?x3x8xui8> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.QLinearConcat': expected a tensor, a scale and a zero point of each input, got 2 inputs}}
  %y = "onnx.com.microsoft.QLinearConcat"(%ys, %yz, %a, %as) {axis = 1 : si64}
      : (tensor<f32>, tensor<ui8>, tensor<?x3x8xui8>, tensor<f32>) -> tensor<?x3x8xui8>
  onnx.Return %y : tensor<?x3x8xui8>
}
