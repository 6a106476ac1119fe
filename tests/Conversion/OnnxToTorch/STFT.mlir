// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @window(
// CHECK: torch.aten.index.Tensor{{.*}} -> !torch.vtensor<[2,15,16,1],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[2,15,16,1],f32>
// CHECK: torch.aten.fft_rfft {{.*}} -> !torch.vtensor<[2,15,9],complex<f32>>
func.func @window(%x: tensor<2x128x1xf32>, %window: tensor<16xf32>) -> tensor<2x15x9x2xf32> {
  %none = "onnx.NoValue"() : () -> none
  %step = onnx.Constant dense<8> : tensor<i64>
  %y = "onnx.STFT"(%x, %step, %window, %none) : (tensor<2x128x1xf32>, tensor<i64>, tensor<16xf32>, none) -> tensor<2x15x9x2xf32>
  onnx.Return %y : tensor<2x15x9x2xf32>
}

// -----

// CHECK-LABEL: func.func @no_window(
// CHECK: torch.aten.index.Tensor{{.*}} -> !torch.vtensor<[2,?,16,2],f32>
// CHECK: torch.aten.fft_fft {{.*}} -> !torch.vtensor<[2,?,16],complex<f32>>
func.func @no_window(%x: tensor<2x?x2xf32>) -> tensor<2x?x16x2xf32> {
  %none = "onnx.NoValue"() : () -> none
  %step = onnx.Constant dense<8> : tensor<i64>
  %length = onnx.Constant dense<16> : tensor<i64>
  %y = "onnx.STFT"(%x, %step, %none, %length) {onesided = 0 : si64}
      : (tensor<2x?x2xf32>, tensor<i64>, none, tensor<i64>) -> tensor<2x?x16x2xf32>
  onnx.Return %y : tensor<2x?x16x2xf32>
}

// -----

// onnxruntime takes a real signal without a dim for its parts.
// CHECK-LABEL: func.func @real(
// CHECK: torch.aten.unsqueeze{{.*}} -> !torch.vtensor<[2,128,1],f32>
// CHECK: torch.aten.fft_rfft {{.*}} -> !torch.vtensor<[2,15,9],complex<f32>>
func.func @real(%x: tensor<2x128xf32>, %window: tensor<16xf32>) -> tensor<2x15x9x2xf32> {
  %none = "onnx.NoValue"() : () -> none
  %step = onnx.Constant dense<8> : tensor<i64>
  %y = "onnx.STFT"(%x, %step, %window, %none) : (tensor<2x128xf32>, tensor<i64>, tensor<16xf32>, none) -> tensor<2x15x9x2xf32>
  onnx.Return %y : tensor<2x15x9x2xf32>
}

// -----

func.func @no_batch(%x: tensor<128xf32>, %window: tensor<16xf32>) -> tensor<15x9x2xf32> {
  %none = "onnx.NoValue"() : () -> none
  %step = onnx.Constant dense<8> : tensor<i64>
  // expected-error @below {{no lowering to torch for 'onnx.STFT': expected 'signal' of [B, L, _] or [B, L], got '!torch.vtensor<[128],f32>'}}
  %y = "onnx.STFT"(%x, %step, %window, %none) : (tensor<128xf32>, tensor<i64>, tensor<16xf32>, none) -> tensor<15x9x2xf32>
  onnx.Return %y : tensor<15x9x2xf32>
}

// -----

func.func @window_of_rank_2(%x: tensor<2x128x1xf32>, %window: tensor<16x1xf32>) -> tensor<2x15x9x2xf32> {
  %none = "onnx.NoValue"() : () -> none
  %step = onnx.Constant dense<8> : tensor<i64>
  // expected-error @below {{no lowering to torch for 'onnx.STFT': expected 'window' of rank 1, got rank 2: '!torch.vtensor<[16,1],f32>'}}
  %y = "onnx.STFT"(%x, %step, %window, %none) : (tensor<2x128x1xf32>, tensor<i64>, tensor<16x1xf32>, none) -> tensor<2x15x9x2xf32>
  onnx.Return %y : tensor<2x15x9x2xf32>
}
