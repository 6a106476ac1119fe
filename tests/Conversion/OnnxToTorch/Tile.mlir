// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @known(
// CHECK: torch.aten.repeat{{.*}} -> !torch.vtensor<[?,8],f32>
// CHECK: return
func.func @known(%a0: tensor<?x4xf32>) -> tensor<?x8xf32> {
  %c0 = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %y = "onnx.Tile"(%a0, %c0)
      : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<?x8xf32>
  onnx.Return %y : tensor<?x8xf32>
}
