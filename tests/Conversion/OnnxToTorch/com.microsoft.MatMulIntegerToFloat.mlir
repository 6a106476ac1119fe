// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @columns(
// CHECK: torch.aten.matmul {{.*}} -> !torch.vtensor<[?,3,4],si32>
// CHECK: torch.aten.mul.Tensor
// CHECK: torch.aten.add.Tensor
func.func @columns(%a: tensor<?x3x8xui8>, %b: tensor<8x4xui8>, %as: tensor<f32>, %bs: tensor<4xf32>, %az: tensor<ui8>, %c: tensor<4xf32>) -> tensor<?x3x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.MatMulIntegerToFloat"(%a, %b, %as, %bs, %az, %none, %c)
      : (tensor<?x3x8xui8>, tensor<8x4xui8>, tensor<f32>, tensor<4xf32>, tensor<ui8>, none, tensor<4xf32>) -> tensor<?x3x4xf32>
  onnx.Return %y : tensor<?x3x4xf32>
}
