// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @known_shape(
// CHECK: torch.aten.expand{{.*}} -> !torch.vtensor<[2,?,5],f32>
// CHECK: return
func.func @known_shape(%a0: tensor<?x1xf32>) -> tensor<2x?x5xf32> {
  %c0 = onnx.Constant dense<[2, 1, 5]> : tensor<3xi64>
  %y = "onnx.Expand"(%a0, %c0)
      : (tensor<?x1xf32>, tensor<3xi64>) -> tensor<2x?x5xf32>
  onnx.Return %y : tensor<2x?x5xf32>
}
