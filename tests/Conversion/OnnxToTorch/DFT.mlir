// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// A last dim of size 1 means real numbers, and half of their spectrum determines all of it.
// CHECK-LABEL: func.func @onesided(
// CHECK-SAME:    %[[X:.*]]: !torch.vtensor<[?,16,1],f32>
// CHECK: %[[REAL:.*]] = torch.aten.select.int %[[X]],
// CHECK: %[[Y:.*]] = torch.aten.fft_rfft %[[REAL]], {{.*}} -> !torch.vtensor<[?,9],complex<f32>>
// CHECK: torch.aten.view_as_real %[[Y]] : {{.*}} -> !torch.vtensor<[?,9,2],f32>
func.func @onesided(%x: tensor<?x16x1xf32>) -> tensor<?x9x2xf32> {
  %none = "onnx.NoValue"() : () -> none
  %y = "onnx.DFT"(%x, %none, %none) {onesided = 1 : si64} : (tensor<?x16x1xf32>, none, none) -> tensor<?x9x2xf32>
  onnx.Return %y : tensor<?x9x2xf32>
}

// -----

// CHECK-LABEL: func.func @inverse_along_an_axis(
// CHECK-DAG: %[[LENGTH:.*]] = torch.constant.int 8
// CHECK-DAG: %[[AXIS:.*]] = torch.constant.int 0
// CHECK: %[[NUMBERS:.*]] = torch.aten.view_as_complex
// CHECK: torch.aten.fft_ifft %[[NUMBERS]], %[[LENGTH]], %[[AXIS]], {{.*}} -> !torch.vtensor<[8,?],complex<f64>>
// CHECK: torch.aten.view_as_real {{.*}} -> !torch.vtensor<[8,?,2],f64>
func.func @inverse_along_an_axis(%x: tensor<6x?x2xf64>) -> tensor<8x?x2xf64> {
  %length = onnx.Constant dense<8> : tensor<i64>
  %axis = onnx.Constant dense<0> : tensor<i64>
  %y = "onnx.DFT"(%x, %length, %axis) {inverse = 1 : si64} : (tensor<6x?x2xf64>, tensor<i64>, tensor<i64>) -> tensor<8x?x2xf64>
  onnx.Return %y : tensor<8x?x2xf64>
}

// -----

// Half of a spectrum is transformed to a real signal.
// CHECK-LABEL: func.func @to_real(
// CHECK: torch.aten.fft_irfft {{.*}} -> !torch.vtensor<[3,16],f32>
// CHECK: return {{.*}} : !torch.vtensor<[3,16,1],f32>
func.func @to_real(%x: tensor<3x9x2xf32>) -> tensor<3x16x1xf32> {
  %none = "onnx.NoValue"() : () -> none
  %y = "onnx.DFT"(%x, %none, %none) {inverse = 1 : si64, onesided = 1 : si64} : (tensor<3x9x2xf32>, none, none) -> tensor<3x16x1xf32>
  onnx.Return %y : tensor<3x16x1xf32>
}

// -----

func.func @no_parts(%x: tensor<3x9x4xf32>) -> tensor<3x9x4xf32> {
  %none = "onnx.NoValue"() : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.DFT': expected a last dim of 1 or 2 parts of a number, got '!torch.vtensor<[3,9,4],f32>'}}
  %y = "onnx.DFT"(%x, %none, %none) : (tensor<3x9x4xf32>, none, none) -> tensor<3x9x4xf32>
  onnx.Return %y : tensor<3x9x4xf32>
}

// -----

func.func @last_axis(%x: tensor<3x9x2xf32>) -> tensor<3x9x2xf32> {
  %none = "onnx.NoValue"() : () -> none
  %axis = onnx.Constant dense<2> : tensor<i64>
  // expected-error @below {{no lowering to torch for 'onnx.DFT': expected an axis before the last one, got 2}}
  %y = "onnx.DFT"(%x, %none, %axis) : (tensor<3x9x2xf32>, none, tensor<i64>) -> tensor<3x9x2xf32>
  onnx.Return %y : tensor<3x9x2xf32>
}
