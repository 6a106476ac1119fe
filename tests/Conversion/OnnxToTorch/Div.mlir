// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @broadcast(
// CHECK: torch.aten.div.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @broadcast(%a0: tensor<?x4xf32>, %a1: tensor<4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.Div"(%a0, %a1)
      : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @integers_truncate(
// CHECK: torch.aten.div.Tensor_mode{{.*}} -> !torch.vtensor<[?,4],si64>
// CHECK: return
func.func @integers_truncate(%a0: tensor<?x4xi64>, %a1: tensor<?x4xi64>) -> tensor<?x4xi64> {
  %y = "onnx.Div"(%a0, %a1)
      : (tensor<?x4xi64>, tensor<?x4xi64>) -> tensor<?x4xi64>
  onnx.Return %y : tensor<?x4xi64>
}
