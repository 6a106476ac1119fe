// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @image(
// CHECK: torch.aten.group_norm{{.*}} -> !torch.vtensor<[?,4,8],f32>
// CHECK: return
func.func @image(%a0: tensor<?x4x8xf32>, %a1: tensor<4xf32>, %a2: tensor<4xf32>) -> tensor<?x4x8xf32> {
  %y = "onnx.GroupNormalization"(%a0, %a1, %a2) {num_groups = 2 : si64}
      : (tensor<?x4x8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4x8xf32>
  onnx.Return %y : tensor<?x4x8xf32>
}

// -----

func.func @no_channels(%a0: tensor<4xf32>, %a1: tensor<4xf32>, %a2: tensor<4xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.GroupNormalization': expected 'X' of rank 2 or more, got rank 1: '!torch.vtensor<[4],f32>'}}
  %y = "onnx.GroupNormalization"(%a0, %a1, %a2) {num_groups = 2 : si64}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
