// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @last(
// CHECK: torch.aten.unsqueeze
func.func @last(%x: tensor<?x3xf32>) -> tensor<?x3x1xf32> {
  %axis = onnx.Constant dense<-1> : tensor<i32>
  %y = "onnx.com.microsoft.ExpandDims"(%x, %axis) : (tensor<?x3xf32>, tensor<i32>) -> tensor<?x3x1xf32>
  onnx.Return %y : tensor<?x3x1xf32>
}

// -----

func.func @axis(%x: tensor<?x3xf32>) -> tensor<?x3x1xf32> {
  %axis = onnx.Constant dense<3> : tensor<i32>
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.ExpandDims': expected an axis in [-3, 2], got 3}}
  %y = "onnx.com.microsoft.ExpandDims"(%x, %axis) : (tensor<?x3xf32>, tensor<i32>) -> tensor<?x3x1xf32>
  onnx.Return %y : tensor<?x3x1xf32>
}
