// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @gates(
// CHECK: torch.aten.matmul
// CHECK: torch.aten.sum.dim_IntList
// CHECK: torch.aten.sigmoid
// CHECK: torch.aten.sum.dim_IntList
// CHECK: torch.aten.sigmoid
// CHECK: torch.aten.mul.Tensor
func.func @gates(%a0: tensor<?x3x32xf32>, %a1: tensor<32xf32>, %a2: tensor<1x4x3x3xf32>, %a3: tensor<8x6xf32>, %a4: tensor<6xf32>, %a5: tensor<1x4x1x1xf32>) -> tensor<?x4x3x3xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.GatedRelativePositionBias"(%a0, %a1, %a2, %a3, %a4, %a5, %none) {num_heads = 4 : si64}
      : (tensor<?x3x32xf32>, tensor<32xf32>, tensor<1x4x3x3xf32>, tensor<8x6xf32>, tensor<6xf32>, tensor<1x4x1x1xf32>, none) -> tensor<?x4x3x3xf32>
  onnx.Return %y : tensor<?x4x3x3xf32>
}

// -----

func.func @packed(%a0: tensor<?x3x32xf32>, %a1: tensor<32xf32>, %a2: tensor<1x4x3x3xf32>, %a3: tensor<8x6xf32>, %a4: tensor<6xf32>, %a5: tensor<1x4x1x1xf32>, %a6: tensor<?x3xi32>) -> tensor<?x4x3x3xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.GatedRelativePositionBias': expected no token_offset, got '!torch.vtensor<[?,3],si32>'}}
  %y = "onnx.com.microsoft.GatedRelativePositionBias"(%a0, %a1, %a2, %a3, %a4, %a5, %a6) {num_heads = 4 : si64}
      : (tensor<?x3x32xf32>, tensor<32xf32>, tensor<1x4x3x3xf32>, tensor<8x6xf32>, tensor<6xf32>, tensor<1x4x1x1xf32>, tensor<?x3xi32>) -> tensor<?x4x3x3xf32>
  onnx.Return %y : tensor<?x4x3x3xf32>
}
