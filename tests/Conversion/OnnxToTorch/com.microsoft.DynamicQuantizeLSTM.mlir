// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// The input is rounded once for all steps, the state in each step.
// CHECK-LABEL: func.func @forward(
// CHECK:         torch.aten.permute{{.*}} -> !torch.vtensor<[1,16,3],f32>
// CHECK:         torch.aten.amax{{.*}}!torch.vtensor<[2,?,3],f32>
// CHECK:         torch.aten.amin{{.*}}!torch.vtensor<[2,?,3],f32>
// CHECK:         torch.aten.linear{{.*}} -> !torch.vtensor<[2,?,16],f32>
// CHECK:         torch.aten.amax{{.*}}!torch.vtensor<[?,4],f32>
// CHECK:         torch.aten.linear{{.*}} -> !torch.vtensor<[?,16],f32>
// CHECK:         torch.aten.amax{{.*}}!torch.vtensor<[?,4],f32>
// CHECK:         torch.aten.linear{{.*}} -> !torch.vtensor<[?,16],f32>
func.func @forward(%x: tensor<2x?x3xf32>, %w: tensor<1x3x16xi8>, %r: tensor<1x4x16xi8>, %s: tensor<1xf32>, %z: tensor<1xi8>) -> tensor<2x1x?x4xf32> {
  %none = "onnx.NoValue"() : () -> none
  %y, %h, %c = "onnx.com.microsoft.DynamicQuantizeLSTM"(%x, %w, %r, %none, %none, %none, %none, %none, %s, %z, %s, %z) {hidden_size = 4 : si64}
      : (tensor<2x?x3xf32>, tensor<1x3x16xi8>, tensor<1x4x16xi8>, none, none, none, none, none, tensor<1xf32>, tensor<1xi8>, tensor<1xf32>, tensor<1xi8>)
      -> (tensor<2x1x?x4xf32>, none, none)
  onnx.Return %y : tensor<2x1x?x4xf32>
}

// -----

func.func @weights_as_LSTM_has_them(%x: tensor<2x2x3xf32>, %w: tensor<1x16x3xi8>, %r: tensor<1x16x4xi8>, %s: tensor<1xf32>, %z: tensor<1xi8>) -> tensor<2x1x2x4xf32> {
  %none = "onnx.NoValue"() : () -> none
  // expected-error@+1 {{expected dim 1 of 'W' to be 3 beside 'X', got 16: '!torch.vtensor<[1,16,3],si8>'}}
  %y, %h, %c = "onnx.com.microsoft.DynamicQuantizeLSTM"(%x, %w, %r, %none, %none, %none, %none, %none, %s, %z, %s, %z) {hidden_size = 4 : si64}
      : (tensor<2x2x3xf32>, tensor<1x16x3xi8>, tensor<1x16x4xi8>, none, none, none, none, none, tensor<1xf32>, tensor<1xi8>, tensor<1xf32>, tensor<1xi8>)
      -> (tensor<2x1x2x4xf32>, none, none)
  onnx.Return %y : tensor<2x1x2x4xf32>
}
