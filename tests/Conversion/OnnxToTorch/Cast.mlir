// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @to_float(
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @to_float(%a0: tensor<?x4xi64>) -> tensor<?x4xf32> {
  %y = "onnx.Cast"(%a0) {to = f32}
      : (tensor<?x4xi64>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

func.func @four_bits(%a0: tensor<?x4xf32>) -> tensor<?x4xi4> {
  // expected-error @below {{no lowering to torch for 'onnx.Cast': torch has no dtype for 'i4'}}
  %y = "onnx.Cast"(%a0) {to = i4}
      : (tensor<?x4xf32>) -> tensor<?x4xi4>
  onnx.Return %y : tensor<?x4xi4>
}
