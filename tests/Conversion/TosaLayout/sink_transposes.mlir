// REQUIRES: tosa
// RUN: isthmus-opt %s --tosa-simplify-layout | FileCheck %s

// The transposes around a pointwise op cancel, and the constant is transposed instead.
// CHECK-LABEL: func.func @pointwise
// CHECK-SAME:    (%[[X:.*]]: tensor<1x4x4x3xf32>, %[[Y:.*]]: tensor<1x4x4x3xf32>)
// CHECK-DAG:     %[[SCALE:.*]] = "tosa.const"() <{values = dense<{{.*}}1.000000e+00, 2.000000e+00, 3.000000e+00{{.*}}> : tensor<1x1x1x3xf32>}>
// CHECK-DAG:     %[[SUM:.*]] = tosa.add %[[X]], %[[Y]] : (tensor<1x4x4x3xf32>, tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
// CHECK:         %[[R:.*]] = tosa.add %[[SUM]], %[[SCALE]]
// CHECK:         return %[[R]]
func.func @pointwise(%x: tensor<1x4x4x3xf32>, %y: tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32> {
  %scale = "tosa.const"() <{values = dense<[[[[1.0]], [[2.0]], [[3.0]]]]> : tensor<1x3x1x1xf32>}> : () -> tensor<1x3x1x1xf32>
  %a = tosa.transpose %x {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x4x4x3xf32>) -> tensor<1x3x4x4xf32>
  %b = tosa.transpose %y {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x4x4x3xf32>) -> tensor<1x3x4x4xf32>
  %s = tosa.add %a, %b : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %t = tosa.add %s, %scale : (tensor<1x3x4x4xf32>, tensor<1x3x1x1xf32>) -> tensor<1x3x4x4xf32>
  %r = tosa.transpose %t {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x3x4x4xf32>) -> tensor<1x4x4x3xf32>
  return %r : tensor<1x4x4x3xf32>
}

// CHECK-LABEL: func.func @one_operand_only
// CHECK:         %[[T:.*]] = tosa.transpose
// CHECK:         tosa.add %[[T]]
func.func @one_operand_only(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %t = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %r = tosa.add %t, %y : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @reduction
// CHECK-SAME:    (%[[X:.*]]: tensor<2x4x5x3xf32>)
// CHECK:         tosa.reduce_sum %[[X]] {axis = 2 : i32} : (tensor<2x4x5x3xf32>) -> tensor<2x4x1x3xf32>
func.func @reduction(%x: tensor<2x4x5x3xf32>) -> tensor<2x3x4x1xf32> {
  %t = tosa.transpose %x {perms = array<i32: 0, 3, 1, 2>} : (tensor<2x4x5x3xf32>) -> tensor<2x3x4x5xf32>
  %r = tosa.reduce_sum %t {axis = 3 : i32} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x1xf32>
  return %r : tensor<2x3x4x1xf32>
}

// CHECK-LABEL: func.func @concat
// CHECK-SAME:    (%[[X:.*]]: tensor<2x3x4xf32>)
// CHECK:         tosa.concat %[[X]], %[[X]] {axis = 2 : i32} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x8xf32>
func.func @concat(%x: tensor<2x3x4xf32>) -> tensor<2x8x3xf32> {
  %t = tosa.transpose %x {perms = array<i32: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %r = tosa.concat %t, %t {axis = 1 : i32} : (tensor<2x4x3xf32>, tensor<2x4x3xf32>) -> tensor<2x8x3xf32>
  return %r : tensor<2x8x3xf32>
}

// CHECK-LABEL: func.func @pad
// CHECK-DAG:     %[[PADDING:.*]] = tosa.const_shape {values = dense<[0, 0, 5, 6, 1, 2]> : tensor<6xindex>}
// CHECK:         tosa.pad %{{.*}}, %[[PADDING]], %{{.*}} -> tensor<2x14x7xf32>
func.func @pad(%x: tensor<2x3x4xf32>) -> tensor<2x7x14xf32> {
  %padding = tosa.const_shape {values = dense<[0, 0, 1, 2, 5, 6]> : tensor<6xindex>} : () -> !tosa.shape<6>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %t = tosa.transpose %x {perms = array<i32: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %r = tosa.pad %t, %padding, %zero : (tensor<2x4x3xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<2x7x14xf32>
  return %r : tensor<2x7x14xf32>
}

// CHECK-LABEL: func.func @slice
// CHECK-DAG:     %[[START:.*]] = tosa.const_shape {values = dense<[0, 2, 1]> : tensor<3xindex>}
// CHECK-DAG:     %[[SIZE:.*]] = tosa.const_shape {values = dense<[2, 1, 3]> : tensor<3xindex>}
// CHECK:         tosa.slice %{{.*}}, %[[START]], %[[SIZE]] {{.*}} -> tensor<2x1x3xf32>
func.func @slice(%x: tensor<2x3x4xf32>) -> tensor<2x3x1xf32> {
  %start = tosa.const_shape {values = dense<[0, 1, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %size = tosa.const_shape {values = dense<[2, 3, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %t = tosa.transpose %x {perms = array<i32: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %r = tosa.slice %t, %start, %size : (tensor<2x4x3xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<2x3x1xf32>
  return %r : tensor<2x3x1xf32>
}
