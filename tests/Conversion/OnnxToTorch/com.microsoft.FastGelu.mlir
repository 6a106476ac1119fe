// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @no_bias(
// CHECK: torch.constant.str "tanh"
// CHECK: torch.aten.gelu %
func.func @no_bias(%x: tensor<?x3x8xf32>) -> tensor<?x3x8xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.FastGelu"(%x, %none)
      : (tensor<?x3x8xf32>, none) -> tensor<?x3x8xf32>
  onnx.Return %y : tensor<?x3x8xf32>
}

// -----

// CHECK-LABEL: func.func @bias(
// CHECK: torch.aten.add.Tensor
// CHECK: torch.constant.str "tanh"
// CHECK: torch.aten.gelu
func.func @bias(%x: tensor<?x3x8xf32>, %b: tensor<8xf32>) -> tensor<?x3x8xf32> {
  %y = "onnx.com.microsoft.FastGelu"(%x, %b)
      : (tensor<?x3x8xf32>, tensor<8xf32>) -> tensor<?x3x8xf32>
  onnx.Return %y : tensor<?x3x8xf32>
}
