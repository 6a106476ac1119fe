// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @defaults(
// CHECK: torch.aten.gelu{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @defaults(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.Gelu"(%a0)
      : (tensor<?x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @tanh(
// CHECK: torch.aten.gelu{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @tanh(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.Gelu"(%a0) {approximate = "tanh"}
      : (tensor<?x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

func.func @unknown(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.Gelu': expected approximate to be 'none' or 'tanh', got 'erf'}}
  %y = "onnx.Gelu"(%a0) {approximate = "erf"}
      : (tensor<?x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
