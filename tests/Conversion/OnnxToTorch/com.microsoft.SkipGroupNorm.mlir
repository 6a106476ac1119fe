// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @skip_of_channels(
// CHECK: torch.aten.unsqueeze {{.*}} -> !torch.vtensor<[?,1,8],f32>
// CHECK: torch.aten.unsqueeze {{.*}} -> !torch.vtensor<[?,1,1,8],f32>
// CHECK: torch.aten.add.Tensor
// CHECK: torch.aten.add.Tensor
// CHECK: torch.aten.group_norm
func.func @skip_of_channels(%a0: tensor<?x5x3x8xf32>, %a1: tensor<8xf32>, %a2: tensor<8xf32>, %a3: tensor<?x8xf32>, %a4: tensor<8xf32>) -> (tensor<?x5x3x8xf32>, tensor<?x5x3x8xf32>) {
  %y:2 = "onnx.com.microsoft.SkipGroupNorm"(%a0, %a1, %a2, %a3, %a4) {groups = 2 : si64, activation = 0 : si64}
      : (tensor<?x5x3x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<?x8xf32>, tensor<8xf32>) -> (tensor<?x5x3x8xf32>, tensor<?x5x3x8xf32>)
  onnx.Return %y#0, %y#1 : tensor<?x5x3x8xf32>, tensor<?x5x3x8xf32>
}
