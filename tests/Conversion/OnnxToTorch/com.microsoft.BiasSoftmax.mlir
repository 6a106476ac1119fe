// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @last(
// CHECK: torch.aten.add.Tensor
// CHECK: torch.aten.softmax.int
func.func @last(%a0: tensor<2x4x?x5xf32>, %a1: tensor<2x1x1x5xf32>) -> tensor<2x4x?x5xf32> {
  %y = "onnx.com.microsoft.BiasSoftmax"(%a0, %a1) {axis = -1 : si64, is_inner_broadcast = 1 : si64}
      : (tensor<2x4x?x5xf32>, tensor<2x1x1x5xf32>) -> tensor<2x4x?x5xf32>
  onnx.Return %y : tensor<2x4x?x5xf32>
}

// -----

// CHECK-LABEL: func.func @rest(
// CHECK: torch.aten.add.Tensor
// CHECK: torch.aten.view
// CHECK: torch.aten.softmax.int
// CHECK: torch.aten.view
func.func @rest(%a0: tensor<2x4x?x5xf32>, %a1: tensor<4x?x5xf32>) -> tensor<2x4x?x5xf32> {
  %y = "onnx.com.microsoft.BiasSoftmax"(%a0, %a1) {axis = 2 : si64, is_inner_broadcast = 0 : si64}
      : (tensor<2x4x?x5xf32>, tensor<4x?x5xf32>) -> tensor<2x4x?x5xf32>
  onnx.Return %y : tensor<2x4x?x5xf32>
}

// -----

func.func @axis(%a0: tensor<2x4xf32>, %a1: tensor<4xf32>) -> tensor<2x4xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.BiasSoftmax': expected an axis in [-2, 1], got 2}}
  %y = "onnx.com.microsoft.BiasSoftmax"(%a0, %a1) {axis = 2 : si64, is_inner_broadcast = 0 : si64}
      : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  onnx.Return %y : tensor<2x4xf32>
}
