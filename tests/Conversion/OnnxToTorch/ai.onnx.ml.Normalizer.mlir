// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @max(
// CHECK: torch.aten.amax
// CHECK: torch.aten.div.Tensor
func.func @max(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y = "onnx.ai.onnx.ml.Normalizer"(%x) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

// CHECK-LABEL: func.func @l1(
// CHECK: torch.aten.abs
// CHECK: torch.aten.sum.dim_IntList
func.func @l1(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y = "onnx.ai.onnx.ml.Normalizer"(%x) {norm = "L1"} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

// CHECK-LABEL: func.func @l2(
// CHECK: torch.aten.mul.Tensor
// CHECK: torch.aten.sqrt
func.func @l2(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y = "onnx.ai.onnx.ml.Normalizer"(%x) {norm = "L2"} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

func.func @unknown(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.Normalizer': expected a norm of MAX, L1 or L2, got L3}}
  %y = "onnx.ai.onnx.ml.Normalizer"(%x) {norm = "L3"} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}
