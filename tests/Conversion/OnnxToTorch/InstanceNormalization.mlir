// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @image(
// CHECK: torch.aten.instance_norm{{.*}} -> !torch.vtensor<[?,3,8,8],f32>
// CHECK: return
func.func @image(%a0: tensor<?x3x8x8xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>) -> tensor<?x3x8x8xf32> {
  %y = "onnx.InstanceNormalization"(%a0, %a1, %a2)
      : (tensor<?x3x8x8xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<?x3x8x8xf32>
  onnx.Return %y : tensor<?x3x8x8xf32>
}
