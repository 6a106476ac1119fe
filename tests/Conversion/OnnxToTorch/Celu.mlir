// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @parameters(
// CHECK: torch.aten.celu{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @parameters(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.Celu"(%a0) {alpha = 2.000000e+00 : f32}
      : (tensor<?x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
