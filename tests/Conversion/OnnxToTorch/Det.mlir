// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @batch(
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,3,3],f32>
// CHECK-COUNT-2: torch.aten.argmax
// CHECK-NOT: torch.aten.argmax
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[2,?],f32>
func.func @batch(%x: tensor<2x?x3x3xf32>) -> tensor<2x?xf32> {
  %y = "onnx.Det"(%x) : (tensor<2x?x3x3xf32>) -> tensor<2x?xf32>
  onnx.Return %y : tensor<2x?xf32>
}

// -----

// CHECK-LABEL: func.func @one(
// CHECK-NOT: torch.aten.argmax
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[],f64>
func.func @one(%x: tensor<1x1xf64>) -> tensor<f64> {
  %y = "onnx.Det"(%x) : (tensor<1x1xf64>) -> tensor<f64>
  onnx.Return %y : tensor<f64>
}

// -----

func.func @rectangle(%x: tensor<2x3xf32>) -> tensor<f32> {
  // expected-error @below {{no lowering to torch for 'onnx.Det': expected dim 1 of 'X' to be 2, got 3: '!torch.vtensor<[2,3],f32>'}}
  %y = "onnx.Det"(%x) : (tensor<2x3xf32>) -> tensor<f32>
  onnx.Return %y : tensor<f32>
}
