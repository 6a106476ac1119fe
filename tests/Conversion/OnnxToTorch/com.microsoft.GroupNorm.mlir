// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @nhwc(
// CHECK: torch.aten.permute {{.*}} -> !torch.vtensor<[?,8,5,3],f16>
// CHECK: torch.aten.group_norm {{.*}} -> !torch.vtensor<[?,8,5,3],f32>
// CHECK: torch.aten.silu
// CHECK: torch.aten.permute {{.*}} -> !torch.vtensor<[?,5,3,8],f16>
func.func @nhwc(%a0: tensor<?x5x3x8xf16>, %a1: tensor<8xf32>, %a2: tensor<8xf32>) -> tensor<?x5x3x8xf16> {
  %y = "onnx.com.microsoft.GroupNorm"(%a0, %a1, %a2) {groups = 2 : si64, activation = 1 : si64}
      : (tensor<?x5x3x8xf16>, tensor<8xf32>, tensor<8xf32>) -> tensor<?x5x3x8xf16>
  onnx.Return %y : tensor<?x5x3x8xf16>
}

// -----

// CHECK-LABEL: func.func @nchw(
// CHECK-NOT: torch.aten.permute
// CHECK: torch.aten.group_norm
func.func @nchw(%a0: tensor<?x8x5x3xf32>, %a1: tensor<8xf32>, %a2: tensor<8xf32>) -> tensor<?x8x5x3xf32> {
  %y = "onnx.com.microsoft.GroupNorm"(%a0, %a1, %a2) {groups = 2 : si64, activation = 0 : si64, channels_last = 0 : si64}
      : (tensor<?x8x5x3xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<?x8x5x3xf32>
  onnx.Return %y : tensor<?x8x5x3xf32>
}

// -----

func.func @activation(%a0: tensor<?x8x5x3xf32>, %a1: tensor<8xf32>, %a2: tensor<8xf32>) -> tensor<?x8x5x3xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GroupNorm': expected activation to be 0 or 1, got 2}}
  %y = "onnx.com.microsoft.GroupNorm"(%a0, %a1, %a2) {groups = 2 : si64, activation = 2 : si64}
      : (tensor<?x8x5x3xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<?x8x5x3xf32>
  onnx.Return %y : tensor<?x8x5x3xf32>
}
