// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @upper(
// CHECK: torch.aten.triu
func.func @upper(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.Trilu"(%x, %none) : (tensor<?x3xf32>, none) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

// CHECK-LABEL: func.func @lower(
// CHECK: torch.aten.tril
func.func @lower(%x: tensor<?x3xf32>, %k: tensor<i64>) -> tensor<?x3xf32> {
  %y = "onnx.com.microsoft.Trilu"(%x, %k) {upper = 0 : si64} : (tensor<?x3xf32>, tensor<i64>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}
