// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @columns(
// CHECK: torch.aten.amax
// CHECK: torch.aten.amin
// CHECK: torch.aten.round
// CHECK: torch.aten.matmul {{.*}} -> !torch.vtensor<[?,3,4],si32>
// CHECK: torch.aten.add.Tensor
func.func @columns(%x: tensor<?x3x8xf32>, %b: tensor<8x4xi8>, %s: tensor<4xf32>, %z: tensor<4xi8>, %c: tensor<4xf32>) -> tensor<?x3x4xf32> {
  %y = "onnx.com.microsoft.DynamicQuantizeMatMul"(%x, %b, %s, %z, %c)
      : (tensor<?x3x8xf32>, tensor<8x4xi8>, tensor<4xf32>, tensor<4xi8>, tensor<4xf32>) -> tensor<?x3x4xf32>
  onnx.Return %y : tensor<?x3x4xf32>
}
