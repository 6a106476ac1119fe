// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @at_one(
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,12],f32>
// CHECK: return
func.func @at_one(%a0: tensor<?x3x4xf32>) -> tensor<?x12xf32> {
  %y = "onnx.Flatten"(%a0)
      : (tensor<?x3x4xf32>) -> tensor<?x12xf32>
  onnx.Return %y : tensor<?x12xf32>
}

// -----

func.func @axis_out_of_range(%a0: tensor<?x4xf32>) -> tensor<*xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.Flatten': expected an axis in [-2, 2], got 3}}
  %y = "onnx.Flatten"(%a0) {axis = 3 : si64}
      : (tensor<?x4xf32>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
