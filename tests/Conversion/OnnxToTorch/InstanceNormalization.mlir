// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @image(
// CHECK: torch.aten.instance_norm{{.*}} -> !torch.vtensor<[?,3,8,8],f32>
// CHECK: return
func.func @image(%a0: tensor<?x3x8x8xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>) -> tensor<?x3x8x8xf32> {
  %y = "onnx.InstanceNormalization"(%a0, %a1, %a2)
      : (tensor<?x3x8x8xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<?x3x8x8xf32>
  onnx.Return %y : tensor<?x3x8x8xf32>
}

// -----

func.func @no_spatial_dims(%a0: tensor<2xf32>, %a1: tensor<2xf32>, %a2: tensor<2xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.InstanceNormalization': expected 'input' of rank 3 or more, got rank 1: '!torch.vtensor<[2],f32>'}}
  %y = "onnx.InstanceNormalization"(%a0, %a1, %a2)
      : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @other_channels(%a0: tensor<2x3x?xf32>, %a1: tensor<3xf32>, %a2: tensor<4xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.InstanceNormalization': expected dim 0 of 'B' to be 3 beside 'input', got 4: '!torch.vtensor<[4],f32>'}}
  %y = "onnx.InstanceNormalization"(%a0, %a1, %a2)
      : (tensor<2x3x?xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
