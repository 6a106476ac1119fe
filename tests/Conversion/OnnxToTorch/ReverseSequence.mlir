// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @time_first(
// CHECK: torch.aten.lt.Tensor{{.*}} -> !torch.vtensor<[?,4],i1>
// CHECK: torch.aten.index.Tensor{{.*}} -> !torch.vtensor<[?,4,3],f32>
func.func @time_first(%x: tensor<?x4x3xf32>, %lengths: tensor<4xi64>) -> tensor<?x4x3xf32> {
  %y = "onnx.ReverseSequence"(%x, %lengths) : (tensor<?x4x3xf32>, tensor<4xi64>) -> tensor<?x4x3xf32>
  onnx.Return %y : tensor<?x4x3xf32>
}

// -----

// CHECK-LABEL: func.func @batch_first(
// CHECK: torch.aten.lt.Tensor{{.*}} -> !torch.vtensor<[4,5],i1>
// CHECK: torch.aten.index.Tensor{{.*}} -> !torch.vtensor<[4,5],si64>
func.func @batch_first(%x: tensor<4x5xi64>, %lengths: tensor<4xi64>) -> tensor<4x5xi64> {
  %y = "onnx.ReverseSequence"(%x, %lengths) {batch_axis = 0 : si64, time_axis = 1 : si64} : (tensor<4x5xi64>, tensor<4xi64>) -> tensor<4x5xi64>
  onnx.Return %y : tensor<4x5xi64>
}

// -----

func.func @equal_axes(%x: tensor<4x5xi64>, %lengths: tensor<4xi64>) -> tensor<4x5xi64> {
  // expected-error @below {{no lowering to torch for 'onnx.ReverseSequence': expected axes 0 and 1, got 1 and 1}}
  %y = "onnx.ReverseSequence"(%x, %lengths) {batch_axis = 1 : si64, time_axis = 1 : si64} : (tensor<4x5xi64>, tensor<4xi64>) -> tensor<4x5xi64>
  onnx.Return %y : tensor<4x5xi64>
}

// -----

func.func @no_such_axis(%x: tensor<4x5xi64>, %lengths: tensor<4xi64>) -> tensor<4x5xi64> {
  // expected-error @below {{no lowering to torch for 'onnx.ReverseSequence': expected axes 0 and 1, got 1 and 9223372036854775807}}
  %y = "onnx.ReverseSequence"(%x, %lengths) {batch_axis = 1 : si64, time_axis = 9223372036854775807 : si64} : (tensor<4x5xi64>, tensor<4xi64>) -> tensor<4x5xi64>
  onnx.Return %y : tensor<4x5xi64>
}

// -----

func.func @scalar_lengths(%a0: tensor<4x?xf32>, %a1: tensor<i64>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ReverseSequence': expected 'sequence_lens' of rank 1, got rank 0: '!torch.vtensor<[],si64>'}}
  %y = "onnx.ReverseSequence"(%a0, %a1)
      : (tensor<4x?xf32>, tensor<i64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
