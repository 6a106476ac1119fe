// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @alpha(
// CHECK: torch.constant.float 1.500000e+00
// CHECK: torch.aten.mul.Scalar
// CHECK: torch.aten.sigmoid
// CHECK: torch.aten.mul.Tensor
func.func @alpha(%x: tensor<?x3x8xf32>) -> tensor<?x3x8xf32> {
  %y = "onnx.com.microsoft.QuickGelu"(%x) {alpha = 1.5 : f32}
      : (tensor<?x3x8xf32>) -> tensor<?x3x8xf32>
  onnx.Return %y : tensor<?x3x8xf32>
}
