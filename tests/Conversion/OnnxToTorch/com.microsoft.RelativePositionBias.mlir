// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @encoder(
// CHECK: torch.aten.view {{.*}} -> !torch.vtensor<[4,8],f32>
// CHECK: torch.aten.gt.Scalar
// CHECK: torch.aten.abs
// CHECK: torch.aten.log
// CHECK: torch.aten.index.Tensor
func.func @encoder(%a0: tensor<8x4xf32>, %a1: tensor<i64>, %a2: tensor<i64>) -> tensor<1x4x?x?xf32> {
  %y = "onnx.com.microsoft.RelativePositionBias"(%a0, %a1, %a2) {max_distance = 32 : si64, is_bidirectional = 1 : si64}
      : (tensor<8x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4x?x?xf32>
  onnx.Return %y : tensor<1x4x?x?xf32>
}

// -----

// CHECK-LABEL: func.func @decoder(
// CHECK: torch.aten.neg
// CHECK: torch.aten.log
// CHECK: torch.aten.index.Tensor
func.func @decoder(%a0: tensor<8x4xf32>, %a1: tensor<i64>, %a2: tensor<i64>) -> tensor<1x4x?x?xf32> {
  %y = "onnx.com.microsoft.RelativePositionBias"(%a0, %a1, %a2) {max_distance = 32 : si64}
      : (tensor<8x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4x?x?xf32>
  onnx.Return %y : tensor<1x4x?x?xf32>
}

// -----

func.func @few(%a0: tensor<2x4xf32>, %a1: tensor<i64>, %a2: tensor<i64>) -> tensor<1x4x?x?xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.RelativePositionBias': expected at least 4 buckets and a max_distance beyond those of one distance each, got '!torch.vtensor<[2,4],f32>' and 32}}
  %y = "onnx.com.microsoft.RelativePositionBias"(%a0, %a1, %a2) {max_distance = 32 : si64, is_bidirectional = 1 : si64}
      : (tensor<2x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4x?x?xf32>
  onnx.Return %y : tensor<1x4x?x?xf32>
}
