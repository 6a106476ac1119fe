// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @rows(
// CHECK: torch.aten.index.Tensor
func.func @rows(%a0: tensor<4x?x8xf32>, %a1: tensor<2x5x1xi64>) -> tensor<2x5x?x8xf32> {
  %y = "onnx.com.microsoft.GatherND"(%a0, %a1)
      : (tensor<4x?x8xf32>, tensor<2x5x1xi64>) -> tensor<2x5x?x8xf32>
  onnx.Return %y : tensor<2x5x?x8xf32>
}

// -----

func.func @depth(%a0: tensor<4x8xf32>, %a1: tensor<2x5x3xi64>) -> tensor<2x5xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GatherND': expected indices for at most 2 dims, got 3}}
  %y = "onnx.com.microsoft.GatherND"(%a0, %a1)
      : (tensor<4x8xf32>, tensor<2x5x3xi64>) -> tensor<2x5xf32>
  onnx.Return %y : tensor<2x5xf32>
}
