// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @erf(
// CHECK: torch.constant.str "none"
// CHECK: torch.aten.gelu
func.func @erf(%x: tensor<?x3x8xf32>) -> tensor<?x3x8xf32> {
  %y = "onnx.com.microsoft.Gelu"(%x)
      : (tensor<?x3x8xf32>) -> tensor<?x3x8xf32>
  onnx.Return %y : tensor<?x3x8xf32>
}
