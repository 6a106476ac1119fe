// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @sum(
// CHECK: torch.aten.add.Tensor
// CHECK: torch.aten.add.Tensor
func.func @sum(%a0: tensor<?x3x8xf32>, %a1: tensor<8xf32>, %a2: tensor<?x3x8xf32>) -> tensor<?x3x8xf32> {
  %y = "onnx.com.microsoft.BiasAdd"(%a0, %a1, %a2)
      : (tensor<?x3x8xf32>, tensor<8xf32>, tensor<?x3x8xf32>) -> tensor<?x3x8xf32>
  onnx.Return %y : tensor<?x3x8xf32>
}

// -----

func.func @channels(%a0: tensor<?x3x8xf32>, %a1: tensor<7xf32>, %a2: tensor<?x3x8xf32>) -> tensor<?x3x8xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.BiasAdd': expected dim 0 of 'bias' to be 8 beside 'X', got 7: '!torch.vtensor<[7],f32>'}}
  %y = "onnx.com.microsoft.BiasAdd"(%a0, %a1, %a2)
      : (tensor<?x3x8xf32>, tensor<7xf32>, tensor<?x3x8xf32>) -> tensor<?x3x8xf32>
  onnx.Return %y : tensor<?x3x8xf32>
}
