// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @int4(
// CHECK: torch.aten.bitwise_right_shift.Tensor
// CHECK: torch.aten.bitwise_and.Tensor
// CHECK: torch.aten.cat
// CHECK: torch.aten.view {{.*}} -> !torch.vtensor<[24,2,32],ui8>
// CHECK: torch.vtensor.literal(dense<8.000000e+00>
// CHECK: torch.aten.view {{.*}} -> !torch.vtensor<[24,64],f32>
// CHECK: torch.aten.linear
func.func @int4(%x: tensor<?x3x64xf32>, %w: tensor<24x2x16xui8>, %s: tensor<48xf32>) -> tensor<?x3x24xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.MatMulNBits"(%x, %w, %s, %none, %none, %none) {K = 64 : si64, N = 24 : si64, block_size = 32 : si64}
      : (tensor<?x3x64xf32>, tensor<24x2x16xui8>, tensor<48xf32>, none, none, none) -> tensor<?x3x24xf32>
  onnx.Return %y : tensor<?x3x24xf32>
}

// -----

// CHECK-LABEL: func.func @int8(
// CHECK: torch.prims.convert_element_type {{.*}} -> !torch.vtensor<[24,2,32],f32>
// CHECK: torch.aten.linear
func.func @int8(%x: tensor<?x3x64xf32>, %w: tensor<24x2x32xui8>, %s: tensor<48xf32>, %z: tensor<48xui8>, %b: tensor<24xf32>) -> tensor<?x3x24xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.MatMulNBits"(%x, %w, %s, %z, %none, %b) {K = 64 : si64, N = 24 : si64, block_size = 32 : si64, bits = 8 : si64}
      : (tensor<?x3x64xf32>, tensor<24x2x32xui8>, tensor<48xf32>, tensor<48xui8>, none, tensor<24xf32>) -> tensor<?x3x24xf32>
  onnx.Return %y : tensor<?x3x24xf32>
}

// -----

// CHECK-LABEL: func.func @packed_zero_points(
// CHECK: torch.aten.slice.Tensor {{.*}} -> !torch.vtensor<[24,3],ui8>
// CHECK: torch.aten.slice.Tensor {{.*}} -> !torch.vtensor<[24,72],f32>
// CHECK: torch.aten.linear
func.func @packed_zero_points(%x: tensor<?x3x72xf32>, %w: tensor<24x3x16xui8>, %s: tensor<72xf32>, %z: tensor<48xui8>) -> tensor<?x3x24xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.MatMulNBits"(%x, %w, %s, %z, %none, %none) {K = 72 : si64, N = 24 : si64, block_size = 32 : si64}
      : (tensor<?x3x72xf32>, tensor<24x3x16xui8>, tensor<72xf32>, tensor<48xui8>, none, none) -> tensor<?x3x24xf32>
  onnx.Return %y : tensor<?x3x24xf32>
}

// -----

// CHECK-LABEL: func.func @float_zero_points(
// CHECK: torch.aten.view {{.*}} -> !torch.vtensor<[24,2],f32>
// CHECK: torch.aten.linear
func.func @float_zero_points(%x: tensor<?x3x64xf32>, %w: tensor<24x2x16xui8>, %s: tensor<48xf32>, %z: tensor<48xf32>) -> tensor<?x3x24xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.MatMulNBits"(%x, %w, %s, %z, %none, %none) {K = 64 : si64, N = 24 : si64, block_size = 32 : si64}
      : (tensor<?x3x64xf32>, tensor<24x2x16xui8>, tensor<48xf32>, tensor<48xf32>, none, none) -> tensor<?x3x24xf32>
  onnx.Return %y : tensor<?x3x24xf32>
}

// -----

// CHECK-LABEL: func.func @g_idx(
// CHECK: torch.aten.index.Tensor {{.*}} -> !torch.vtensor<[24,64],f32>
// CHECK: torch.aten.linear
func.func @g_idx(%x: tensor<?x3x64xf32>, %w: tensor<24x2x16xui8>, %s: tensor<48xf32>, %g: tensor<64xi32>) -> tensor<?x3x24xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.MatMulNBits"(%x, %w, %s, %none, %g, %none) {K = 64 : si64, N = 24 : si64, block_size = 32 : si64}
      : (tensor<?x3x64xf32>, tensor<24x2x16xui8>, tensor<48xf32>, none, tensor<64xi32>, none) -> tensor<?x3x24xf32>
  onnx.Return %y : tensor<?x3x24xf32>
}

// -----

func.func @g_idx_zero_points(%x: tensor<?x3x64xf32>, %w: tensor<24x2x16xui8>, %s: tensor<48xf32>, %z: tensor<24xui8>, %g: tensor<64xi32>) -> tensor<?x3x24xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MatMulNBits': expected g_idx without zero_points, got both}}
  %y = "onnx.com.microsoft.MatMulNBits"(%x, %w, %s, %z, %g, %none) {K = 64 : si64, N = 24 : si64, block_size = 32 : si64}
      : (tensor<?x3x64xf32>, tensor<24x2x16xui8>, tensor<48xf32>, tensor<24xui8>, tensor<64xi32>, none) -> tensor<?x3x24xf32>
  onnx.Return %y : tensor<?x3x24xf32>
}

// -----

func.func @int3(%x: tensor<?x3x64xf32>, %w: tensor<24x2x16xui8>, %s: tensor<48xf32>) -> tensor<?x3x24xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MatMulNBits': expected bits to be 2, 4 or 8, got 3}}
  %y = "onnx.com.microsoft.MatMulNBits"(%x, %w, %s, %none, %none, %none) {K = 64 : si64, N = 24 : si64, block_size = 32 : si64, bits = 3 : si64}
      : (tensor<?x3x64xf32>, tensor<24x2x16xui8>, tensor<48xf32>, none, none, none) -> tensor<?x3x24xf32>
  onnx.Return %y : tensor<?x3x24xf32>
}

// -----

func.func @no_blocks(%x: tensor<?x3x64xf32>, %w: tensor<24x2x16xui8>, %s: tensor<48xf32>) -> tensor<?x3x24xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MatMulNBits': expected N, K and block_size of 1 or more that 32 bits hold, got 24, 64 and 0}}
  %y = "onnx.com.microsoft.MatMulNBits"(%x, %w, %s, %none, %none, %none) {K = 64 : si64, N = 24 : si64, block_size = 0 : si64}
      : (tensor<?x3x64xf32>, tensor<24x2x16xui8>, tensor<48xf32>, none, none, none) -> tensor<?x3x24xf32>
  onnx.Return %y : tensor<?x3x24xf32>
}

// -----

func.func @rows_beyond_32_bits(%x: tensor<?x3x64xf32>, %w: tensor<24x2x16xui8>, %s: tensor<48xf32>) -> tensor<?x3x?xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MatMulNBits': expected N, K and block_size of 1 or more that 32 bits hold, got 2147483648, 64 and 32}}
  %y = "onnx.com.microsoft.MatMulNBits"(%x, %w, %s, %none, %none, %none) {K = 64 : si64, N = 2147483648 : si64, block_size = 32 : si64}
      : (tensor<?x3x64xf32>, tensor<24x2x16xui8>, tensor<48xf32>, none, none, none) -> tensor<?x3x?xf32>
  onnx.Return %y : tensor<?x3x?xf32>
}

// -----

func.func @prepacked(%x: tensor<?x3x64xf32>, %w: tensor<24x2x16xui8>, %s: tensor<48xf32>) -> tensor<?x3x24xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MatMulNBits': expected a weight that is not prepacked, got weight_prepacked 1}}
  %y = "onnx.com.microsoft.MatMulNBits"(%x, %w, %s, %none, %none, %none) {K = 64 : si64, N = 24 : si64, block_size = 32 : si64, weight_prepacked = 1 : si64}
      : (tensor<?x3x64xf32>, tensor<24x2x16xui8>, tensor<48xf32>, none, none, none) -> tensor<?x3x24xf32>
  onnx.Return %y : tensor<?x3x24xf32>
}

// -----

func.func @scalar_weight(%a0: tensor<?x3x64xf32>, %a1: tensor<ui8>, %a2: tensor<48xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MatMulNBits': expected 'B' of rank 3, got rank 0: '!torch.vtensor<[],ui8>'}}
  %y = "onnx.com.microsoft.MatMulNBits"(%a0, %a1, %a2, %none, %none, %none) {K = 64 : si64, N = 24 : si64, block_size = 32 : si64}
      : (tensor<?x3x64xf32>, tensor<ui8>, tensor<48xf32>, none, none, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @scalar(%a0: tensor<f32>, %a1: tensor<24x2x16xui8>, %a2: tensor<48xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MatMulNBits': expected 'A' of rank 1 or more, got rank 0: '!torch.vtensor<[],f32>'}}
  %y = "onnx.com.microsoft.MatMulNBits"(%a0, %a1, %a2, %none, %none, %none) {K = 64 : si64, N = 24 : si64, block_size = 32 : si64}
      : (tensor<f32>, tensor<24x2x16xui8>, tensor<48xf32>, none, none, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
