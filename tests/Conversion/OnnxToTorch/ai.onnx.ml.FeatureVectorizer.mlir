// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @widths(
// CHECK: torch.aten.slice.Tensor
// CHECK: torch.aten.constant_pad_nd
// CHECK: torch.aten.cat
func.func @widths(%a: tensor<?x3xf32>, %b: tensor<?x2xf32>) -> tensor<?x6xf32> {
  %y = "onnx.ai.onnx.ml.FeatureVectorizer"(%a, %b) {inputdimensions = [2, 4]}
      : (tensor<?x3xf32>, tensor<?x2xf32>) -> tensor<?x6xf32>
  onnx.Return %y : tensor<?x6xf32>
}

// -----

func.func @no_widths(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.FeatureVectorizer': expected a number in inputdimensions for each of 1 inputs, got 0}}
  %y = "onnx.ai.onnx.ml.FeatureVectorizer"(%x) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

func.func @open_columns(%x: tensor<?x?xf32>) -> tensor<?x3xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.FeatureVectorizer': expected a number of columns that is known while compiling and inputdimensions of at least 0, got '!torch.vtensor<[?,?],f32>' and 3}}
  %y = "onnx.ai.onnx.ml.FeatureVectorizer"(%x) {inputdimensions = [3]} : (tensor<?x?xf32>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}
