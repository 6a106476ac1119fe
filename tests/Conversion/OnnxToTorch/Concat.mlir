// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @last_axis(
// CHECK: torch.aten.cat{{.*}} -> !torch.vtensor<[?,6],f32>
// CHECK: return
func.func @last_axis(%a0: tensor<?x4xf32>, %a1: tensor<?x2xf32>) -> tensor<?x6xf32> {
  %y = "onnx.Concat"(%a0, %a1) {axis = -1 : si64}
      : (tensor<?x4xf32>, tensor<?x2xf32>) -> tensor<?x6xf32>
  onnx.Return %y : tensor<?x6xf32>
}
