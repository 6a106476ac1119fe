// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @ones(
// CHECK: torch.aten.select.int{{.*}} -> !torch.vtensor<[],si64>
// CHECK: torch.aten.Int.Tensor
// CHECK: torch.aten.select.int{{.*}} -> !torch.vtensor<[],si64>
// CHECK: torch.aten.Int.Tensor
// CHECK: torch.aten.full{{.*}} -> !torch.vtensor<[?,?],si64>
// CHECK: return
func.func @ones(%a0: tensor<2xi64>) -> tensor<?x?xi64> {
  %y = "onnx.ConstantOfShape"(%a0) {value = dense<1> : tensor<1xi64>}
      : (tensor<2xi64>) -> tensor<?x?xi64>
  onnx.Return %y : tensor<?x?xi64>
}
