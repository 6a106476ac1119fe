// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @linear(
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[2,1,1,1],si64>
// CHECK: torch.aten.expand{{.*}} -> !torch.vtensor<[2,3,1,5],si64>
// CHECK: torch.aten.scatter.src{{.*}} -> !torch.vtensor<[2,3,4,5],f32>
func.func @linear(%cache: tensor<2x3x4x5xf32>, %update: tensor<2x3x1x5xf32>, %at: tensor<2xi64>) -> tensor<2x3x4x5xf32> {
  %y = "onnx.TensorScatter"(%cache, %update, %at) : (tensor<2x3x4x5xf32>, tensor<2x3x1x5xf32>, tensor<2xi64>) -> tensor<2x3x4x5xf32>
  onnx.Return %y : tensor<2x3x4x5xf32>
}

// -----

// CHECK-LABEL: func.func @circular(
// CHECK-NOT: torch.aten.add.Tensor
// CHECK: torch.aten.remainder.Tensor
// CHECK: torch.aten.scatter.src
func.func @circular(%cache: tensor<2x4x5xf32>, %update: tensor<2x?x5xf32>) -> tensor<2x4x5xf32> {
  %none = "onnx.NoValue"() : () -> none
  %y = "onnx.TensorScatter"(%cache, %update, %none) {mode = "circular", axis = 1 : si64} : (tensor<2x4x5xf32>, tensor<2x?x5xf32>, none) -> tensor<2x4x5xf32>
  onnx.Return %y : tensor<2x4x5xf32>
}

// -----

func.func @along_the_batch(%cache: tensor<2x5xf32>, %update: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %none = "onnx.NoValue"() : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.TensorScatter': expected an axis other than that of the batch, got 0}}
  %y = "onnx.TensorScatter"(%cache, %update, %none) : (tensor<2x5xf32>, tensor<2x5xf32>, none) -> tensor<2x5xf32>
  onnx.Return %y : tensor<2x5xf32>
}

// -----

func.func @unknown_mode(%cache: tensor<2x4x5xf32>, %update: tensor<2x1x5xf32>) -> tensor<2x4x5xf32> {
  %none = "onnx.NoValue"() : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.TensorScatter': expected mode to be linear or circular, got 'zigzag'}}
  %y = "onnx.TensorScatter"(%cache, %update, %none) {mode = "zigzag"} : (tensor<2x4x5xf32>, tensor<2x1x5xf32>, none) -> tensor<2x4x5xf32>
  onnx.Return %y : tensor<2x4x5xf32>
}

// -----

func.func @update_of_another_rank(%a0: tensor<2x?x4xf32>, %a1: tensor<2x4xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.TensorScatter': expected 'update' of rank 3 beside 'past_cache', got rank 2: '!torch.vtensor<[2,4],f32>'}}
  %y = "onnx.TensorScatter"(%a0, %a1, %none)
      : (tensor<2x?x4xf32>, tensor<2x4xf32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @scalar_indices(%a0: tensor<2x?x4xf32>, %a1: tensor<2x1x4xf32>, %a2: tensor<i64>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.TensorScatter': expected 'write_indices' of rank 1, got rank 0: '!torch.vtensor<[],si64>'}}
  %y = "onnx.TensorScatter"(%a0, %a1, %a2)
      : (tensor<2x?x4xf32>, tensor<2x1x4xf32>, tensor<i64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
