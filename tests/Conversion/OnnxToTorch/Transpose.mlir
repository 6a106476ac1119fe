// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @default(
// CHECK: torch.aten.permute{{.*}} -> !torch.vtensor<[4,?],f32>
// CHECK: return
func.func @default(%a0: tensor<?x4xf32>) -> tensor<4x?xf32> {
  %y = "onnx.Transpose"(%a0)
      : (tensor<?x4xf32>) -> tensor<4x?xf32>
  onnx.Return %y : tensor<4x?xf32>
}
