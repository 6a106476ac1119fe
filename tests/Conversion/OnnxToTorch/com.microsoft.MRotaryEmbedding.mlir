// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @sections(
// CHECK: torch.vtensor.literal(dense<[false, false, false, false, true, true, false, false]>
// CHECK: torch.vtensor.literal(dense<[false, false, false, false, false, false, true, true]>
// CHECK: torch.aten.where.self
// CHECK: torch.aten.where.self
func.func @sections(%a0: tensor<?x3x64xf32>, %a1: tensor<3x?x3xi64>, %a2: tensor<16x8xf32>, %a3: tensor<16x8xf32>) -> tensor<?x3x64xf32> {
  %y = "onnx.com.microsoft.MRotaryEmbedding"(%a0, %a1, %a2, %a3) {mrope_section = [4, 2, 2], num_heads = 4 : si64}
      : (tensor<?x3x64xf32>, tensor<3x?x3xi64>, tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<?x3x64xf32>
  onnx.Return %y : tensor<?x3x64xf32>
}

// -----

// CHECK-LABEL: func.func @interleaved(
// CHECK: torch.vtensor.literal(dense<[false, true, false, false, true, false, false, false]>
// CHECK: torch.vtensor.literal(dense<[false, false, true, false, false, true, false, false]>
func.func @interleaved(%a0: tensor<?x3x64xf32>, %a1: tensor<3x?x3xi64>, %a2: tensor<16x8xf32>, %a3: tensor<16x8xf32>) -> tensor<?x3x64xf32> {
  %y = "onnx.com.microsoft.MRotaryEmbedding"(%a0, %a1, %a2, %a3) {mrope_section = [4, 2, 2], mrope_layout = 1 : si64, num_heads = 4 : si64}
      : (tensor<?x3x64xf32>, tensor<3x?x3xi64>, tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<?x3x64xf32>
  onnx.Return %y : tensor<?x3x64xf32>
}

// -----

func.func @no_sum(%a0: tensor<?x3x64xf32>, %a1: tensor<3x?x3xi64>, %a2: tensor<16x8xf32>, %a3: tensor<16x8xf32>) -> tensor<?x3x64xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MRotaryEmbedding': expected three numbers in mrope_section whose sum is the width of cos_cache, got 3 for '!torch.vtensor<[16,8],f32>'}}
  %y = "onnx.com.microsoft.MRotaryEmbedding"(%a0, %a1, %a2, %a3) {mrope_section = [4, 2, 3], num_heads = 4 : si64}
      : (tensor<?x3x64xf32>, tensor<3x?x3xi64>, tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<?x3x64xf32>
  onnx.Return %y : tensor<?x3x64xf32>
}

// -----

func.func @layout(%a0: tensor<?x3x64xf32>, %a1: tensor<3x?x3xi64>, %a2: tensor<16x8xf32>, %a3: tensor<16x8xf32>) -> tensor<?x3x64xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MRotaryEmbedding': expected mrope_layout to be 0 or 1, got 2}}
  %y = "onnx.com.microsoft.MRotaryEmbedding"(%a0, %a1, %a2, %a3) {mrope_section = [4, 2, 2], mrope_layout = 2 : si64, num_heads = 4 : si64}
      : (tensor<?x3x64xf32>, tensor<3x?x3xi64>, tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<?x3x64xf32>
  onnx.Return %y : tensor<?x3x64xf32>
}

// -----

func.func @scale(%a0: tensor<?x3x64xf32>, %a1: tensor<3x?x3xi64>, %a2: tensor<16x8xf32>, %a3: tensor<16x8xf32>) -> tensor<?x3x64xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MRotaryEmbedding': expected is_packed_batching to be 0 and scale 1, got 0 and 2.000000e+00}}
  %y = "onnx.com.microsoft.MRotaryEmbedding"(%a0, %a1, %a2, %a3) {mrope_section = [4, 2, 2], scale = 2.0 : f32, num_heads = 4 : si64}
      : (tensor<?x3x64xf32>, tensor<3x?x3xi64>, tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<?x3x64xf32>
  onnx.Return %y : tensor<?x3x64xf32>
}
