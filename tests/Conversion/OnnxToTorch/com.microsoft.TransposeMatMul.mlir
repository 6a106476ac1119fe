// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @alpha(
// CHECK: torch.aten.permute
// CHECK: torch.aten.permute
// CHECK: torch.aten.matmul
// CHECK: torch.aten.mul.Scalar
func.func @alpha(%a: tensor<8x?xf32>, %b: tensor<4x8xf32>) -> tensor<?x4xf32> {
  %y = "onnx.com.microsoft.TransposeMatMul"(%a, %b) {alpha = 0.25 : f32, transA = 1 : si64, transB = 1 : si64}
      : (tensor<8x?xf32>, tensor<4x8xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
