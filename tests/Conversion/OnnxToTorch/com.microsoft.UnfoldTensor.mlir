// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @last(
// CHECK: torch.aten.unfold
func.func @last(%x: tensor<?x8xf32>) -> tensor<?x3x3xf32> {
  %y = "onnx.com.microsoft.UnfoldTensor"(%x) {size = 3 : si64, step = 2 : si64} : (tensor<?x8xf32>) -> tensor<?x3x3xf32>
  onnx.Return %y : tensor<?x3x3xf32>
}

// -----

func.func @dim(%x: tensor<?x8xf32>) -> tensor<?x3x3xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.UnfoldTensor': expected an axis in [-2, 1], got 2}}
  %y = "onnx.com.microsoft.UnfoldTensor"(%x) {dim = 2 : si64, size = 3 : si64} : (tensor<?x8xf32>) -> tensor<?x3x3xf32>
  onnx.Return %y : tensor<?x3x3xf32>
}
