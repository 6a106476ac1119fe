// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @to_int(
// CHECK: torch.aten.view.dtype{{.*}} -> !torch.vtensor<[?,4],si32>
func.func @to_int(%x: tensor<?x4xf32>) -> tensor<?x4xi32> {
  %y = "onnx.BitCast"(%x) {to = i32} : (tensor<?x4xf32>) -> tensor<?x4xi32>
  onnx.Return %y : tensor<?x4xi32>
}

// -----

func.func @to_a_wider_one(%x: tensor<4xf32>) -> tensor<4xi64> {
  // expected-error @below {{no lowering to torch for 'onnx.BitCast': expected dtypes of one width, got 'f32' and 'si64'}}
  %y = "onnx.BitCast"(%x) {to = i64} : (tensor<4xf32>) -> tensor<4xi64>
  onnx.Return %y : tensor<4xi64>
}

// -----

func.func @to_half_a_byte() -> tensor<4xi4> {
  %x = onnx.Constant dense<3> : tensor<4xui4>
  // expected-error @below {{no lowering to torch for 'onnx.BitCast': expected operands and results of dtypes that torch has, got 'tensor<4xui4>'}}
  %y = "onnx.BitCast"(%x) {to = i4} : (tensor<4xui4>) -> tensor<4xi4>
  onnx.Return %y : tensor<4xi4>
}
