// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @f32(
// CHECK: torch.aten.mean.dim
// CHECK: torch.aten.rsqrt
// CHECK: torch.aten.mul.Tensor
func.func @f32(%x: tensor<?x3x8xf32>, %g: tensor<8xf32>) -> tensor<?x3x8xf32> {
  %y:2 = "onnx.com.microsoft.SimplifiedLayerNormalization"(%x, %g) {epsilon = 1.0e-3 : f32}
      : (tensor<?x3x8xf32>, tensor<8xf32>) -> (tensor<?x3x8xf32>, none)
  onnx.Return %y#0 : tensor<?x3x8xf32>
}

// -----

func.func @statistics(%x: tensor<?x3x8xf32>, %g: tensor<8xf32>) -> (tensor<?x3x8xf32>, tensor<?x3x1xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.SimplifiedLayerNormalization': expected no output of statistics, which training needs, got one}}
  %y:2 = "onnx.com.microsoft.SimplifiedLayerNormalization"(%x, %g)
      : (tensor<?x3x8xf32>, tensor<8xf32>) -> (tensor<?x3x8xf32>, tensor<?x3x1xf32>)
  onnx.Return %y#0, %y#1 : tensor<?x3x8xf32>, tensor<?x3x1xf32>
}
