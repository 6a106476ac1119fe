// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @counts(
// CHECK: torch.aten.sort.stable
// CHECK: torch.aten.nonzero
func.func @counts(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi64>, tensor<?xi64>) {
  %y:3 = "onnx.com.microsoft.Unique"(%x) : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi64>, tensor<?xi64>)
  onnx.Return %y#0, %y#1, %y#2 : tensor<?xf32>, tensor<?xi64>, tensor<?xi64>
}
