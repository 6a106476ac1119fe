// REQUIRES: tosa
// RUN: isthmus-opt %s --tosa-simplify-layout | FileCheck %s

// A weight in a file keeps its layout: its product becomes a convolution.

// CHECK-LABEL: func.func @linear(
// CHECK-SAME:      %[[X:.*]]: tensor<1x?x2xf32>
// CHECK-DAG:     %[[W:.*]] = "tosa.const"() <{values = dense_resource<w> : tensor<3x1x1x2xf32>}>
// CHECK-DAG:     %[[BIAS:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<3xf32>}>
// CHECK-DAG:     %[[ZERO:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}>
// CHECK-DAG:     %[[PIXELS:.*]] = tosa.reshape %[[X]], {{.*}} -> tensor<1x?x1x2xf32>
// CHECK:         %[[Y:.*]] = tosa.conv2d %[[PIXELS]], %[[W]], %[[BIAS]], %[[ZERO]], %[[ZERO]] {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
// CHECK-SAME:        -> tensor<1x?x1x3xf32>
// CHECK:         tosa.reshape %[[Y]], {{.*}} -> tensor<1x?x3xf32>
func.func @linear(%x: tensor<1x?x2xf32>) -> tensor<1x?x3xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = "tosa.const"() <{values = dense_resource<w> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
  %sizes = tosa.const_shape {values = dense<[1, 2, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %t = tosa.transpose %w {perms = array<i32: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %r = tosa.reshape %t, %sizes : (tensor<2x3xf32>, !tosa.shape<3>) -> tensor<1x2x3xf32>
  %y = tosa.matmul %x, %r, %zero, %zero : (tensor<1x?x2xf32>, tensor<1x2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x3xf32>
  return %y : tensor<1x?x3xf32>
}

// Several products use the same weight.

// CHECK-LABEL: func.func @shared(
// CHECK-NOT:     tosa.transpose
// CHECK:         %[[W:.*]] = "tosa.const"() <{values = dense_resource<w> : tensor<3x1x1x2xf32>}>
// CHECK:         tosa.conv2d %{{.*}}, %[[W]],
// CHECK:         %[[V:.*]] = "tosa.const"() <{values = dense_resource<w> : tensor<3x1x1x2xf32>}>
// CHECK:         tosa.conv2d %{{.*}}, %[[V]],
// CHECK-NOT:     tosa.matmul
// CHECK:         return
func.func @shared(%x: tensor<1x3x2xf32>, %z: tensor<1x4x2xf32>) -> (tensor<1x3x3xf32>, tensor<1x4x3xf32>) {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = "tosa.const"() <{values = dense_resource<w> : tensor<1x3x2xf32>}> : () -> tensor<1x3x2xf32>
  %t = tosa.transpose %w {perms = array<i32: 0, 2, 1>} : (tensor<1x3x2xf32>) -> tensor<1x2x3xf32>
  %y = tosa.matmul %x, %t, %zero, %zero : (tensor<1x3x2xf32>, tensor<1x2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3xf32>
  %u = tosa.matmul %z, %t, %zero, %zero : (tensor<1x4x2xf32>, tensor<1x2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x3xf32>
  return %y, %u : tensor<1x3x3xf32>, tensor<1x4x3xf32>
}

// Other operands are small enough to transpose at compile time, or are not weights.

// CHECK-LABEL: func.func @small(
// CHECK:         tosa.matmul
// CHECK-LABEL: func.func @batched(
// CHECK:         tosa.matmul
func.func @small(%x: tensor<1x4x2xf32>) -> tensor<1x4x3xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = "tosa.const"() <{values = dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]> : tensor<1x3x2xf32>}> : () -> tensor<1x3x2xf32>
  %t = tosa.transpose %w {perms = array<i32: 0, 2, 1>} : (tensor<1x3x2xf32>) -> tensor<1x2x3xf32>
  %y = tosa.matmul %x, %t, %zero, %zero : (tensor<1x4x2xf32>, tensor<1x2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x3xf32>
  return %y : tensor<1x4x3xf32>
}
func.func @batched(%x: tensor<2x4x2xf32>, %w: tensor<2x3x2xf32>) -> tensor<2x4x3xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %t = tosa.transpose %w {perms = array<i32: 0, 2, 1>} : (tensor<2x3x2xf32>) -> tensor<2x2x3xf32>
  %y = tosa.matmul %x, %t, %zero, %zero : (tensor<2x4x2xf32>, tensor<2x2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x3xf32>
  return %y : tensor<2x4x3xf32>
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F0000004000004040000080400000A0400000C040"
    }
  }
#-}
