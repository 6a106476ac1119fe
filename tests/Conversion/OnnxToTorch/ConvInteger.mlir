// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @zero_point(
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[?,3,8,8],si32>
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[],si32>
// CHECK: torch.aten.sub.Tensor{{.*}} -> !torch.vtensor<[?,3,8,8],si32>
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[6,3,3,3],si32>
// CHECK: torch.aten.convolution{{.*}} -> !torch.vtensor<[?,6,6,6],si32>
// CHECK: return
func.func @zero_point(%a0: tensor<?x3x8x8xui8>, %a1: tensor<6x3x3x3xui8>, %a2: tensor<ui8>) -> tensor<?x6x6x6xi32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.ConvInteger"(%a0, %a1, %a2, %none)
      : (tensor<?x3x8x8xui8>, tensor<6x3x3x3xui8>, tensor<ui8>, none) -> tensor<?x6x6x6xi32>
  onnx.Return %y : tensor<?x6x6x6xi32>
}

// -----

func.func @scalar_weight(%a0: tensor<1x1x?x3xui8>, %a1: tensor<ui8>) -> tensor<*xi32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.ConvInteger': expected 'w' of rank 4 beside 'x', got rank 0: '!torch.vtensor<[],ui8>'}}
  %y = "onnx.ConvInteger"(%a0, %a1, %none, %none)
      : (tensor<1x1x?x3xui8>, tensor<ui8>, none, none) -> tensor<*xi32>
  onnx.Return %y : tensor<*xi32>
}
