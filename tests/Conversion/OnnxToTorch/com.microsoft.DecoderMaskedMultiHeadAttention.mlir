// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @buffer(
// CHECK: torch.runtime.assert %{{.*}}, "expected a past_sequence_length that leaves room in the buffer"
// CHECK: %[[NEW:.*]] = torch.aten.eq.Scalar
// CHECK: %[[KEY:.*]] = torch.aten.where.self
// CHECK: %[[VALUE:.*]] = torch.aten.where.self
// CHECK: torch.aten.constant_pad_nd
// CHECK: torch.aten.scaled_dot_product_attention %{{.*}}, %[[KEY]], %[[VALUE]]
func.func @buffer(%a0: tensor<2x1x32xf32>, %a1: tensor<2x1x32xf32>, %a2: tensor<2x1x32xf32>, %a3: tensor<2x?xi32>, %a5: tensor<2x4x7x8xf32>, %a6: tensor<2x4x7x8xf32>, %a7: tensor<1xi32>) -> (tensor<2x1x32xf32>, tensor<2x4x7x8xf32>, tensor<2x4x7x8xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:4 = "onnx.com.microsoft.DecoderMaskedMultiHeadAttention"(%a0, %a1, %a2, %a3, %none, %a5, %a6, %a7, %none, %none, %none) {num_heads = 4 : si64, past_present_share_buffer = 1 : si64}
      : (tensor<2x1x32xf32>, tensor<2x1x32xf32>, tensor<2x1x32xf32>, tensor<2x?xi32>, none, tensor<2x4x7x8xf32>, tensor<2x4x7x8xf32>, tensor<1xi32>, none, none, none) -> (tensor<2x1x32xf32>, tensor<2x4x7x8xf32>, tensor<2x4x7x8xf32>, none)
  onnx.Return %y#0, %y#1, %y#2 : tensor<2x1x32xf32>, tensor<2x4x7x8xf32>, tensor<2x4x7x8xf32>
}

// -----

// CHECK-LABEL: func.func @cross(
// CHECK: torch.aten.scaled_dot_product_attention
func.func @cross(%a0: tensor<2x1x32xf32>, %a1: tensor<2x4x5x8xf32>, %a2: tensor<2x4x5x8xf32>) -> tensor<2x1x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:4 = "onnx.com.microsoft.DecoderMaskedMultiHeadAttention"(%a0, %a1, %a2, %none, %none, %none, %none, %none, %none, %none, %none) {num_heads = 4 : si64}
      : (tensor<2x1x32xf32>, tensor<2x4x5x8xf32>, tensor<2x4x5x8xf32>, none, none, none, none, none, none, none, none) -> (tensor<2x1x32xf32>, none, none, none)
  onnx.Return %y#0 : tensor<2x1x32xf32>
}

// -----

func.func @no_buffer(%a0: tensor<2x1x32xf32>, %a1: tensor<2x1x32xf32>, %a2: tensor<2x1x32xf32>, %a5: tensor<2x4x7x8xf32>, %a6: tensor<2x4x7x8xf32>, %a7: tensor<1xi32>) -> tensor<2x1x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.DecoderMaskedMultiHeadAttention': expected past_key, past_sequence_length and past_present_share_buffer together, and no beam_width, got others}}
  %y:4 = "onnx.com.microsoft.DecoderMaskedMultiHeadAttention"(%a0, %a1, %a2, %none, %none, %a5, %a6, %a7, %none, %none, %none) {num_heads = 4 : si64}
      : (tensor<2x1x32xf32>, tensor<2x1x32xf32>, tensor<2x1x32xf32>, none, none, tensor<2x4x7x8xf32>, tensor<2x4x7x8xf32>, tensor<1xi32>, none, none, none) -> (tensor<2x1x32xf32>, none, none, none)
  onnx.Return %y#0 : tensor<2x1x32xf32>
}

// -----

func.func @beams(%a0: tensor<2x1x32xf32>, %a1: tensor<2x4x5x8xf32>, %a2: tensor<2x4x5x8xf32>, %a9: tensor<2x1x7xi32>) -> tensor<2x1x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.DecoderMaskedMultiHeadAttention': expected no cache_indirection or qk, got one of them}}
  %y:4 = "onnx.com.microsoft.DecoderMaskedMultiHeadAttention"(%a0, %a1, %a2, %none, %none, %none, %none, %none, %none, %a9, %none) {num_heads = 4 : si64}
      : (tensor<2x1x32xf32>, tensor<2x4x5x8xf32>, tensor<2x4x5x8xf32>, none, none, none, none, none, none, tensor<2x1x7xi32>, none) -> (tensor<2x1x32xf32>, none, none, none)
  onnx.Return %y#0 : tensor<2x1x32xf32>
}
