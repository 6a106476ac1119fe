// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @known(
// CHECK: torch.vtensor.literal({{.*}}) : !torch.vtensor<[9,8],f32>
func.func @known() -> tensor<9x8xf32> {
  %bins = onnx.Constant dense<8> : tensor<i64>
  %length = onnx.Constant dense<16> : tensor<i64>
  %rate = onnx.Constant dense<8192> : tensor<i64>
  %low = onnx.Constant dense<0.0> : tensor<f32>
  %high = onnx.Constant dense<4096.0> : tensor<f32>
  %y = "onnx.MelWeightMatrix"(%bins, %length, %rate, %low, %high)
      : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<9x8xf32>
  onnx.Return %y : tensor<9x8xf32>
}

// -----

func.func @run_time_edges(%low: tensor<f32>) -> tensor<9x8xf32> {
  %bins = onnx.Constant dense<8> : tensor<i64>
  %length = onnx.Constant dense<16> : tensor<i64>
  %rate = onnx.Constant dense<8192> : tensor<i64>
  // expected-error @below {{no lowering to torch for 'onnx.MelWeightMatrix': expected edges to be known while compiling, got values known at run time only}}
  %y = "onnx.MelWeightMatrix"(%bins, %length, %rate, %low, %low)
      : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<9x8xf32>
  onnx.Return %y : tensor<9x8xf32>
}

// -----

func.func @beyond_the_spectrum() -> tensor<9x8xf32> {
  %bins = onnx.Constant dense<8> : tensor<i64>
  %length = onnx.Constant dense<16> : tensor<i64>
  %rate = onnx.Constant dense<8192> : tensor<i64>
  %low = onnx.Constant dense<0.0> : tensor<f32>
  %high = onnx.Constant dense<40960.0> : tensor<f32>
  // expected-error @below {{no lowering to torch for 'onnx.MelWeightMatrix': expected edges inside a spectrum of 9 bins, got one at bin}}
  %y = "onnx.MelWeightMatrix"(%bins, %length, %rate, %low, %high)
      : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<9x8xf32>
  onnx.Return %y : tensor<9x8xf32>
}

// -----

func.func @too_many_bins() -> tensor<*xf32> {
  %bins = onnx.Constant dense<100000> : tensor<i64>
  %length = onnx.Constant dense<16> : tensor<i64>
  %edge = onnx.Constant dense<0.0> : tensor<f32>
  // expected-error @below {{no lowering to torch for 'onnx.MelWeightMatrix': expected num_mel_bins and dft_length in [0, 65536] and a sample_rate of 1 or more, got 100000, 16 and 16}}
  %y = "onnx.MelWeightMatrix"(%bins, %length, %length, %edge, %edge)
      : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
