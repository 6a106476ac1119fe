// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @batched(
// CHECK: torch.aten.arange.start_step{{.*}} -> !torch.vtensor<[?],si64>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?],si64>
// CHECK: torch.aten.select.int{{.*}} -> !torch.vtensor<[?],si64>
// CHECK: torch.aten.index.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @batched(%a0: tensor<?x3x4xf32>, %a1: tensor<?x1xi64>) -> tensor<?x4xf32> {
  %y = "onnx.GatherND"(%a0, %a1) {batch_dims = 1 : si64}
      : (tensor<?x3x4xf32>, tensor<?x1xi64>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

func.func @unknown_depth(%a0: tensor<?x4xf32>, %a1: tensor<2x?xi64>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.GatherND': expected the last dim of the indices to be known while compiling, got '!torch.vtensor<[2,?],si64>'}}
  %y = "onnx.GatherND"(%a0, %a1)
      : (tensor<?x4xf32>, tensor<2x?xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @negative_batch(%a0: tensor<?x4xf32>, %a1: tensor<?x1xi64>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.GatherND': expected batch_dims of 0 or more, got -9223372036854775808}}
  %y = "onnx.GatherND"(%a0, %a1) {batch_dims = -9223372036854775808 : si64}
      : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @scalar_indices(%a0: tensor<4x?xf32>, %a1: tensor<i64>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.GatherND': expected 'indices' of rank 1 or more, got rank 0: '!torch.vtensor<[],si64>'}}
  %y = "onnx.GatherND"(%a0, %a1)
      : (tensor<4x?xf32>, tensor<i64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
