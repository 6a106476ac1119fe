// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @euclidean(
// CHECK: torch.aten.sub.Tensor
// CHECK: torch.aten.sum.dim_IntList
// CHECK: torch.aten.sqrt
func.func @euclidean(%a: tensor<?x8xf32>, %b: tensor<4x8xf32>) -> tensor<?x4xf32> {
  %y = "onnx.com.microsoft.CDist"(%a, %b) {metric = "euclidean"} : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

func.func @metric(%a: tensor<?x8xf32>, %b: tensor<4x8xf32>) -> tensor<?x4xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.CDist': expected a metric of euclidean or sqeuclidean, got cityblock}}
  %y = "onnx.com.microsoft.CDist"(%a, %b) {metric = "cityblock"} : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
