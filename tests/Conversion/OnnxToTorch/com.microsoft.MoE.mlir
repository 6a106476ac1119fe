// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @two(
// CHECK: torch.aten.matmul
// CHECK: torch.aten.silu
// CHECK: torch.aten.matmul
// CHECK: torch.aten.softmax.int
// CHECK: torch.aten.topk
// CHECK: torch.aten.scatter.src
func.func @two(%x: tensor<?x8xf32>, %r: tensor<?x4xf32>, %w1: tensor<4x16x8xf32>, %w2: tensor<4x8x16xf32>) -> tensor<?x8xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.MoE"(%x, %r, %w1, %none, %w2, %none, %none, %none) {k = 2 : si64, activation_type = "silu"}
      : (tensor<?x8xf32>, tensor<?x4xf32>, tensor<4x16x8xf32>, none, tensor<4x8x16xf32>, none, none, none) -> tensor<?x8xf32>
  onnx.Return %y : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func.func @swiglu(
// CHECK: torch.aten.slice.Tensor
// CHECK: torch.aten.sigmoid
func.func @swiglu(%x: tensor<?x8xf32>, %r: tensor<?x4xf32>, %w1: tensor<4x32x8xf32>, %w2: tensor<4x8x16xf32>) -> tensor<?x8xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.MoE"(%x, %r, %w1, %none, %w2, %none, %none, %none) {activation_type = "swiglu", swiglu_fusion = 2 : si64}
      : (tensor<?x8xf32>, tensor<?x4xf32>, tensor<4x32x8xf32>, none, tensor<4x8x16xf32>, none, none, none) -> tensor<?x8xf32>
  onnx.Return %y : tensor<?x8xf32>
}

// -----

func.func @many(%x: tensor<?x8xf32>, %r: tensor<?x4xf32>, %w1: tensor<4x16x8xf32>, %w2: tensor<4x8x16xf32>) -> tensor<?x8xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MoE': expected k from 1 to the number of experts, got 5 and weights of '!torch.vtensor<[4,16,8],f32>'}}
  %y = "onnx.com.microsoft.MoE"(%x, %r, %w1, %none, %w2, %none, %none, %none) {k = 5 : si64}
      : (tensor<?x8xf32>, tensor<?x4xf32>, tensor<4x16x8xf32>, none, tensor<4x8x16xf32>, none, none, none) -> tensor<?x8xf32>
  onnx.Return %y : tensor<?x8xf32>
}

// -----

func.func @fc3(%x: tensor<?x8xf32>, %r: tensor<?x4xf32>, %w1: tensor<4x16x8xf32>, %w2: tensor<4x8x16xf32>) -> tensor<?x8xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MoE': expected use_sparse_mixer to be 0 and no fc3_experts_weights, got others}}
  %y = "onnx.com.microsoft.MoE"(%x, %r, %w1, %none, %w2, %none, %w1, %none) {k = 1 : si64}
      : (tensor<?x8xf32>, tensor<?x4xf32>, tensor<4x16x8xf32>, none, tensor<4x8x16xf32>, none, tensor<4x16x8xf32>, none) -> tensor<?x8xf32>
  onnx.Return %y : tensor<?x8xf32>
}

// -----

func.func @unfused(%x: tensor<?x8xf32>, %r: tensor<?x4xf32>, %w1: tensor<4x16x8xf32>, %w2: tensor<4x8x16xf32>) -> tensor<?x8xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MoE': expected swiglu_fusion 1 or 2 and an even number of elements that is known while compiling, got 0 and '!torch.vtensor<[4,?,16],f32>'}}
  %y = "onnx.com.microsoft.MoE"(%x, %r, %w1, %none, %w2, %none, %none, %none) {activation_type = "swiglu"}
      : (tensor<?x8xf32>, tensor<?x4xf32>, tensor<4x16x8xf32>, none, tensor<4x8x16xf32>, none, none, none) -> tensor<?x8xf32>
  onnx.Return %y : tensor<?x8xf32>
}

// -----

func.func @activation(%x: tensor<?x8xf32>, %r: tensor<?x4xf32>, %w1: tensor<4x16x8xf32>, %w2: tensor<4x8x16xf32>) -> tensor<?x8xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MoE': expected an activation_type of relu, gelu, silu, swiglu or identity, got cube}}
  %y = "onnx.com.microsoft.MoE"(%x, %r, %w1, %none, %w2, %none, %none, %none) {activation_type = "cube"}
      : (tensor<?x8xf32>, tensor<?x4xf32>, tensor<4x16x8xf32>, none, tensor<4x8x16xf32>, none, none, none) -> tensor<?x8xf32>
  onnx.Return %y : tensor<?x8xf32>
}
