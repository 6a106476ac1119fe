// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @zero_points(
// CHECK: torch.aten.view.dtype {{.*}} -> !torch.vtensor<[3,2,1],f32>
// CHECK: torch.aten.linear
func.func @zero_points(%a0: tensor<?x40xf32>, %a1: tensor<126xui8>) -> tensor<?x3xf32> {
  %a2 = "onnx.Constant"() {value = dense<[40, 3]> : tensor<2xi64>} : () -> tensor<2xi64>
  %y = "onnx.com.microsoft.MatMulFpQ4"(%a0, %a1, %a2)
      : (tensor<?x40xf32>, tensor<126xui8>, tensor<2xi64>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

func.func @kind(%a0: tensor<?x40xf32>, %a1: tensor<126xui8>) -> tensor<?x3xf32> {
  %a2 = "onnx.Constant"() {value = dense<[40, 3]> : tensor<2xi64>} : () -> tensor<2xi64>
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.MatMulFpQ4': expected two sizes in B_shape and blk_quant_type 0 or 1, got 2 and 2}}
  %y = "onnx.com.microsoft.MatMulFpQ4"(%a0, %a1, %a2) {blk_quant_type = 2 : si64}
      : (tensor<?x40xf32>, tensor<126xui8>, tensor<2xi64>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}
