// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @first(
// CHECK: torch.aten.argmax{{.*}} -> !torch.vtensor<[?,1],si64>
// CHECK: return
func.func @first(%a0: tensor<?x4xf32>) -> tensor<?x1xi64> {
  %y = "onnx.ArgMax"(%a0) {axis = 1 : si64}
      : (tensor<?x4xf32>) -> tensor<?x1xi64>
  onnx.Return %y : tensor<?x1xi64>
}

// -----

// CHECK-LABEL: func.func @last(
// CHECK: torch.aten.flip{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.argmax{{.*}} -> !torch.vtensor<[?],si64>
// CHECK: torch.aten.neg{{.*}} -> !torch.vtensor<[?],si64>
// CHECK: torch.aten.add.Scalar{{.*}} -> !torch.vtensor<[?],si64>
// CHECK: return
func.func @last(%a0: tensor<?x4xf32>) -> tensor<?xi64> {
  %y = "onnx.ArgMax"(%a0) {axis = 1 : si64, keepdims = 0 : si64, select_last_index = 1 : si64}
      : (tensor<?x4xf32>) -> tensor<?xi64>
  onnx.Return %y : tensor<?xi64>
}
