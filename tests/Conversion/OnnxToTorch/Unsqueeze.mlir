// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @two_axes(
// CHECK: torch.aten.unsqueeze{{.*}} -> !torch.vtensor<[1,?,4],f32>
// CHECK: torch.aten.unsqueeze{{.*}} -> !torch.vtensor<[1,?,4,1],f32>
// CHECK: return
func.func @two_axes(%a0: tensor<?x4xf32>) -> tensor<1x?x4x1xf32> {
  %c0 = onnx.Constant dense<[0, -1]> : tensor<2xi64>
  %y = "onnx.Unsqueeze"(%a0, %c0)
      : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<1x?x4x1xf32>
  onnx.Return %y : tensor<1x?x4x1xf32>
}
