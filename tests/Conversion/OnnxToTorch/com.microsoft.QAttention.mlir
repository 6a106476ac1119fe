// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @lengths(
// CHECK: torch.aten.matmul {{.*}} -> !torch.vtensor<[?,3,96],si32>
// CHECK: torch.aten.lt.Tensor
// CHECK: torch.aten.scaled_dot_product_attention
func.func @lengths(%x: tensor<?x3x24xui8>, %w: tensor<24x96xi8>, %b: tensor<96xf32>, %xs: tensor<f32>, %ws: tensor<96xf32>, %m: tensor<?xi32>, %xz: tensor<ui8>, %wz: tensor<96xi8>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:2 = "onnx.com.microsoft.QAttention"(%x, %w, %b, %xs, %ws, %m, %xz, %wz, %none) {num_heads = 4 : si64}
      : (tensor<?x3x24xui8>, tensor<24x96xi8>, tensor<96xf32>, tensor<f32>, tensor<96xf32>, tensor<?xi32>, tensor<ui8>, tensor<96xi8>, none) -> (tensor<?x3x32xf32>, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}

// -----

// CHECK-LABEL: func.func @past(
// CHECK: torch.aten.matmul {{.*}} -> !torch.vtensor<[?,3,96],si32>
// CHECK: torch.aten.cat
// CHECK: torch.aten.cat
// CHECK: torch.aten.cat {{.*}} -> !torch.vtensor<[2,?,4,5,8],f32>
// CHECK: torch.aten.ge.Scalar
// CHECK: torch.aten.scaled_dot_product_attention
func.func @past(%x: tensor<?x3x24xui8>, %w: tensor<24x96xui8>, %b: tensor<96xf32>, %xs: tensor<f32>, %ws: tensor<f32>, %p: tensor<2x?x4x2x8xf32>) -> (tensor<?x3x32xf32>, tensor<2x?x4x5x8xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:2 = "onnx.com.microsoft.QAttention"(%x, %w, %b, %xs, %ws, %none, %none, %none, %p) {num_heads = 4 : si64, unidirectional = 1 : si64}
      : (tensor<?x3x24xui8>, tensor<24x96xui8>, tensor<96xf32>, tensor<f32>, tensor<f32>, none, none, none, tensor<2x?x4x2x8xf32>) -> (tensor<?x3x32xf32>, tensor<2x?x4x5x8xf32>)
  onnx.Return %y#0, %y#1 : tensor<?x3x32xf32>, tensor<2x?x4x5x8xf32>
}

// -----

func.func @rotary(%x: tensor<?x3x24xui8>, %w: tensor<24x96xui8>, %b: tensor<96xf32>, %xs: tensor<f32>, %ws: tensor<f32>) -> tensor<?x3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.QAttention': expected no do_rotary or past_present_share_buffer, got one of them}}
  %y:2 = "onnx.com.microsoft.QAttention"(%x, %w, %b, %xs, %ws, %none, %none, %none, %none) {num_heads = 4 : si64, do_rotary = 1 : si64}
      : (tensor<?x3x24xui8>, tensor<24x96xui8>, tensor<96xf32>, tensor<f32>, tensor<f32>, none, none, none, none) -> (tensor<?x3x32xf32>, none)
  onnx.Return %y#0 : tensor<?x3x32xf32>
}

// -----

func.func @a_matrix(%x: tensor<3x24xui8>, %w: tensor<24x96xui8>, %b: tensor<96xf32>, %xs: tensor<f32>, %ws: tensor<f32>) -> tensor<3x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.QAttention': expected 'input' of rank 3, got rank 2: '!torch.vtensor<[3,24],ui8>'}}
  %y:2 = "onnx.com.microsoft.QAttention"(%x, %w, %b, %xs, %ws, %none, %none, %none, %none) {num_heads = 4 : si64}
      : (tensor<3x24xui8>, tensor<24x96xui8>, tensor<96xf32>, tensor<f32>, tensor<f32>, none, none, none, none) -> (tensor<3x32xf32>, none)
  onnx.Return %y#0 : tensor<3x32xf32>
}
