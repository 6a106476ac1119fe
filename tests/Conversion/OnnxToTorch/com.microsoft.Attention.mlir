// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @past(
// CHECK: torch.aten.matmul
// CHECK: torch.aten.add.Tensor
// CHECK: torch.aten.cat
// CHECK: torch.aten.cat
// CHECK: torch.aten.cat {{.*}} -> !torch.vtensor<[2,?,4,5,8],f32>
// CHECK: torch.aten.ge.Scalar
// CHECK: torch.aten.scaled_dot_product_attention
func.func @past(%x: tensor<?x3x24xf32>, %w: tensor<24x96xf32>, %b: tensor<96xf32>, %p: tensor<2x?x4x2x8xf32>) -> (tensor<?x3x32xf32>, tensor<2x?x4x5x8xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:2 = "onnx.com.microsoft.Attention"(%x, %w, %b, %none, %p, %none, %none) {num_heads = 4 : si64, unidirectional = 1 : si64}
      : (tensor<?x3x24xf32>, tensor<24x96xf32>, tensor<96xf32>, none, tensor<2x?x4x2x8xf32>, none, none) -> (tensor<?x3x32xf32>, tensor<2x?x4x5x8xf32>)
  onnx.Return %y#0, %y#1 : tensor<?x3x32xf32>, tensor<2x?x4x5x8xf32>
}

// -----

// CHECK-LABEL: func.func @mask(
// CHECK: torch.aten.ne.Scalar
// CHECK: torch.aten.where.self
// CHECK: torch.aten.scaled_dot_product_attention
func.func @mask(%x: tensor<?x3x24xf32>, %w: tensor<24x64xf32>, %m: tensor<?x3xi32>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:2 = "onnx.com.microsoft.Attention"(%x, %w, %none, %m, %none, %none, %none) {num_heads = 4 : si64, qkv_hidden_sizes = [16, 16, 32]}
      : (tensor<?x3x24xf32>, tensor<24x64xf32>, none, tensor<?x3xi32>, none, none, none) -> (tensor<?x3x32xf32>, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}

// -----

func.func @rotary(%x: tensor<?x3x24xf32>, %w: tensor<24x96xf32>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.Attention': expected no do_rotary or past_present_share_buffer, got one of them}}
  %y:2 = "onnx.com.microsoft.Attention"(%x, %w, %none, %none, %none, %none, %none) {num_heads = 4 : si64, do_rotary = 1 : si64}
      : (tensor<?x3x24xf32>, tensor<24x96xf32>, none, none, none, none, none) -> (tensor<?x3x32xf32>, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}

// -----

func.func @no_heads(%x: tensor<?x3x24xf32>, %w: tensor<24x96xf32>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.Attention': expected num_heads in [1, 1048576], got 0}}
  %y:2 = "onnx.com.microsoft.Attention"(%x, %w, %none, %none, %none, %none, %none) {num_heads = 0 : si64}
      : (tensor<?x3x24xf32>, tensor<24x96xf32>, none, none, none, none, none) -> (tensor<?x3x32xf32>, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}

// -----

func.func @two_sizes(%x: tensor<?x3x24xf32>, %w: tensor<24x96xf32>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.Attention': expected three qkv_hidden_sizes, got 2}}
  %y:2 = "onnx.com.microsoft.Attention"(%x, %w, %none, %none, %none, %none, %none) {num_heads = 4 : si64, qkv_hidden_sizes = [32, 32]}
      : (tensor<?x3x24xf32>, tensor<24x96xf32>, none, none, none, none, none) -> (tensor<?x3x32xf32>, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}

// -----

func.func @past_length(%x: tensor<?x3x24xf32>, %w: tensor<24x96xf32>, %n: tensor<i32>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.Attention': expected no past_sequence_length, got '!torch.vtensor<[],si32>'}}
  %y:2 = "onnx.com.microsoft.Attention"(%x, %w, %none, %none, %none, %none, %n) {num_heads = 4 : si64}
      : (tensor<?x3x24xf32>, tensor<24x96xf32>, none, none, none, none, tensor<i32>) -> (tensor<?x3x32xf32>, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}
