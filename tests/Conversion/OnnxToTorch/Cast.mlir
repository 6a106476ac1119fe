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

// A number that is too large for the type of 8 bits becomes its largest number.
// CHECK-LABEL: func.func @saturates(
// CHECK-DAG: %[[LOW:.*]] = torch.constant.float -2.400000e+02
// CHECK-DAG: %[[HIGH:.*]] = torch.constant.float 2.400000e+02
// CHECK: %[[X:.*]] = torch.aten.clamp %{{.*}}, %[[LOW]], %[[HIGH]]
// CHECK: torch.prims.convert_element_type %[[X]], {{.*}} -> !torch.vtensor<[?,4],f8E4M3FNUZ>
func.func @saturates(%a0: tensor<?x4xf16>) -> tensor<?x4xf8E4M3FNUZ> {
  %y = "onnx.Cast"(%a0) {to = f8E4M3FNUZ}
      : (tensor<?x4xf16>) -> tensor<?x4xf8E4M3FNUZ>
  onnx.Return %y : tensor<?x4xf8E4M3FNUZ>
}

// -----

// CHECK-LABEL: func.func @has_no_infinity(
// CHECK: %[[BEYOND:.*]] = torch.aten.gt.Scalar
// CHECK: torch.aten.where.self %[[BEYOND]]
// CHECK-NOT: torch.aten.clamp
// CHECK: return
func.func @has_no_infinity(%a0: tensor<?x4xf32>) -> tensor<?x4xf8E4M3FN> {
  %y = "onnx.Cast"(%a0) {to = f8E4M3FN, saturate = 0 : si64}
      : (tensor<?x4xf32>) -> tensor<?x4xf8E4M3FN>
  onnx.Return %y : tensor<?x4xf8E4M3FN>
}

// -----

// The lowest four bits, as a byte.
// CHECK-LABEL: func.func @four_bits(
// CHECK-SAME:      -> !torch.vtensor<[?,4],si8>
// CHECK-DAG:     %[[SHIFT:.*]] = torch.vtensor.literal(dense<28> : tensor<si32>)
// CHECK-DAG:     %[[WIDE:.*]] = torch.prims.convert_element_type {{.*}} -> !torch.vtensor<[?,4],si32>
// CHECK:         %[[LEFT:.*]] = torch.aten.bitwise_left_shift.Tensor %[[WIDE]], %[[SHIFT]]
// CHECK:         %[[RIGHT:.*]] = torch.aten.bitwise_right_shift.Tensor %[[LEFT]], %[[SHIFT]]
// CHECK:         torch.prims.convert_element_type %[[RIGHT]]
func.func @four_bits(%a0: tensor<?x4xf32>) -> tensor<?x4xi4> {
  %y = "onnx.Cast"(%a0) {to = i4}
      : (tensor<?x4xf32>) -> tensor<?x4xi4>
  onnx.Return %y : tensor<?x4xi4>
}

// -----

// An argument of floats of four bits has a byte for each: the number of its code.
// CHECK-LABEL: func.func @from_codes(
// CHECK-SAME:      %{{.*}}: !torch.vtensor<[4],ui8>
// CHECK:         torch.aten.index.Tensor
func.func @from_codes(%x: tensor<4xf4E2M1FN>) -> tensor<4xf32> {
  %y = "onnx.Cast"(%x) {to = f32} : (tensor<4xf4E2M1FN>) -> tensor<4xf32>
  onnx.Return %y : tensor<4xf32>
}
