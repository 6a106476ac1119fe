// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @batched(
// CHECK: torch.aten.matmul{{.*}} -> !torch.vtensor<[?,2,5],f32>
// CHECK: return
func.func @batched(%a0: tensor<?x2x4xf32>, %a1: tensor<4x5xf32>) -> tensor<?x2x5xf32> {
  %y = "onnx.MatMul"(%a0, %a1)
      : (tensor<?x2x4xf32>, tensor<4x5xf32>) -> tensor<?x2x5xf32>
  onnx.Return %y : tensor<?x2x5xf32>
}
