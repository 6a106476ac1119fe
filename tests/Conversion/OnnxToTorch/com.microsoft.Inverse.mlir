// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @matrices(
// CHECK: torch.aten.inverse
func.func @matrices(%x: tensor<?x3x3xf32>) -> tensor<?x3x3xf32> {
  %y = "onnx.com.microsoft.Inverse"(%x) : (tensor<?x3x3xf32>) -> tensor<?x3x3xf32>
  onnx.Return %y : tensor<?x3x3xf32>
}

// -----

func.func @not_square(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.Inverse': expected dim 1 of 'X' to be 2, got 3: '!torch.vtensor<[2,3],f32>'}}
  %y = "onnx.com.microsoft.Inverse"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  onnx.Return %y : tensor<2x3xf32>
}
