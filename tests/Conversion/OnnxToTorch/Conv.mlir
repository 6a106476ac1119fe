// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @symmetric(
// CHECK: torch.aten.convolution{{.*}} -> !torch.vtensor<[?,6,4,4],f32>
// CHECK: return
func.func @symmetric(%a0: tensor<?x3x8x8xf32>, %a1: tensor<6x3x3x3xf32>, %a2: tensor<6xf32>) -> tensor<?x6x4x4xf32> {
  %y = "onnx.Conv"(%a0, %a1, %a2) {strides = [2, 2], pads = [1, 1, 1, 1]}
      : (tensor<?x3x8x8xf32>, tensor<6x3x3x3xf32>, tensor<6xf32>) -> tensor<?x6x4x4xf32>
  onnx.Return %y : tensor<?x6x4x4xf32>
}

// -----

// CHECK-LABEL: func.func @asymmetric(
// CHECK: torch.aten.constant_pad_nd{{.*}} -> !torch.vtensor<[?,3,9,9],f32>
// CHECK: torch.aten.convolution{{.*}} -> !torch.vtensor<[?,6,7,7],f32>
// CHECK: return
func.func @asymmetric(%a0: tensor<?x3x8x8xf32>, %a1: tensor<6x3x3x3xf32>) -> tensor<?x6x7x7xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.Conv"(%a0, %a1, %none) {pads = [0, 0, 1, 1]}
      : (tensor<?x3x8x8xf32>, tensor<6x3x3x3xf32>, none) -> tensor<?x6x7x7xf32>
  onnx.Return %y : tensor<?x6x7x7xf32>
}

// -----

// CHECK-LABEL: func.func @same_upper(
// CHECK: torch.aten.add.int
// CHECK: torch.aten.floordiv.int
// CHECK: torch.aten.sub.int
// CHECK: torch.aten.mul.int
// CHECK: torch.aten.add.int
// CHECK: torch.aten.sub.int
// CHECK: torch.aten.floordiv.int
// CHECK: torch.aten.sub.int
// CHECK: torch.aten.constant_pad_nd{{.*}} -> !torch.vtensor<[?,3,?,9],f32>
// CHECK: torch.aten.convolution{{.*}} -> !torch.vtensor<[?,6,?,4],f32>
// CHECK: return
func.func @same_upper(%a0: tensor<?x3x?x8xf32>, %a1: tensor<6x3x3x3xf32>) -> tensor<?x6x?x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.Conv"(%a0, %a1, %none) {auto_pad = "SAME_UPPER", strides = [2, 2]}
      : (tensor<?x3x?x8xf32>, tensor<6x3x3x3xf32>, none) -> tensor<?x6x?x4xf32>
  onnx.Return %y : tensor<?x6x?x4xf32>
}

// -----

func.func @wrong_pads(%a0: tensor<?x3x8x8xf32>, %a1: tensor<6x3x3x3xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Conv': expected 4 numbers in pads, got 2}}
  %y = "onnx.Conv"(%a0, %a1, %none) {pads = [1, 1]}
      : (tensor<?x3x8x8xf32>, tensor<6x3x3x3xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @unknown_kernel(%a0: tensor<?x3x8x8xf32>, %a1: tensor<6x3x?x3xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Conv': expected a weight of rank 3 or more with kernel sizes known while compiling, got '!torch.vtensor<[6,3,?,3],f32>'}}
  %y = "onnx.Conv"(%a0, %a1, %none)
      : (tensor<?x3x8x8xf32>, tensor<6x3x?x3xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @scalar_bias(%a0: tensor<1x1x?x4xf32>, %a1: tensor<1x1x2x2xf32>, %a2: tensor<f32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.Conv': expected 'B' of rank 1, got rank 0: '!torch.vtensor<[],f32>'}}
  %y = "onnx.Conv"(%a0, %a1, %a2)
      : (tensor<1x1x?x4xf32>, tensor<1x1x2x2xf32>, tensor<f32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @weight_of_another_rank(%a0: tensor<1x1x?x4xf32>, %a1: tensor<1x1x2xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Conv': expected 'W' of rank 4 beside 'X', got rank 3: '!torch.vtensor<[1,1,2],f32>'}}
  %y = "onnx.Conv"(%a0, %a1, %none)
      : (tensor<1x1x?x4xf32>, tensor<1x1x2xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @other_bias(%a0: tensor<1x1x?x4xf32>, %a1: tensor<3x1x2x2xf32>, %a2: tensor<2xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.Conv': expected dim 0 of 'B' to be 3 beside 'W', got 2: '!torch.vtensor<[2],f32>'}}
  %y = "onnx.Conv"(%a0, %a1, %a2)
      : (tensor<1x1x?x4xf32>, tensor<3x1x2x2xf32>, tensor<2xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
