// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// Signless integers become signed integers in torch.
// CHECK-LABEL: func.func @value(
// CHECK-DAG:     %[[F:.*]] = torch.vtensor.literal(dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>) : !torch.vtensor<[2],f32>
// CHECK-DAG:     %[[I:.*]] = torch.vtensor.literal(dense<[-1, 2]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
// CHECK-DAG:     %[[U:.*]] = torch.vtensor.literal(dense<200> : tensor<ui8>) : !torch.vtensor<[],ui8>
// CHECK-DAG:     %[[B:.*]] = torch.vtensor.literal(dense<[true, false]> : tensor<2xi1>) : !torch.vtensor<[2],i1>
// CHECK:         return %[[F]], %[[I]], %[[U]], %[[B]]
func.func @value() -> (tensor<2xf32>, tensor<2xi64>, tensor<ui8>, tensor<2xi1>) {
  %f = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %i = onnx.Constant dense<[-1, 2]> : tensor<2xi64>
  %u = onnx.Constant dense<200> : tensor<ui8>
  %b = onnx.Constant dense<[true, false]> : tensor<2xi1>
  onnx.Return %f, %i, %u, %b : tensor<2xf32>, tensor<2xi64>, tensor<ui8>, tensor<2xi1>
}

// -----

// Weights stay in place: the literal has the same resource.
// CHECK-LABEL: func.func @resource(
// CHECK:         torch.vtensor.literal(dense_resource<w> : tensor<2xf32>) : !torch.vtensor<[2],f32>
func.func @resource() -> tensor<2xf32> {
  %w = onnx.Constant dense_resource<w> : tensor<2xf32>
  onnx.Return %w : tensor<2xf32>
}

{-# dialect_resources: { builtin: { w: "0x040000000000803F00000040" } } #-}

// -----

// Torch has no integers of 4 bits. A small constant of them becomes integers of 8 bits.
// CHECK-LABEL: func.func @small_sub_byte(
// CHECK-DAG:     torch.vtensor.literal(dense<[-1, 7]> : tensor<2xsi8>) : !torch.vtensor<[2],si8>
// CHECK-DAG:     torch.vtensor.literal(dense<[1, 15]> : tensor<2xui8>) : !torch.vtensor<[2],ui8>
func.func @small_sub_byte() -> (tensor<2xi32>, tensor<2xi32>) {
  %i = onnx.Constant dense<[-1, 7]> : tensor<2xi4>
  %u = onnx.Constant dense<[1, 15]> : tensor<2xui4>
  %0 = "onnx.Cast"(%i) {to = i32} : (tensor<2xi4>) -> tensor<2xi32>
  %1 = "onnx.Cast"(%u) {to = i32} : (tensor<2xui4>) -> tensor<2xi32>
  onnx.Return %0, %1 : tensor<2xi32>, tensor<2xi32>
}

// -----

// Weights stay packed, and are unpacked where they are used.
// CHECK-LABEL: func.func @packed(
// CHECK-DAG:     %[[PACKED:.*]] = torch.vtensor.literal(dense_resource<w> : tensor<2xsi8>) : !torch.vtensor<[2],si8>
// CHECK-DAG:     %[[FOUR:.*]] = torch.vtensor.literal(dense<4> : tensor<si8>)
// CHECK:         %[[UP:.*]] = torch.aten.bitwise_left_shift.Tensor %[[PACKED]], %[[FOUR]]
// CHECK:         %[[LOW:.*]] = torch.aten.bitwise_right_shift.Tensor %[[UP]], %[[FOUR]]
// CHECK:         %[[HIGH:.*]] = torch.aten.bitwise_right_shift.Tensor %[[PACKED]], %[[FOUR]]
// CHECK:         torch.aten.cat {{.*}} -> !torch.vtensor<[2,2],si8>
// CHECK:         torch.aten.view {{.*}} -> !torch.vtensor<[4],si8>
// CHECK:         torch.aten.slice.Tensor {{.*}} -> !torch.vtensor<[3],si8>
// CHECK:         torch.aten.view {{.*}} -> !torch.vtensor<[1,3],si8>
func.func @packed() -> tensor<1x3xf32> {
  %w = onnx.Constant dense_resource<w> : tensor<1x3xi4>
  %y = "onnx.Cast"(%w) {to = f32} : (tensor<1x3xi4>) -> tensor<1x3xf32>
  onnx.Return %y : tensor<1x3xf32>
}

{-# dialect_resources: { builtin: { w: "0x010000002143" } } #-}

// -----

// CHECK-LABEL: func.func @packed_unsigned(
// CHECK-DAG:     %[[PACKED:.*]] = torch.vtensor.literal(dense_resource<w> : tensor<1xsi8>) : !torch.vtensor<[1],si8>
// CHECK-DAG:     %[[MASK:.*]] = torch.vtensor.literal(dense<3> : tensor<si8>)
// CHECK-COUNT-4: torch.aten.bitwise_and.Tensor %{{.*}}, %[[MASK]]
// CHECK:         torch.prims.convert_element_type {{.*}} -> !torch.vtensor<[4],ui8>
func.func @packed_unsigned() -> tensor<4xf32> {
  %w = onnx.Constant dense_resource<w> : tensor<4xui2>
  %y = "onnx.Cast"(%w) {to = f32} : (tensor<4xui2>) -> tensor<4xf32>
  onnx.Return %y : tensor<4xf32>
}

{-# dialect_resources: { builtin: { w: "0x0100000021" } } #-}

// -----

// CHECK-LABEL: func.func @sub_byte_output(
// CHECK-SAME:      -> !torch.vtensor<[2],si8>
// CHECK:         torch.vtensor.literal(dense<[-1, 7]> : tensor<2xsi8>)
func.func @sub_byte_output() -> tensor<2xi4> {
  %i = onnx.Constant dense<[-1, 7]> : tensor<2xi4>
  onnx.Return %i : tensor<2xi4>
}

// -----

// The importer writes only `value`, but text may have any of the other attributes.
// CHECK-LABEL: func.func @other_attributes(
// CHECK-DAG:     %[[I:.*]] = torch.vtensor.literal(dense<-2> : tensor<si64>)
// CHECK-DAG:     %[[IS:.*]] = torch.vtensor.literal(dense<[1, -2]> : tensor<2xsi64>)
// CHECK-DAG:     %[[NONE:.*]] = torch.vtensor.literal(dense<> : tensor<0xsi64>)
// CHECK-DAG:     %[[F:.*]] = torch.vtensor.literal(dense<1.500000e+00> : tensor<f32>)
// CHECK-DAG:     %[[FS:.*]] = torch.vtensor.literal(dense<[1.500000e+00, 2.000000e+00]> : tensor<2xf32>)
// CHECK-DAG:     %[[S:.*]] = torch.vtensor.literal(dense<[0.000000e+00, 5.000000e+00]> : tensor<2xf32>)
// CHECK:         return %[[I]], %[[IS]], %[[NONE]], %[[F]], %[[FS]], %[[S]]
func.func @other_attributes() -> (tensor<i64>, tensor<2xi64>, tensor<0xi64>, tensor<f32>, tensor<2xf32>, tensor<2xf32>) {
  %i = onnx.Constant {value_int = -2 : si64} : tensor<i64>
  %is = onnx.Constant {value_ints = [1, -2]} : tensor<2xi64>
  %none = onnx.Constant {value_ints = []} : tensor<0xi64>
  %f = onnx.Constant {value_float = 1.5 : f32} : tensor<f32>
  %fs = onnx.Constant {value_floats = [1.5 : f32, 2.0 : f32]} : tensor<2xf32>
  %s = onnx.Constant {sparse_value = sparse<[[1]], [5.0]> : tensor<2xf32>} : tensor<2xf32>
  onnx.Return %i, %is, %none, %f, %fs, %s
      : tensor<i64>, tensor<2xi64>, tensor<0xi64>, tensor<f32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// Sizes are traced through constants in any of these forms.
// CHECK-LABEL: func.func @sizes(
// CHECK:         torch.aten.view{{.*}} -> !torch.vtensor<[3,2],f32>
func.func @sizes(%x: tensor<6xf32>) -> tensor<3x2xf32> {
  %sizes = onnx.Constant {value_ints = [3, 2]} : tensor<2xi64>
  %y = "onnx.Reshape"(%x, %sizes) : (tensor<6xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  onnx.Return %y : tensor<3x2xf32>
}

// -----

func.func @strings() -> tensor<2x!onnx.String> {
  // expected-error @below {{no lowering to torch for 'onnx.Constant': torch has no dtype for '!onnx.String'}}
  %s = onnx.Constant dense<["a", "b"]> : tensor<2x!onnx.String>
  onnx.Return %s : tensor<2x!onnx.String>
}

// -----

func.func @string() -> tensor<!onnx.String> {
  // expected-error @below {{no lowering to torch for 'onnx.Constant': torch has no dtype for '!onnx.String'}}
  %s = onnx.Constant {value_string = "a"} : tensor<!onnx.String>
  onnx.Return %s : tensor<!onnx.String>
}
