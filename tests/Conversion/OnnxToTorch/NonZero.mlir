// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @matrix(
// CHECK: torch.aten.nonzero{{.*}} -> !torch.vtensor<[?,2],si64>
// CHECK: torch.aten.permute{{.*}} -> !torch.vtensor<[2,?],si64>
// CHECK: return
func.func @matrix(%a0: tensor<?x4xf32>) -> tensor<2x?xi64> {
  %y = "onnx.NonZero"(%a0)
      : (tensor<?x4xf32>) -> tensor<2x?xi64>
  onnx.Return %y : tensor<2x?xi64>
}
