// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @halves(
// CHECK: torch.aten.add.Tensor
// CHECK: torch.aten.slice.Tensor
// CHECK: torch.aten.slice.Tensor
// CHECK: torch.aten.gelu
// CHECK: torch.aten.mul.Tensor
func.func @halves(%a0: tensor<?x3x8xf32>, %a1: tensor<8xf32>) -> tensor<?x3x4xf32> {
  %y = "onnx.com.microsoft.BiasSplitGelu"(%a0, %a1)
      : (tensor<?x3x8xf32>, tensor<8xf32>) -> tensor<?x3x4xf32>
  onnx.Return %y : tensor<?x3x4xf32>
}

// -----

func.func @odd(%a0: tensor<?x3x7xf32>, %a1: tensor<7xf32>) -> tensor<?x3x4xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.BiasSplitGelu': expected an even number of elements in the last dim, got '!torch.vtensor<[?,3,7],f32>'}}
  %y = "onnx.com.microsoft.BiasSplitGelu"(%a0, %a1)
      : (tensor<?x3x7xf32>, tensor<7xf32>) -> tensor<?x3x4xf32>
  onnx.Return %y : tensor<?x3x4xf32>
}
