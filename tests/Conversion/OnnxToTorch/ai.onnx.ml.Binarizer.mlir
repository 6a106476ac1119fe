// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @threshold(
// CHECK: torch.constant.float 2.500000e-01
// CHECK: torch.aten.gt.Scalar
func.func @threshold(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y = "onnx.ai.onnx.ml.Binarizer"(%x) {threshold = 0.25 : f32} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}
