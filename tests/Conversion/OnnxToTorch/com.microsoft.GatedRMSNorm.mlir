// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @heads(
// CHECK: torch.aten.view {{.*}} -> !torch.vtensor<[?,3,2,4],f16>
// CHECK: torch.aten.mean.dim
// CHECK: torch.aten.rsqrt
// CHECK: torch.aten.silu
// CHECK: torch.aten.mul.Tensor {{.*}} -> !torch.vtensor<[?,3,8],f32>
func.func @heads(%a0: tensor<?x3x8xf16>, %a1: tensor<4xf16>, %a2: tensor<?x3x8xf16>) -> tensor<?x3x8xf16> {
  %y = "onnx.com.microsoft.GatedRMSNorm"(%a0, %a1, %a2)
      : (tensor<?x3x8xf16>, tensor<4xf16>, tensor<?x3x8xf16>) -> tensor<?x3x8xf16>
  onnx.Return %y : tensor<?x3x8xf16>
}

// -----

func.func @activation(%a0: tensor<?x3x8xf32>, %a1: tensor<4xf32>, %a2: tensor<?x3x8xf32>) -> tensor<?x3x8xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GatedRMSNorm': expected activation to be silu, swish or sigmoid, got 'relu'}}
  %y = "onnx.com.microsoft.GatedRMSNorm"(%a0, %a1, %a2) {activation = "relu"}
      : (tensor<?x3x8xf32>, tensor<4xf32>, tensor<?x3x8xf32>) -> tensor<?x3x8xf32>
  onnx.Return %y : tensor<?x3x8xf32>
}
