// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @constant(
// CHECK: torch.aten.constant_pad_nd{{.*}} -> !torch.vtensor<[?,7],f32>
// CHECK: return
func.func @constant(%a0: tensor<?x4xf32>) -> tensor<?x7xf32> {
  %c0 = onnx.Constant dense<[0, 1, 0, 2]> : tensor<4xi64>
  %c1 = onnx.Constant dense<1.0> : tensor<f32>
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.Pad"(%a0, %c0, %c1, %none)
      : (tensor<?x4xf32>, tensor<4xi64>, tensor<f32>, none) -> tensor<?x7xf32>
  onnx.Return %y : tensor<?x7xf32>
}

// -----

// CHECK-LABEL: func.func @edge(
// CHECK: torch.aten.arange.start_step{{.*}} -> !torch.vtensor<[7],si64>
// CHECK: torch.aten.clamp{{.*}} -> !torch.vtensor<[7],si64>
// CHECK: torch.aten.index_select{{.*}} -> !torch.vtensor<[?,7],f32>
// CHECK: return
func.func @edge(%a0: tensor<?x4xf32>) -> tensor<?x7xf32> {
  %c0 = onnx.Constant dense<[0, 1, 0, 2]> : tensor<4xi64>
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.Pad"(%a0, %c0, %none, %none) {mode = "edge"}
      : (tensor<?x4xf32>, tensor<4xi64>, none, none) -> tensor<?x7xf32>
  onnx.Return %y : tensor<?x7xf32>
}

// -----

// CHECK-LABEL: func.func @reflect(
// CHECK: torch.aten.arange.start_step{{.*}} -> !torch.vtensor<[7],si64>
// CHECK: torch.vtensor.literal
// CHECK: torch.aten.remainder.Tensor{{.*}} -> !torch.vtensor<[7],si64>
// CHECK: torch.aten.sub.Scalar{{.*}} -> !torch.vtensor<[7],si64>
// CHECK: torch.aten.abs{{.*}} -> !torch.vtensor<[7],si64>
// CHECK: torch.aten.neg{{.*}} -> !torch.vtensor<[7],si64>
// CHECK: torch.aten.add.Scalar{{.*}} -> !torch.vtensor<[7],si64>
// CHECK: torch.aten.index_select{{.*}} -> !torch.vtensor<[?,7],f32>
// CHECK: return
func.func @reflect(%a0: tensor<?x4xf32>) -> tensor<?x7xf32> {
  %c0 = onnx.Constant dense<[0, 1, 0, 2]> : tensor<4xi64>
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.Pad"(%a0, %c0, %none, %none) {mode = "reflect"}
      : (tensor<?x4xf32>, tensor<4xi64>, none, none) -> tensor<?x7xf32>
  onnx.Return %y : tensor<?x7xf32>
}

// -----

// CHECK-LABEL: func.func @wrap(
// CHECK: torch.aten.arange.start_step{{.*}} -> !torch.vtensor<[7],si64>
// CHECK: torch.vtensor.literal
// CHECK: torch.aten.remainder.Tensor{{.*}} -> !torch.vtensor<[7],si64>
// CHECK: torch.aten.index_select{{.*}} -> !torch.vtensor<[?,7],f32>
// CHECK: return
func.func @wrap(%a0: tensor<?x4xf32>) -> tensor<?x7xf32> {
  %c0 = onnx.Constant dense<[0, 1, 0, 2]> : tensor<4xi64>
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.Pad"(%a0, %c0, %none, %none) {mode = "wrap"}
      : (tensor<?x4xf32>, tensor<4xi64>, none, none) -> tensor<?x7xf32>
  onnx.Return %y : tensor<?x7xf32>
}

// -----

func.func @unknown_mode(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  %c0 = onnx.Constant dense<[0, 1, 0, 2]> : tensor<4xi64>
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Pad': expected mode to be constant, edge, reflect or wrap, got 'mirror'}}
  %y = "onnx.Pad"(%a0, %c0, %none, %none) {mode = "mirror"}
      : (tensor<?x4xf32>, tensor<4xi64>, none, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
