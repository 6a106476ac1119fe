// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @bias(
// CHECK: torch.aten.slice.Tensor
// CHECK: torch.aten.slice.Tensor
// CHECK: torch.aten.slice.Tensor
// CHECK: torch.aten.scaled_dot_product_attention
func.func @bias(%q: tensor<?x3x32xf32>, %k: tensor<?x5x32xf32>, %v: tensor<?x5x32xf32>, %b: tensor<96xf32>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:4 = "onnx.com.microsoft.MultiHeadAttention"(%q, %k, %v, %b, %none, %none, %none, %none, %none, %none) {num_heads = 4 : si64}
      : (tensor<?x3x32xf32>, tensor<?x5x32xf32>, tensor<?x5x32xf32>, tensor<96xf32>, none, none, none, none, none, none) -> (tensor<?x3x32xf32>, none, none, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}

// -----

// CHECK-LABEL: func.func @mask(
// CHECK: torch.aten.ne.Scalar
// CHECK: torch.aten.where.self
// CHECK: torch.aten.ge.Scalar
// CHECK: torch.aten.scaled_dot_product_attention
func.func @mask(%q: tensor<?x3x32xf32>, %k: tensor<?x5x32xf32>, %v: tensor<?x5x32xf32>, %m: tensor<?x5xi32>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:4 = "onnx.com.microsoft.MultiHeadAttention"(%q, %k, %v, %none, %m, %none, %none, %none, %none, %none) {num_heads = 4 : si64, unidirectional = 1 : si64}
      : (tensor<?x3x32xf32>, tensor<?x5x32xf32>, tensor<?x5x32xf32>, none, tensor<?x5xi32>, none, none, none, none, none) -> (tensor<?x3x32xf32>, none, none, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}

// -----

// CHECK-LABEL: func.func @lengths(
// CHECK: torch.aten.lt.Tensor
// CHECK: torch.aten.where.self
// CHECK: torch.aten.add.Tensor
// CHECK: torch.aten.scaled_dot_product_attention
func.func @lengths(%q: tensor<2x3x32xf32>, %k: tensor<2x5x32xf32>, %v: tensor<2x5x32xf32>, %m: tensor<2xi32>, %a: tensor<1x4x3x5xf32>) -> tensor<2x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:4 = "onnx.com.microsoft.MultiHeadAttention"(%q, %k, %v, %none, %m, %a, %none, %none, %none, %none) {num_heads = 4 : si64}
      : (tensor<2x3x32xf32>, tensor<2x5x32xf32>, tensor<2x5x32xf32>, none, tensor<2xi32>, tensor<1x4x3x5xf32>, none, none, none, none) -> (tensor<2x3x32xf32>, none, none, none)
  onnx.Return %y#0 : tensor<2x3x32xf32>
}

// -----

// CHECK-LABEL: func.func @past(
// CHECK: torch.aten.cat
// CHECK: torch.aten.cat
// CHECK: torch.aten.scaled_dot_product_attention
func.func @past(%q: tensor<?x3x32xf32>, %k: tensor<?x5x32xf32>, %v: tensor<?x5x32xf32>, %a: tensor<?x4x2x8xf32>, %b: tensor<?x4x2x8xf32>) -> (tensor<?x3x32xf32>, tensor<?x4x7x8xf32>, tensor<?x4x7x8xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:4 = "onnx.com.microsoft.MultiHeadAttention"(%q, %k, %v, %none, %none, %none, %a, %b, %none, %none) {num_heads = 4 : si64}
      : (tensor<?x3x32xf32>, tensor<?x5x32xf32>, tensor<?x5x32xf32>, none, none, none, tensor<?x4x2x8xf32>, tensor<?x4x2x8xf32>, none, none) -> (tensor<?x3x32xf32>, tensor<?x4x7x8xf32>, tensor<?x4x7x8xf32>, none)
  onnx.Return %y#0, %y#1, %y#2 : tensor<?x3x32xf32>, tensor<?x4x7x8xf32>, tensor<?x4x7x8xf32>
}

// -----

func.func @other_mask(%q: tensor<2x3x32xf32>, %k: tensor<2x5x32xf32>, %v: tensor<2x5x32xf32>, %m: tensor<8xi32>) -> tensor<2x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MultiHeadAttention': expected a mask of lengths [batch], of keys [batch, keys] or [batch, queries, keys], got '!torch.vtensor<[8],si32>'}}
  %y:4 = "onnx.com.microsoft.MultiHeadAttention"(%q, %k, %v, %none, %m, %none, %none, %none, %none, %none) {num_heads = 4 : si64}
      : (tensor<2x3x32xf32>, tensor<2x5x32xf32>, tensor<2x5x32xf32>, none, tensor<8xi32>, none, none, none, none, none) -> (tensor<2x3x32xf32>, none, none, none)
  onnx.Return %y#0 : tensor<2x3x32xf32>
}

// -----

func.func @shared_buffer(%q: tensor<?x3x32xf32>, %k: tensor<?x5x32xf32>, %v: tensor<?x5x32xf32>, %l: tensor<1xi32>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MultiHeadAttention': expected no past_sequence_length, got '!torch.vtensor<[1],si32>'}}
  %y:4 = "onnx.com.microsoft.MultiHeadAttention"(%q, %k, %v, %none, %none, %none, %none, %none, %l, %none) {num_heads = 4 : si64}
      : (tensor<?x3x32xf32>, tensor<?x5x32xf32>, tensor<?x5x32xf32>, none, none, none, none, none, tensor<1xi32>, none) -> (tensor<?x3x32xf32>, none, none, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}

// -----

func.func @packed(%q: tensor<2x3x4x3x8xf32>) -> tensor<2x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MultiHeadAttention': expected query, key and value apart, and num_heads in [1, 1048576], got '!torch.vtensor<[2,3,4,3,8],f32>' and 4}}
  %y:4 = "onnx.com.microsoft.MultiHeadAttention"(%q, %none, %none, %none, %none, %none, %none, %none, %none, %none) {num_heads = 4 : si64}
      : (tensor<2x3x4x3x8xf32>, none, none, none, none, none, none, none, none, none) -> (tensor<2x3x32xf32>, none, none, none)
  onnx.Return %y#0 : tensor<2x3x32xf32>
}

// -----

func.func @too_many_heads(%a0: tensor<2x3x32xf32>, %a1: tensor<2x4x5x8xf32>, %a2: tensor<2x4x5x8xf32>, %a6: tensor<2x4x5x8xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MultiHeadAttention': expected query, key and value apart, and num_heads in [1, 1048576], got '!torch.vtensor<[2,3,32],f32>' and 2305843009213693952}}
  %y:4 = "onnx.com.microsoft.MultiHeadAttention"(%a0, %a1, %a2, %none, %none, %none, %a6, %none, %none, %none) {num_heads = 2305843009213693952 : si64}
      : (tensor<2x3x32xf32>, tensor<2x4x5x8xf32>, tensor<2x4x5x8xf32>, none, none, none, tensor<2x4x5x8xf32>, none, none, none) -> (tensor<*xf32>, none, none, none)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

func.func @past_of_keys_alone(%a0: tensor<2x3x32xf32>, %a1: tensor<2x4x5x8xf32>, %a2: tensor<2x4x5x8xf32>, %a6: tensor<2x4x5x8xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MultiHeadAttention': expected past_key and past_value together, got one of them}}
  %y:4 = "onnx.com.microsoft.MultiHeadAttention"(%a0, %a1, %a2, %none, %none, %none, %a6, %none, %none, %none) {num_heads = 4 : si64}
      : (tensor<2x3x32xf32>, tensor<2x4x5x8xf32>, tensor<2x4x5x8xf32>, none, none, none, tensor<2x4x5x8xf32>, none, none, none) -> (tensor<*xf32>, none, none, none)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

func.func @vector_of_values(%a0: tensor<2x3x32xf32>, %a1: tensor<2x4x5x8xf32>, %a2: tensor<2xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MultiHeadAttention': expected 'value' of [B, H, T, F] or [B, T, _], got '!torch.vtensor<[2],f32>'}}
  %y:4 = "onnx.com.microsoft.MultiHeadAttention"(%a0, %a1, %a2, %none, %none, %none, %none, %none, %none, %none) {num_heads = 4 : si64}
      : (tensor<2x3x32xf32>, tensor<2x4x5x8xf32>, tensor<2xf32>, none, none, none, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  onnx.Return %y#0 : tensor<*xf32>
}
