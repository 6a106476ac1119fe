// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @image(
// CHECK: torch.aten.mean.dim{{.*}} -> !torch.vtensor<[?,3,1,1],f32>
// CHECK: return
func.func @image(%a0: tensor<?x3x8x8xf32>) -> tensor<?x3x1x1xf32> {
  %y = "onnx.GlobalAveragePool"(%a0)
      : (tensor<?x3x8x8xf32>) -> tensor<?x3x1x1xf32>
  onnx.Return %y : tensor<?x3x1x1xf32>
}

// -----

func.func @no_spatial_dims(%a0: tensor<?x3xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.GlobalAveragePool': expected 'X' of rank 3 or more, got rank 2: '!torch.vtensor<[?,3],f32>'}}
  %y = "onnx.GlobalAveragePool"(%a0)
      : (tensor<?x3xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
