// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @sizes(
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,1],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,3],f32>
// CHECK: return
func.func @sizes(%a0: tensor<?x4xf32>) -> (tensor<?x1xf32>, tensor<?x3xf32>) {
  %c0 = onnx.Constant dense<[1, 3]> : tensor<2xi64>
  %y:2 = "onnx.Split"(%a0, %c0) {axis = 1 : si64}
      : (tensor<?x4xf32>, tensor<2xi64>) -> (tensor<?x1xf32>, tensor<?x3xf32>)
  onnx.Return %y#0, %y#1 : tensor<?x1xf32>, tensor<?x3xf32>
}

// -----

// CHECK-LABEL: func.func @equal(
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,2],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,2],f32>
// CHECK: return
func.func @equal(%a0: tensor<?x4xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:2 = "onnx.Split"(%a0, %none) {axis = 1 : si64, num_outputs = 2 : si64}
      : (tensor<?x4xf32>, none) -> (tensor<?x2xf32>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?x2xf32>, tensor<?x2xf32>
}
