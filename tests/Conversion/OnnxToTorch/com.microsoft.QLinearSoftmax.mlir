// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @one_dim(
// CHECK-NOT: torch.aten.view
// CHECK: torch.aten.softmax.int
// CHECK: torch.aten.round
// CHECK: torch.aten.clamp
// CHECK: torch.prims.convert_element_type
func.func @one_dim(%x: tensor<?x3x8xui8>, %xs: tensor<f32>, %xz: tensor<ui8>, %ys: tensor<f32>, %yz: tensor<ui8>) -> tensor<?x3x8xui8> {
  %y = "onnx.com.microsoft.QLinearSoftmax"(%x, %xs, %xz, %ys, %yz) {opset = 13 : si64, axis = 1 : si64}
      : (tensor<?x3x8xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<?x3x8xui8>
  onnx.Return %y : tensor<?x3x8xui8>
}

// -----

// CHECK-LABEL: func.func @all_from_the_axis_on(
// CHECK: torch.aten.view {{.*}} -> !torch.vtensor<[?,24],f32>
// CHECK: torch.aten.softmax.int
// CHECK: torch.aten.view {{.*}} -> !torch.vtensor<[?,3,8],f32>
// CHECK: torch.aten.round
// CHECK: torch.aten.clamp
// CHECK: torch.prims.convert_element_type
func.func @all_from_the_axis_on(%x: tensor<?x3x8xui8>, %xs: tensor<f32>, %xz: tensor<ui8>, %ys: tensor<f32>, %yz: tensor<ui8>) -> tensor<?x3x8xui8> {
  %y = "onnx.com.microsoft.QLinearSoftmax"(%x, %xs, %xz, %ys, %yz) {opset = 11 : si64, axis = 1 : si64}
      : (tensor<?x3x8xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<?x3x8xui8>
  onnx.Return %y : tensor<?x3x8xui8>
}

// -----

func.func @no_such_axis(%x: tensor<?x3x8xui8>, %xs: tensor<f32>, %xz: tensor<ui8>, %ys: tensor<f32>, %yz: tensor<ui8>) -> tensor<?x3x8xui8> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.QLinearSoftmax': expected an axis in [-3, 2], got 3}}
  %y = "onnx.com.microsoft.QLinearSoftmax"(%x, %xs, %xz, %ys, %yz) {opset = 13 : si64, axis = 3 : si64}
      : (tensor<?x3x8xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<?x3x8xui8>
  onnx.Return %y : tensor<?x3x8xui8>
}

// -----

func.func @scalar(%a0: tensor<ui8>, %a1: tensor<f32>, %a2: tensor<ui8>, %a3: tensor<f32>, %a4: tensor<ui8>) -> tensor<*xui8> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.QLinearSoftmax': expected 'X' of rank 1 or more, got rank 0: '!torch.vtensor<[],ui8>'}}
  %y = "onnx.com.microsoft.QLinearSoftmax"(%a0, %a1, %a2, %a3, %a4) {opset = 11 : si64, axis = 0 : si64}
      : (tensor<ui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<*xui8>
  onnx.Return %y : tensor<*xui8>
}
