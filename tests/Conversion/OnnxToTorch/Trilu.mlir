// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @upper(
// CHECK: torch.aten.triu{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @upper(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.Trilu"(%a0, %none)
      : (tensor<?x4xf32>, none) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @lower(
// CHECK: torch.aten.tril{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @lower(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = onnx.Constant dense<1> : tensor<i64>
  %y = "onnx.Trilu"(%a0, %c0) {upper = 0 : si64}
      : (tensor<?x4xf32>, tensor<i64>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
