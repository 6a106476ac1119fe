// REQUIRES: tosa
// RUN: isthmus-opt %s --tosa-simplify-layout | FileCheck %s

// CHECK-LABEL: func.func @dense
// CHECK:         "tosa.const"() <{values = dense<{{\[}}[1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>}>
// CHECK-NOT:     tosa.transpose
func.func @dense() -> tensor<3x2xf32> {
  %w = "tosa.const"() <{values = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
  %t = tosa.transpose %w {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %t : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @splat
// CHECK:         "tosa.const"() <{values = dense<1.000000e+00> : tensor<3x2xf32>}>
func.func @splat() -> tensor<3x2xf32> {
  %w = "tosa.const"() <{values = dense<1.0> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
  %t = tosa.transpose %w {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %t : tensor<3x2xf32>
}

// Only a dim of size 1 moves, so the same blob gets another type.
// CHECK-LABEL: func.func @resource_of_another_shape
// CHECK:         "tosa.const"() <{values = dense_resource<weight> : tensor<2x1x1x2xi8>}>
func.func @resource_of_another_shape() -> tensor<2x1x1x2xi8> {
  %w = "tosa.const"() <{values = dense_resource<weight> : tensor<2x2x1x1xi8>}> : () -> tensor<2x2x1x1xi8>
  %t = tosa.transpose %w {perms = array<i32: 0, 2, 3, 1>} : (tensor<2x2x1x1xi8>) -> tensor<2x1x1x2xi8>
  return %t : tensor<2x1x1x2xi8>
}

// CHECK-LABEL: func.func @resource
// CHECK:         "tosa.const"() <{values = dense_resource<turned_transposed> : tensor<2x2xi8>}>
func.func @resource() -> tensor<2x2xi8> {
  %w = "tosa.const"() <{values = dense_resource<turned> : tensor<2x2xi8>}> : () -> tensor<2x2xi8>
  %t = tosa.transpose %w {perms = array<i32: 1, 0>} : (tensor<2x2xi8>) -> tensor<2x2xi8>
  return %t : tensor<2x2xi8>
}

// CHECK: turned_transposed: "0x{{[0-9]+}}01030204"
{-#
  dialect_resources: {
    builtin: {
      turned: "0x0100000001020304",
      weight: "0x0100000001020304"
    }
  }
#-}
