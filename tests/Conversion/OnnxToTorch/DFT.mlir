// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// The waves of 16 places in 9 half turns; a real signal needs one product each.
// CHECK-LABEL: func.func @onesided(
// CHECK: torch.aten.remainder.Tensor{{.*}} -> !torch.vtensor<[16,9],si64>
// CHECK: torch.aten.cos
// CHECK: torch.aten.sin
// CHECK-COUNT-2: torch.aten.matmul{{.*}} -> !torch.vtensor<[?,9],f32>
// CHECK-NOT: torch.aten.matmul
// CHECK: torch.aten.cat{{.*}} -> !torch.vtensor<[?,9,2],f32>
func.func @onesided(%x: tensor<?x16x1xf32>) -> tensor<?x9x2xf32> {
  %none = "onnx.NoValue"() : () -> none
  %y = "onnx.DFT"(%x, %none, %none) {onesided = 1 : si64} : (tensor<?x16x1xf32>, none, none) -> tensor<?x9x2xf32>
  onnx.Return %y : tensor<?x9x2xf32>
}

// -----

// Zeros fill it up to the length that is asked for, and the axis goes last.
// CHECK-LABEL: func.func @inverse_along_an_axis(
// CHECK: torch.aten.permute{{.*}} -> !torch.vtensor<[?,6,2],f64>
// CHECK-COUNT-2: torch.aten.constant_pad_nd{{.*}} -> !torch.vtensor<[?,8],f64>
// CHECK-COUNT-4: torch.aten.matmul{{.*}} -> !torch.vtensor<[?,8],f64>
// CHECK: torch.aten.permute{{.*}} -> !torch.vtensor<[8,?,2],f64>
func.func @inverse_along_an_axis(%x: tensor<6x?x2xf64>) -> tensor<8x?x2xf64> {
  %length = onnx.Constant dense<8> : tensor<i64>
  %axis = onnx.Constant dense<0> : tensor<i64>
  %y = "onnx.DFT"(%x, %length, %axis) {inverse = 1 : si64} : (tensor<6x?x2xf64>, tensor<i64>, tensor<i64>) -> tensor<8x?x2xf64>
  onnx.Return %y : tensor<8x?x2xf64>
}

// -----

// Half a spectrum makes a real signal.
// CHECK-LABEL: func.func @to_real(
// CHECK-COUNT-2: torch.aten.matmul{{.*}} -> !torch.vtensor<[3,16],f32>
// CHECK-NOT: torch.aten.matmul
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
