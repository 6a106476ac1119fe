// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @plain(
// CHECK: torch.aten.matmul
// CHECK: return
func.func @plain(%x: tensor<?x3x8xf32>, %b: tensor<?x8x4xf32>) -> tensor<?x3x4xf32> {
  %y = "onnx.com.microsoft.FusedMatMul"(%x, %b)
      : (tensor<?x3x8xf32>, tensor<?x8x4xf32>) -> tensor<?x3x4xf32>
  onnx.Return %y : tensor<?x3x4xf32>
}

// -----

// CHECK-LABEL: func.func @transposed(
// CHECK: torch.aten.permute
// CHECK: torch.aten.permute
// CHECK: torch.aten.matmul
// CHECK: torch.constant.float 5.000000e-01
// CHECK: torch.aten.mul.Scalar
func.func @transposed(%a: tensor<?x8x3xf32>, %b: tensor<?x4x8xf32>) -> tensor<?x3x4xf32> {
  %y = "onnx.com.microsoft.FusedMatMul"(%a, %b) {alpha = 0.5 : f32, transA = 1 : si64, transB = 1 : si64}
      : (tensor<?x8x3xf32>, tensor<?x4x8xf32>) -> tensor<?x3x4xf32>
  onnx.Return %y : tensor<?x3x4xf32>
}

// -----

func.func @batch(%a: tensor<2x3x8xf32>, %b: tensor<2x8x4xf32>) -> tensor<?x?x?xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.FusedMatMul': expected transBatchA and transBatchB to be 0, got 1 and 0}}
  %y = "onnx.com.microsoft.FusedMatMul"(%a, %b) {transBatchA = 1 : si64}
      : (tensor<2x3x8xf32>, tensor<2x8x4xf32>) -> tensor<?x?x?xf32>
  onnx.Return %y : tensor<?x?x?xf32>
}
