// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @to_float(
// CHECK: torch.prims.convert_element_type{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @to_float(%a0: tensor<?x4xi64>, %a1: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.CastLike"(%a0, %a1)
      : (tensor<?x4xi64>, tensor<?x4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @to_sub_byte(
// CHECK-SAME:      -> !torch.vtensor<[2],si8>
// CHECK:         torch.aten.bitwise_right_shift.Tensor
func.func @to_sub_byte(%x: tensor<2xf32>) -> tensor<2xi4> {
  %like = onnx.Constant dense<0> : tensor<1xi4>
  %y = "onnx.CastLike"(%x, %like) : (tensor<2xf32>, tensor<1xi4>) -> tensor<2xi4>
  onnx.Return %y : tensor<2xi4>
}
