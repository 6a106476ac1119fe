// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @integers(
// CHECK: %[[U:.*]] = torch.aten.rand{{.*}} -> !torch.vtensor<[?,3],f32>
// CHECK: torch.aten.lt.Tensor %[[U]]
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[?,3],si32>
func.func @integers(%x: tensor<?x3xf32>) -> tensor<?x3xi32> {
  %y = "onnx.Bernoulli"(%x) {dtype = 6 : si64, seed = 5.0 : f32} : (tensor<?x3xf32>) -> tensor<?x3xi32>
  onnx.Return %y : tensor<?x3xi32>
}

// -----

func.func @unknown_dtype(%x: tensor<?x3xf32>) -> tensor<*x!onnx.Unknown> {
  // expected-error @below {{no lowering to torch for 'onnx.Bernoulli': expected a dtype that torch has, got 'tensor<*x!onnx.Unknown>'}}
  %y = "onnx.Bernoulli"(%x) {dtype = 99 : si64} : (tensor<?x3xf32>) -> tensor<*x!onnx.Unknown>
  onnx.Return %y : tensor<*x!onnx.Unknown>
}
