// RUN: isthmus-opt %s --tosa-simplify-layout | FileCheck %s

// MLIR would end the process if it folded these ops.

// CHECK-LABEL: func.func @one_of_several
// CHECK: "tosa.const"() <{values = dense_resource<several> : tensor<4xi32>}>
// CHECK: tosa.slice
func.func @one_of_several() -> tensor<1xi32> {
  %w = "tosa.const"() <{values = dense_resource<several> : tensor<4xi32>}> : () -> tensor<4xi32>
  %one = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %r = tosa.slice %w, %one, %one : (tensor<4xi32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// CHECK-LABEL: func.func @one_of_several_in_another_shape
// CHECK: tosa.slice
func.func @one_of_several_in_another_shape() -> tensor<1xi32> {
  %w = "tosa.const"() <{values = dense_resource<several> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
  %four = tosa.const_shape {values = dense<4> : tensor<1xindex>} : () -> !tosa.shape<1>
  %one = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %x = tosa.reshape %w, %four : (tensor<2x2xi32>, !tosa.shape<1>) -> tensor<4xi32>
  %a = tosa.slice %x, %one, %one : (tensor<4xi32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<1xi32>
  %b = tosa.slice %x, %one, %one : (tensor<4xi32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<1xi32>
  %r = tosa.add %a, %b : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// CHECK-LABEL: func.func @cast_of_one
// CHECK: "tosa.const"() <{values = dense_resource<one> : tensor<1xi8>}>
// CHECK: tosa.cast
func.func @cast_of_one() -> tensor<1xi32> {
  %w = "tosa.const"() <{values = dense_resource<one> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.cast %w : (tensor<1xi8>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

{-# dialect_resources: { builtin: {
  several: "0x0400000001000000020000000300000004000000",
  one: "0x0100000021"
} } #-}
