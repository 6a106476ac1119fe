// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @image(
// CHECK: torch.aten.amax{{.*}} -> !torch.vtensor<[?,3,1,1],f32>
// CHECK: return
func.func @image(%a0: tensor<?x3x8x8xf32>) -> tensor<?x3x1x1xf32> {
  %y = "onnx.GlobalMaxPool"(%a0)
      : (tensor<?x3x8x8xf32>) -> tensor<?x3x1x1xf32>
  onnx.Return %y : tensor<?x3x1x1xf32>
}

// -----

func.func @scalar(%a0: tensor<f32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.GlobalMaxPool': expected 'X' of rank 3 or more, got rank 0: '!torch.vtensor<[],f32>'}}
  %y = "onnx.GlobalMaxPool"(%a0)
      : (tensor<f32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
