// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @alpha(
// CHECK: torch.aten.mul.Scalar
// CHECK: torch.aten.silu
func.func @alpha(%a0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.ScaledSiLU"(%a0, %none) {alpha = 1.5 : f32}
      : (tensor<?x8xf32>, none) -> tensor<?x8xf32>
  onnx.Return %y : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func.func @scale(
// CHECK: torch.aten.mul.Tensor
// CHECK: torch.aten.silu {{.*}} -> !torch.vtensor<[?,8],f16>
func.func @scale(%a0: tensor<?x8xf16>, %a1: tensor<f32>) -> tensor<?x8xf16> {
  %y = "onnx.com.microsoft.ScaledSiLU"(%a0, %a1)
      : (tensor<?x8xf16>, tensor<f32>) -> tensor<?x8xf16>
  onnx.Return %y : tensor<?x8xf16>
}
