// REQUIRES: tosa
// RUN: isthmus-opt %s --tosa-simplify-layout | FileCheck %s

// CHECK-LABEL: func.func @broadcast
// CHECK-SAME:    (%[[X:.*]]: tensor<1x3xf32>, %[[Y:.*]]: tensor<2x3xf32>)
// CHECK:         tosa.add %[[X]], %[[Y]] : (tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @broadcast(%x: tensor<1x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %twice = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %t = tosa.tile %x, %twice : (tensor<1x3xf32>, !tosa.shape<2>) -> tensor<2x3xf32>
  %r = tosa.add %t, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// The other operand does not have the size either, so the tile stays.
// CHECK-LABEL: func.func @needed
// CHECK:         tosa.tile
func.func @needed(%x: tensor<1x3xf32>, %y: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %twice = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %t = tosa.tile %x, %twice : (tensor<1x3xf32>, !tosa.shape<2>) -> tensor<2x3xf32>
  %r = tosa.add %t, %y : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// Repeating three elements is not a broadcast.
// CHECK-LABEL: func.func @repeated
// CHECK:         tosa.tile
func.func @repeated(%x: tensor<3xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {
  %twice = tosa.const_shape {values = dense<[2]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %t = tosa.tile %x, %twice : (tensor<3xf32>, !tosa.shape<1>) -> tensor<6xf32>
  %r = tosa.add %t, %y : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}
