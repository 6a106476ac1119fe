// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @f32(
// CHECK: torch.aten.mul.Tensor
// CHECK: torch.aten.add.Tensor
func.func @f32(%a0: tensor<?x3x8xf32>, %a1: tensor<?x3x8xf32>, %a2: tensor<?x3x1xf32>) -> tensor<?x3x8xf32> {
  %y = "onnx.com.microsoft.GatedAdd"(%a0, %a1, %a2)
      : (tensor<?x3x8xf32>, tensor<?x3x8xf32>, tensor<?x3x1xf32>) -> tensor<?x3x8xf32>
  onnx.Return %y : tensor<?x3x8xf32>
}
