// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @last_axis(
// CHECK: torch.aten.log_softmax.int{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @last_axis(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.LogSoftmax"(%a0)
      : (tensor<?x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
