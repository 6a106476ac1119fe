// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @sum(
// CHECK: torch.aten.convolution
// CHECK: torch.aten.permute {{.*}} -> !torch.vtensor<[?,5,3,6],f32>
// CHECK: torch.aten.add.Tensor
// CHECK: torch.aten.relu
func.func @sum(%a0: tensor<?x5x3x8xf32>, %a1: tensor<6x8x3x3xf32>, %a3: tensor<?x5x3x6xf32>) -> tensor<?x5x3x6xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.NhwcFusedConv"(%a0, %a1, %none, %a3) {activation = "Relu", pads = [1, 1, 1, 1]}
      : (tensor<?x5x3x8xf32>, tensor<6x8x3x3xf32>, none, tensor<?x5x3x6xf32>) -> tensor<?x5x3x6xf32>
  onnx.Return %y : tensor<?x5x3x6xf32>
}
