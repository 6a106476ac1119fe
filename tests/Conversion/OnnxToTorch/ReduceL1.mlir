// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @one_axis(
// CHECK: torch.aten.abs{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.sum.dim_IntList{{.*}} -> !torch.vtensor<[?,1],f32>
// CHECK: return
func.func @one_axis(%a0: tensor<?x4xf32>) -> tensor<?x1xf32> {
  %c0 = onnx.Constant dense<-1> : tensor<1xi64>
  %y = "onnx.ReduceL1"(%a0, %c0)
      : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

// CHECK-LABEL: func.func @all_axes(
// CHECK: torch.aten.abs{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.sum.dim_IntList{{.*}} -> !torch.vtensor<[],f32>
// CHECK: return
func.func @all_axes(%a0: tensor<?x4xf32>) -> tensor<f32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.ReduceL1"(%a0, %none) {keepdims = 0 : si64}
      : (tensor<?x4xf32>, none) -> tensor<f32>
  onnx.Return %y : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @no_axes(
// CHECK: torch.aten.abs{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @no_axes(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.ReduceL1"(%a0, %none) {noop_with_empty_axes = 1 : si64}
      : (tensor<?x4xf32>, none) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

func.func @axis_out_of_range(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = onnx.Constant dense<2> : tensor<1xi64>
  // expected-error @below {{no lowering to torch for 'onnx.ReduceL1': expected an axis in [-2, 1], got 2}}
  %y = "onnx.ReduceL1"(%a0, %c0)
      : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
