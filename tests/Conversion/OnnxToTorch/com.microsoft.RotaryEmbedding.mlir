// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @positions(
// CHECK: torch.aten.permute
// CHECK: torch.aten.slice.Tensor
// CHECK: torch.aten.cat
// CHECK: torch.aten.permute
func.func @positions(%x: tensor<?x3x32xf32>, %p: tensor<?x3xi64>, %c: tensor<16x4xf32>, %s: tensor<16x4xf32>) -> tensor<?x3x32xf32> {
  %y = "onnx.com.microsoft.RotaryEmbedding"(%x, %p, %c, %s)
      : (tensor<?x3x32xf32>, tensor<?x3xi64>, tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<?x3x32xf32>
  onnx.Return %y : tensor<?x3x32xf32>
}

// -----

// CHECK-LABEL: func.func @offset(
// CHECK: torch.aten.arange
// CHECK: torch.aten.unsqueeze
// CHECK: torch.aten.cat
// CHECK: torch.aten.view
func.func @offset(%x: tensor<?x4x3x8xf32>, %p: tensor<1xi64>, %c: tensor<16x4xf32>, %s: tensor<16x4xf32>) -> tensor<?x4x3x8xf32> {
  %y = "onnx.com.microsoft.RotaryEmbedding"(%x, %p, %c, %s) {interleaved = 1 : si64}
      : (tensor<?x4x3x8xf32>, tensor<1xi64>, tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<?x4x3x8xf32>
  onnx.Return %y : tensor<?x4x3x8xf32>
}

// -----

func.func @scaled(%x: tensor<?x3x32xf32>, %p: tensor<?x3xi64>, %c: tensor<16x4xf32>, %s: tensor<16x4xf32>) -> tensor<?x3x32xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.RotaryEmbedding': expected is_packed_batching to be 0 and scale 1, got 0 and 5.000000e-01}}
  %y = "onnx.com.microsoft.RotaryEmbedding"(%x, %p, %c, %s) {scale = 0.5 : f32}
      : (tensor<?x3x32xf32>, tensor<?x3xi64>, tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<?x3x32xf32>
  onnx.Return %y : tensor<?x3x32xf32>
}
