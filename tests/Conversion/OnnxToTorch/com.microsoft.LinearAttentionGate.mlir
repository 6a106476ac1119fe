// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @both(
// CHECK: torch.aten.add.Tensor {{.*}} -> !torch.vtensor<[?,3,8],f32>
// CHECK: torch.aten.softplus
// CHECK: torch.aten.mul.Tensor
// CHECK: torch.aten.sigmoid
func.func @both(%a0: tensor<?x3x8xf16>, %a1: tensor<8xf32>, %a2: tensor<8xf32>, %a3: tensor<?x3x8xf16>) -> (tensor<?x3x8xf16>, tensor<?x3x8xf16>) {
  %y:2 = "onnx.com.microsoft.LinearAttentionGate"(%a0, %a1, %a2, %a3)
      : (tensor<?x3x8xf16>, tensor<8xf32>, tensor<8xf32>, tensor<?x3x8xf16>) -> (tensor<?x3x8xf16>, tensor<?x3x8xf16>)
  onnx.Return %y#0, %y#1 : tensor<?x3x8xf16>, tensor<?x3x8xf16>
}

// -----

func.func @no_b(%a0: tensor<?x3x8xf32>, %a1: tensor<8xf32>, %a2: tensor<8xf32>) -> (tensor<?x3x8xf32>, tensor<?x3x8xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.LinearAttentionGate': expected b where beta is wanted, got none}}
  %y:2 = "onnx.com.microsoft.LinearAttentionGate"(%a0, %a1, %a2, %none)
      : (tensor<?x3x8xf32>, tensor<8xf32>, tensor<8xf32>, none) -> (tensor<?x3x8xf32>, tensor<?x3x8xf32>)
  onnx.Return %y#0, %y#1 : tensor<?x3x8xf32>, tensor<?x3x8xf32>
}
