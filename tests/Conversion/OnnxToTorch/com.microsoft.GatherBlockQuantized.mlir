// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @bytes(
// CHECK: torch.aten.index.Tensor
// CHECK: torch.aten.bitwise_and.Tensor
// CHECK: torch.aten.view {{.*}} -> !torch.vtensor<[?,2,2,16],ui8>
// CHECK: torch.aten.view {{.*}} -> !torch.vtensor<[?,2,32],f32>
func.func @bytes(%d: tensor<10x16xui8>, %i: tensor<?x2xi64>, %s: tensor<10x2xf32>, %z: tensor<10x1xui8>) -> tensor<?x2x32xf32> {
  %y = "onnx.com.microsoft.GatherBlockQuantized"(%d, %i, %s, %z) {block_size = 16 : si64}
      : (tensor<10x16xui8>, tensor<?x2xi64>, tensor<10x2xf32>, tensor<10x1xui8>) -> tensor<?x2x32xf32>
  onnx.Return %y : tensor<?x2x32xf32>
}

// -----

// CHECK-LABEL: func.func @no_zero_points(
// CHECK: torch.vtensor.literal(dense<1.280000e+02>
// CHECK: torch.aten.view {{.*}} -> !torch.vtensor<[?,2,32],f32>
func.func @no_zero_points(%d: tensor<10x32xui8>, %i: tensor<?x2xi64>, %s: tensor<10x2xf32>) -> tensor<?x2x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.GatherBlockQuantized"(%d, %i, %s, %none) {block_size = 16 : si64, bits = 8 : si64}
      : (tensor<10x32xui8>, tensor<?x2xi64>, tensor<10x2xf32>, none) -> tensor<?x2x32xf32>
  onnx.Return %y : tensor<?x2x32xf32>
}

// -----

func.func @columns(%d: tensor<10x16xui8>, %i: tensor<?x2xi64>, %s: tensor<10x2xf32>) -> tensor<?x2x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GatherBlockQuantized': expected rows to be gathered of a table in blocks along its last dim, got gather_axis 1 and quantize_axis 1 of '!torch.vtensor<[10,16],ui8>'}}
  %y = "onnx.com.microsoft.GatherBlockQuantized"(%d, %i, %s, %none) {block_size = 16 : si64, gather_axis = 1 : si64}
      : (tensor<10x16xui8>, tensor<?x2xi64>, tensor<10x2xf32>, none) -> tensor<?x2x32xf32>
  onnx.Return %y : tensor<?x2x32xf32>
}

// -----

func.func @part_of_a_block(%d: tensor<10x16xui8>, %i: tensor<?x2xi64>, %s: tensor<10x2xf32>) -> tensor<?x2x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GatherBlockQuantized': expected whole blocks of block_size, got '!torch.vtensor<[?,2,32],ui8>' with scales '!torch.vtensor<[10,2],f32>'}}
  %y = "onnx.com.microsoft.GatherBlockQuantized"(%d, %i, %s, %none) {block_size = 32 : si64}
      : (tensor<10x16xui8>, tensor<?x2xi64>, tensor<10x2xf32>, none) -> tensor<?x2x32xf32>
  onnx.Return %y : tensor<?x2x32xf32>
}

// -----

func.func @floats(%d: tensor<10x32xf8E4M3FN>, %i: tensor<?x2xi64>, %s: tensor<10x2xf32>) -> tensor<?x2x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GatherBlockQuantized': expected a table of integers, got '!torch.vtensor<[10,32],f8E4M3FN>'}}
  %y = "onnx.com.microsoft.GatherBlockQuantized"(%d, %i, %s, %none) {block_size = 16 : si64}
      : (tensor<10x32xf8E4M3FN>, tensor<?x2xi64>, tensor<10x2xf32>, none) -> tensor<?x2x32xf32>
  onnx.Return %y : tensor<?x2x32xf32>
}

// -----

func.func @int3(%d: tensor<10x16xui8>, %i: tensor<?x2xi64>, %s: tensor<10x2xf32>) -> tensor<?x2x32xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GatherBlockQuantized': expected bits to be 2, 4 or 8, got 3}}
  %y = "onnx.com.microsoft.GatherBlockQuantized"(%d, %i, %s, %none) {block_size = 16 : si64, bits = 3 : si64}
      : (tensor<10x16xui8>, tensor<?x2xi64>, tensor<10x2xf32>, none) -> tensor<?x2x32xf32>
  onnx.Return %y : tensor<?x2x32xf32>
}

// -----

func.func @scalar_scales(%a0: tensor<10x16xui8>, %a1: tensor<?x2xi64>, %a2: tensor<f32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GatherBlockQuantized': expected 'scales' of rank 2 beside 'data', got rank 0: '!torch.vtensor<[],f32>'}}
  %y = "onnx.com.microsoft.GatherBlockQuantized"(%a0, %a1, %a2, %none) {block_size = 16 : si64}
      : (tensor<10x16xui8>, tensor<?x2xi64>, tensor<f32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
