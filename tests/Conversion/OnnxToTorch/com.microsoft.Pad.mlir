// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @edge(
// CHECK: torch.aten.index_select
func.func @edge(%a0: tensor<?x8xf32>) -> tensor<?x11xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %a1 = "onnx.Constant"() {value = dense<[0, 1, 0, 2]> : tensor<4xi64>} : () -> tensor<4xi64>
  %y = "onnx.com.microsoft.Pad"(%a0, %a1, %none) {mode = "edge"}
      : (tensor<?x8xf32>, tensor<4xi64>, none) -> tensor<?x11xf32>
  onnx.Return %y : tensor<?x11xf32>
}

// -----

// CHECK-LABEL: func.func @constant(
// CHECK: torch.aten.constant_pad_nd
func.func @constant(%a0: tensor<?x8xf32>, %a2: tensor<f32>) -> tensor<?x11xf32> {
  %a1 = "onnx.Constant"() {value = dense<[0, 1, 0, 2]> : tensor<4xi64>} : () -> tensor<4xi64>
  %y = "onnx.com.microsoft.Pad"(%a0, %a1, %a2)
      : (tensor<?x8xf32>, tensor<4xi64>, tensor<f32>) -> tensor<?x11xf32>
  onnx.Return %y : tensor<?x11xf32>
}

// -----

func.func @mode(%a0: tensor<?x8xf32>) -> tensor<?x11xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %a1 = "onnx.Constant"() {value = dense<[0, 1, 0, 2]> : tensor<4xi64>} : () -> tensor<4xi64>
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.Pad': expected mode to be constant, edge, reflect or wrap, got 'mirror'}}
  %y = "onnx.com.microsoft.Pad"(%a0, %a1, %none) {mode = "mirror"}
      : (tensor<?x8xf32>, tensor<4xi64>, none) -> tensor<?x11xf32>
  onnx.Return %y : tensor<?x11xf32>
}
