// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @nf4(
// CHECK: torch.vtensor.literal(dense<[-1.000000e+00, -0.69619
// CHECK: torch.aten.bitwise_right_shift.Tensor
// CHECK: torch.aten.bitwise_and.Tensor
// CHECK: torch.aten.slice.Tensor {{.*}} -> !torch.vtensor<[27],ui8>
// CHECK: torch.aten.linear
func.func @nf4(%a0: tensor<?x9xf32>, %a1: tensor<14xui8>, %a2: tensor<2xf32>) -> tensor<?x3xf32> {
  %y = "onnx.com.microsoft.MatMulBnb4"(%a0, %a1, %a2) {K = 9 : si64, N = 3 : si64, block_size = 16 : si64, quant_type = 1 : si64}
      : (tensor<?x9xf32>, tensor<14xui8>, tensor<2xf32>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

func.func @quant_type(%a0: tensor<?x9xf32>, %a1: tensor<14xui8>, %a2: tensor<2xf32>) -> tensor<?x3xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MatMulBnb4': expected transB 1 and quant_type 0 or 1, got 1 and 2}}
  %y = "onnx.com.microsoft.MatMulBnb4"(%a0, %a1, %a2) {K = 9 : si64, N = 3 : si64, block_size = 16 : si64, quant_type = 2 : si64}
      : (tensor<?x9xf32>, tensor<14xui8>, tensor<2xf32>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

func.func @no_columns(%a0: tensor<?x9xf32>, %a1: tensor<14xui8>, %a2: tensor<2xf32>) -> tensor<?x3xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MatMulBnb4': expected N, K and block_size of 1 or more that 32 bits hold, got 3, 0 and 16}}
  %y = "onnx.com.microsoft.MatMulBnb4"(%a0, %a1, %a2) {K = 0 : si64, N = 3 : si64, block_size = 16 : si64, quant_type = 0 : si64}
      : (tensor<?x9xf32>, tensor<14xui8>, tensor<2xf32>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}
