// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @ohwi(
// CHECK: torch.aten.permute {{.*}} -> !torch.vtensor<[6,8,3,3],f32>
// CHECK: torch.aten.permute {{.*}} -> !torch.vtensor<[?,8,5,3],f32>
// CHECK: torch.aten.convolution
// CHECK: torch.aten.permute {{.*}} -> !torch.vtensor<[?,5,3,6],f32>
func.func @ohwi(%a0: tensor<?x5x3x8xf32>, %a1: tensor<6x3x3x8xf32>, %a2: tensor<6xf32>) -> tensor<?x5x3x6xf32> {
  %y = "onnx.com.microsoft.NhwcConv"(%a0, %a1, %a2) {pads = [1, 1, 1, 1]}
      : (tensor<?x5x3x8xf32>, tensor<6x3x3x8xf32>, tensor<6xf32>) -> tensor<?x5x3x6xf32>
  onnx.Return %y : tensor<?x5x3x6xf32>
}
