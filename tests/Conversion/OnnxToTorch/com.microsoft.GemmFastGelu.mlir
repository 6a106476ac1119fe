// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @bias(
// CHECK: torch.aten.matmul
// CHECK: torch.aten.add.Tensor
// CHECK: %[[TANH:.*]] = torch.constant.str "tanh"
// CHECK: torch.aten.gelu %{{.*}}, %[[TANH]]
func.func @bias(%a0: tensor<?x3x8xf32>, %a1: tensor<8x4xf32>, %a2: tensor<4xf32>) -> tensor<?x3x4xf32> {
  %y = "onnx.com.microsoft.GemmFastGelu"(%a0, %a1, %a2)
      : (tensor<?x3x8xf32>, tensor<8x4xf32>, tensor<4xf32>) -> tensor<?x3x4xf32>
  onnx.Return %y : tensor<?x3x4xf32>
}
