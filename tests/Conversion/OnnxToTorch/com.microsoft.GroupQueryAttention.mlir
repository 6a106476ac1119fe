// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @prompt(
// CHECK: torch.aten.permute
// CHECK: torch.aten.cat
// CHECK: torch.aten.expand
// CHECK: torch.aten.scaled_dot_product_attention
// CHECK: torch.aten.view
func.func @prompt(%q: tensor<?x3x32xf32>, %k: tensor<?x3x16xf32>, %v: tensor<?x3x16xf32>, %l: tensor<?xi32>, %t: tensor<i32>, %c: tensor<16x4xf32>, %s: tensor<16x4xf32>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:4 = "onnx.com.microsoft.GroupQueryAttention"(%q, %k, %v, %none, %none, %l, %t, %c, %s, %none, %none, %none, %none, %none, %none, %none) {kv_num_heads = 2 : si64, num_heads = 4 : si64, do_rotary = 1 : si64}
      : (tensor<?x3x32xf32>, tensor<?x3x16xf32>, tensor<?x3x16xf32>, none, none, tensor<?xi32>, tensor<i32>, tensor<16x4xf32>, tensor<16x4xf32>, none, none, none, none, none, none, none) -> (tensor<?x3x32xf32>, none, none, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}

// -----

// CHECK-LABEL: func.func @past(
// CHECK: torch.runtime.assert %{{.*}}, "expected a past_key of all earlier tokens of each sample and no more"
// CHECK: %[[KEY:.*]] = torch.aten.cat
// CHECK: %[[VALUE:.*]] = torch.aten.cat
// CHECK: torch.aten.scaled_dot_product_attention
func.func @past(%q: tensor<?x1x32xf32>, %k: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>, %a: tensor<?x2x5x8xf32>, %b: tensor<?x2x5x8xf32>, %l: tensor<?xi32>, %t: tensor<i32>) -> (tensor<?x1x32xf32>, tensor<?x2x6x8xf32>, tensor<?x2x6x8xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:4 = "onnx.com.microsoft.GroupQueryAttention"(%q, %k, %v, %a, %b, %l, %t, %none, %none, %none, %none, %none, %none, %none, %none, %none) {kv_num_heads = 2 : si64, num_heads = 4 : si64, local_window_size = 4 : si64, scale = 0.5 : f32}
      : (tensor<?x1x32xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x2x5x8xf32>, tensor<?x2x5x8xf32>, tensor<?xi32>, tensor<i32>, none, none, none, none, none, none, none, none, none) -> (tensor<?x1x32xf32>, tensor<?x2x6x8xf32>, tensor<?x2x6x8xf32>, none)
  onnx.Return %y#0, %y#1, %y#2 : tensor<?x1x32xf32>, tensor<?x2x6x8xf32>, tensor<?x2x6x8xf32>
}

// -----

// CHECK-LABEL: func.func @packed(
// CHECK: torch.aten.slice.Tensor
// CHECK: torch.aten.slice.Tensor
// CHECK: torch.aten.slice.Tensor
// CHECK: torch.aten.scaled_dot_product_attention
func.func @packed(%q: tensor<?x3x64xf32>, %l: tensor<?xi32>, %t: tensor<i32>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:4 = "onnx.com.microsoft.GroupQueryAttention"(%q, %none, %none, %none, %none, %l, %t, %none, %none, %none, %none, %none, %none, %none, %none, %none) {kv_num_heads = 2 : si64, num_heads = 4 : si64}
      : (tensor<?x3x64xf32>, none, none, none, none, tensor<?xi32>, tensor<i32>, none, none, none, none, none, none, none, none, none) -> (tensor<?x3x32xf32>, none, none, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}

// -----

// CHECK-LABEL: func.func @sink(
// CHECK: torch.aten.matmul
// CHECK: torch.aten.cat {{.*}} -> !torch.vtensor<[?,4,3,4],f32>
// CHECK: torch.aten.softmax.int
// CHECK: torch.aten.slice.Tensor {{.*}} -> !torch.vtensor<[?,4,3,3],f32>
// CHECK: torch.aten.matmul
func.func @sink(%q: tensor<?x3x32xf32>, %k: tensor<?x3x16xf32>, %v: tensor<?x3x16xf32>, %l: tensor<?xi32>, %t: tensor<i32>, %h: tensor<4xf32>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:4 = "onnx.com.microsoft.GroupQueryAttention"(%q, %k, %v, %none, %none, %l, %t, %none, %none, %none, %none, %h, %none, %none, %none, %none) {kv_num_heads = 2 : si64, num_heads = 4 : si64}
      : (tensor<?x3x32xf32>, tensor<?x3x16xf32>, tensor<?x3x16xf32>, none, none, tensor<?xi32>, tensor<i32>, none, none, none, none, tensor<4xf32>, none, none, none, none) -> (tensor<?x3x32xf32>, none, none, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}

// -----

// CHECK-LABEL: func.func @softcap(
// CHECK: torch.aten.matmul
// CHECK: torch.aten.tanh
// CHECK: torch.aten.softmax.int
// CHECK: torch.aten.matmul
func.func @softcap(%q: tensor<?x3x32xf32>, %k: tensor<?x3x16xf32>, %v: tensor<?x3x16xf32>, %l: tensor<?xi32>, %t: tensor<i32>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:4 = "onnx.com.microsoft.GroupQueryAttention"(%q, %k, %v, %none, %none, %l, %t, %none, %none, %none, %none, %none, %none, %none, %none, %none) {kv_num_heads = 2 : si64, num_heads = 4 : si64, softcap = 30.0 : f32}
      : (tensor<?x3x32xf32>, tensor<?x3x16xf32>, tensor<?x3x16xf32>, none, none, tensor<?xi32>, tensor<i32>, none, none, none, none, none, none, none, none, none) -> (tensor<?x3x32xf32>, none, none, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}

// -----

func.func @heads(%q: tensor<?x3x32xf32>, %k: tensor<?x3x16xf32>, %v: tensor<?x3x16xf32>, %l: tensor<?xi32>, %t: tensor<i32>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GroupQueryAttention': expected num_heads in [1, 1048576] and kv_num_heads that divides it, got 4 and 3}}
  %y:4 = "onnx.com.microsoft.GroupQueryAttention"(%q, %k, %v, %none, %none, %l, %t, %none, %none, %none, %none, %none, %none, %none, %none, %none) {kv_num_heads = 3 : si64, num_heads = 4 : si64}
      : (tensor<?x3x32xf32>, tensor<?x3x16xf32>, tensor<?x3x16xf32>, none, none, tensor<?xi32>, tensor<i32>, none, none, none, none, none, none, none, none, none) -> (tensor<?x3x32xf32>, none, none, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}

// -----

func.func @no_caches(%q: tensor<?x3x32xf32>, %k: tensor<?x3x16xf32>, %v: tensor<?x3x16xf32>, %l: tensor<?xi32>, %t: tensor<i32>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GroupQueryAttention': expected cos_cache and sin_cache, got none}}
  %y:4 = "onnx.com.microsoft.GroupQueryAttention"(%q, %k, %v, %none, %none, %l, %t, %none, %none, %none, %none, %none, %none, %none, %none, %none) {kv_num_heads = 2 : si64, num_heads = 4 : si64, do_rotary = 1 : si64}
      : (tensor<?x3x32xf32>, tensor<?x3x16xf32>, tensor<?x3x16xf32>, none, none, tensor<?xi32>, tensor<i32>, none, none, none, none, none, none, none, none, none) -> (tensor<?x3x32xf32>, none, none, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}

// -----

func.func @vector_of_keys(%a0: tensor<?x3x32xf32>, %a1: tensor<2xf32>, %a2: tensor<?x3x16xf32>, %a5: tensor<2xi32>, %a6: tensor<i32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GroupQueryAttention': expected 'key' of rank 3, got rank 1: '!torch.vtensor<[2],f32>'}}
  %y:4 = "onnx.com.microsoft.GroupQueryAttention"(%a0, %a1, %a2, %none, %none, %a5, %a6, %none, %none, %none, %none, %none, %none, %none, %none, %none) {num_heads = 4 : si64, kv_num_heads = 2 : si64}
      : (tensor<?x3x32xf32>, tensor<2xf32>, tensor<?x3x16xf32>, none, none, tensor<2xi32>, tensor<i32>, none, none, none, none, none, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

func.func @past_of_keys_alone(%a0: tensor<?x3x32xf32>, %a1: tensor<?x3x16xf32>, %a2: tensor<?x3x16xf32>, %a3: tensor<?x2x5x8xf32>, %a5: tensor<2xi32>, %a6: tensor<i32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GroupQueryAttention': expected past_key and past_value together, got one of them}}
  %y:4 = "onnx.com.microsoft.GroupQueryAttention"(%a0, %a1, %a2, %a3, %none, %a5, %a6, %none, %none, %none, %none, %none, %none, %none, %none, %none) {num_heads = 4 : si64, kv_num_heads = 2 : si64}
      : (tensor<?x3x32xf32>, tensor<?x3x16xf32>, tensor<?x3x16xf32>, tensor<?x2x5x8xf32>, none, tensor<2xi32>, tensor<i32>, none, none, none, none, none, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

func.func @keys_alone(%a0: tensor<?x3x32xf32>, %a1: tensor<?x3x16xf32>, %a5: tensor<2xi32>, %a6: tensor<i32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GroupQueryAttention': expected key and value together, got one of them}}
  %y:4 = "onnx.com.microsoft.GroupQueryAttention"(%a0, %a1, %none, %none, %none, %a5, %a6, %none, %none, %none, %none, %none, %none, %none, %none, %none) {num_heads = 4 : si64, kv_num_heads = 2 : si64}
      : (tensor<?x3x32xf32>, tensor<?x3x16xf32>, none, none, none, tensor<2xi32>, tensor<i32>, none, none, none, none, none, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

func.func @too_many_heads(%a0: tensor<?x3x?xf32>, %a1: tensor<?x3x?xf32>, %a2: tensor<?x3x?xf32>, %a5: tensor<2xi32>, %a6: tensor<i32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GroupQueryAttention': expected num_heads in [1, 1048576] and kv_num_heads that divides it, got 2305843009213693952 and 2}}
  %y:4 = "onnx.com.microsoft.GroupQueryAttention"(%a0, %a1, %a2, %none, %none, %a5, %a6, %none, %none, %none, %none, %none, %none, %none, %none, %none) {num_heads = 2305843009213693952 : si64, kv_num_heads = 2 : si64}
      : (tensor<?x3x?xf32>, tensor<?x3x?xf32>, tensor<?x3x?xf32>, none, none, tensor<2xi32>, tensor<i32>, none, none, none, none, none, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

func.func @norm_of_queries_alone(%q: tensor<?x3x32xf32>, %k: tensor<?x3x16xf32>, %v: tensor<?x3x16xf32>, %l: tensor<?xi32>, %t: tensor<i32>, %h: tensor<8xf32>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GroupQueryAttention': expected q_norm_weight and k_norm_weight together, got one of them}}
  %y:4 = "onnx.com.microsoft.GroupQueryAttention"(%q, %k, %v, %none, %none, %l, %t, %none, %none, %none, %none, %none, %none, %none, %h, %none) {kv_num_heads = 2 : si64, num_heads = 4 : si64}
      : (tensor<?x3x32xf32>, tensor<?x3x16xf32>, tensor<?x3x16xf32>, none, none, tensor<?xi32>, tensor<i32>, none, none, none, none, none, none, none, tensor<8xf32>, none) -> (tensor<?x3x32xf32>, none, none, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}

// -----

func.func @scale_of_cache(%q: tensor<?x3x32xf32>, %k: tensor<?x3x16xf32>, %v: tensor<?x3x16xf32>, %l: tensor<?xi32>, %t: tensor<i32>, %h: tensor<8xf32>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GroupQueryAttention': expected no scales of the cache, got '!torch.vtensor<[8],f32>'}}
  %y:4 = "onnx.com.microsoft.GroupQueryAttention"(%q, %k, %v, %none, %none, %l, %t, %none, %none, %none, %none, %none, %h, %none, %none, %none) {kv_num_heads = 2 : si64, num_heads = 4 : si64}
      : (tensor<?x3x32xf32>, tensor<?x3x16xf32>, tensor<?x3x16xf32>, none, none, tensor<?xi32>, tensor<i32>, none, none, none, none, none, tensor<8xf32>, none, none, none) -> (tensor<?x3x32xf32>, none, none, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}

// -----

// CHECK-LABEL: func.func @buffer(
// CHECK-NOT: torch.runtime.assert
// CHECK: torch.aten.gather
// CHECK: torch.aten.gather
// CHECK: torch.aten.scaled_dot_product_attention
func.func @buffer(%q: tensor<?x1x32xf32>, %k: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>, %a: tensor<?x2x8x8xf32>, %b: tensor<?x2x8x8xf32>, %l: tensor<?xi32>) -> (tensor<?x1x32xf32>, tensor<?x2x8x8xf32>, tensor<?x2x8x8xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %t = "onnx.Constant"() {value = dense<8> : tensor<i32>} : () -> tensor<i32>
  %y:4 = "onnx.com.microsoft.GroupQueryAttention"(%q, %k, %v, %a, %b, %l, %t, %none, %none, %none, %none, %none, %none, %none, %none, %none) {kv_num_heads = 2 : si64, num_heads = 4 : si64}
      : (tensor<?x1x32xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x2x8x8xf32>, tensor<?x2x8x8xf32>, tensor<?xi32>, tensor<i32>, none, none, none, none, none, none, none, none, none) -> (tensor<?x1x32xf32>, tensor<?x2x8x8xf32>, tensor<?x2x8x8xf32>, none)
  onnx.Return %y#0, %y#1, %y#2 : tensor<?x1x32xf32>, tensor<?x2x8x8xf32>, tensor<?x2x8x8xf32>
}

// -----

// CHECK-LABEL: func.func @window_cache(
// CHECK: torch.runtime.assert %{{.*}}, "expected a past_key of at least local_window_size rows"
// CHECK: torch.aten.floor_divide.Scalar
// CHECK: torch.aten.gather
// CHECK: torch.aten.gather
// CHECK: torch.aten.scaled_dot_product_attention
func.func @window_cache(%q: tensor<?x1x32xf32>, %k: tensor<?x1x16xf32>, %v: tensor<?x1x16xf32>, %a: tensor<?x2x?x8xf32>, %b: tensor<?x2x?x8xf32>, %l: tensor<?xi32>, %t: tensor<i32>) -> (tensor<?x1x32xf32>, tensor<?x2x?x8xf32>, tensor<?x2x?x8xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:4 = "onnx.com.microsoft.GroupQueryAttention"(%q, %k, %v, %a, %b, %l, %t, %none, %none, %none, %none, %none, %none, %none, %none, %none) {kv_num_heads = 2 : si64, num_heads = 4 : si64, local_window_size = 4 : si64, sliding_window_cache = 1 : si64}
      : (tensor<?x1x32xf32>, tensor<?x1x16xf32>, tensor<?x1x16xf32>, tensor<?x2x?x8xf32>, tensor<?x2x?x8xf32>, tensor<?xi32>, tensor<i32>, none, none, none, none, none, none, none, none, none) -> (tensor<?x1x32xf32>, tensor<?x2x?x8xf32>, tensor<?x2x?x8xf32>, none)
  onnx.Return %y#0, %y#1, %y#2 : tensor<?x1x32xf32>, tensor<?x2x?x8xf32>, tensor<?x2x?x8xf32>
}

// -----

func.func @window_cache_of_nothing(%q: tensor<?x3x32xf32>, %k: tensor<?x3x16xf32>, %v: tensor<?x3x16xf32>, %l: tensor<?xi32>, %t: tensor<i32>, %h: tensor<8xf32>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GroupQueryAttention': expected a past_key, causal 1, a local_window_size of 1 or more and no attention_bias beside sliding_window_cache, got others}}
  %y:4 = "onnx.com.microsoft.GroupQueryAttention"(%q, %k, %v, %none, %none, %l, %t, %none, %none, %none, %none, %none, %none, %none, %none, %none) {kv_num_heads = 2 : si64, num_heads = 4 : si64, sliding_window_cache = 1 : si64}
      : (tensor<?x3x32xf32>, tensor<?x3x16xf32>, tensor<?x3x16xf32>, none, none, tensor<?xi32>, tensor<i32>, none, none, none, none, none, none, none, none, none) -> (tensor<?x3x32xf32>, none, none, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}
