// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @columns(
// CHECK: torch.aten.view
// CHECK: torch.aten.index_select
func.func @columns(%x: tensor<?x3xf32>, %places: tensor<1x2xi64>) -> tensor<?x2xf32> {
  %y = "onnx.ai.onnx.ml.ArrayFeatureExtractor"(%x, %places) : (tensor<?x3xf32>, tensor<1x2xi64>) -> tensor<?x2xf32>
  onnx.Return %y : tensor<?x2xf32>
}

// -----

// CHECK-LABEL: func.func @vector(
// CHECK: torch.aten.unsqueeze
// CHECK: torch.aten.index_select
func.func @vector(%x: tensor<3xi64>, %places: tensor<2xi64>) -> tensor<1x2xi64> {
  %y = "onnx.ai.onnx.ml.ArrayFeatureExtractor"(%x, %places) : (tensor<3xi64>, tensor<2xi64>) -> tensor<1x2xi64>
  onnx.Return %y : tensor<1x2xi64>
}

// -----

func.func @scalar(%x: tensor<f32>, %places: tensor<2xi64>) -> tensor<1x2xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.ArrayFeatureExtractor': expected 'X' of rank 1 or more, got rank 0: '!torch.vtensor<[],f32>'}}
  %y = "onnx.ai.onnx.ml.ArrayFeatureExtractor"(%x, %places) : (tensor<f32>, tensor<2xi64>) -> tensor<1x2xf32>
  onnx.Return %y : tensor<1x2xf32>
}
