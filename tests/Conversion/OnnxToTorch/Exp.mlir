// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @dynamic_batch(
// CHECK: torch.aten.exp{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @dynamic_batch(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.Exp"(%a0)
      : (tensor<?x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
