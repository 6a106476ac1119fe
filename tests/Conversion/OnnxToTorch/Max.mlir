// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @three_inputs(
// CHECK: torch.aten.maximum{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.maximum{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @three_inputs(%a0: tensor<?x4xf32>, %a1: tensor<4xf32>, %a2: tensor<f32>) -> tensor<?x4xf32> {
  %y = "onnx.Max"(%a0, %a1, %a2)
      : (tensor<?x4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
