// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @defaults(
// CHECK: torch.aten.elu{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @defaults(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.Selu"(%a0)
      : (tensor<?x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
