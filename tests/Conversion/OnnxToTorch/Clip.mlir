// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @known_bounds(
// CHECK: torch.aten.clamp{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @known_bounds(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = onnx.Constant dense<0.0> : tensor<f32>
  %c1 = onnx.Constant dense<6.0> : tensor<f32>
  %y = "onnx.Clip"(%a0, %c0, %c1)
      : (tensor<?x4xf32>, tensor<f32>, tensor<f32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @bound_at_run_time(
// CHECK: torch.aten.clamp.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @bound_at_run_time(%a0: tensor<?x4xf32>, %a1: tensor<f32>) -> tensor<?x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.Clip"(%a0, %a1, %none)
      : (tensor<?x4xf32>, tensor<f32>, none) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @no_bounds(
// CHECK: return
func.func @no_bounds(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.Clip"(%a0, %none, %none)
      : (tensor<?x4xf32>, none, none) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

func.func @tensor_bound(%a0: tensor<?x4xf32>, %a1: tensor<4xf32>) -> tensor<?x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Clip': expected 'min' of [] or [1], got '!torch.vtensor<[4],f32>'}}
  %y = "onnx.Clip"(%a0, %a1, %none)
      : (tensor<?x4xf32>, tensor<4xf32>, none) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
