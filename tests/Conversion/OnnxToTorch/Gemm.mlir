// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @linear(
// CHECK: torch.aten.linear{{.*}} -> !torch.vtensor<[?,5],f32>
// CHECK: return
func.func @linear(%a0: tensor<?x4xf32>, %a1: tensor<5x4xf32>, %a2: tensor<5xf32>) -> tensor<?x5xf32> {
  %y = "onnx.Gemm"(%a0, %a1, %a2) {transB = 1 : si64}
      : (tensor<?x4xf32>, tensor<5x4xf32>, tensor<5xf32>) -> tensor<?x5xf32>
  onnx.Return %y : tensor<?x5xf32>
}

// -----

// CHECK-LABEL: func.func @scaled(
// CHECK: torch.aten.addmm{{.*}} -> !torch.vtensor<[?,5],f32>
// CHECK: return
func.func @scaled(%a0: tensor<?x4xf32>, %a1: tensor<4x5xf32>, %a2: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %y = "onnx.Gemm"(%a0, %a1, %a2) {alpha = 5.000000e-01 : f32, beta = 2.000000e+00 : f32}
      : (tensor<?x4xf32>, tensor<4x5xf32>, tensor<?x5xf32>) -> tensor<?x5xf32>
  onnx.Return %y : tensor<?x5xf32>
}

// -----

// CHECK-LABEL: func.func @no_bias(
// CHECK: torch.aten.permute{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.mm{{.*}} -> !torch.vtensor<[?,5],f32>
// CHECK: return
func.func @no_bias(%a0: tensor<4x?xf32>, %a1: tensor<4x5xf32>) -> tensor<?x5xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.Gemm"(%a0, %a1, %none) {transA = 1 : si64}
      : (tensor<4x?xf32>, tensor<4x5xf32>, none) -> tensor<?x5xf32>
  onnx.Return %y : tensor<?x5xf32>
}

// -----

func.func @vector(%a0: tensor<4xf32>, %a1: tensor<4x5xf32>) -> tensor<?x5xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Gemm': expected 'A' of rank 2, got rank 1: '!torch.vtensor<[4],f32>'}}
  %y = "onnx.Gemm"(%a0, %a1, %none)
      : (tensor<4xf32>, tensor<4x5xf32>, none) -> tensor<?x5xf32>
  onnx.Return %y : tensor<?x5xf32>
}
