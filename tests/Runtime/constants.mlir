// REQUIRES: jit
// RUN: isthmus-run %s --print-stage=constants | FileCheck %s

// A resource stays in place and has one symbol for all its uses. A small or
// uniform constant stays in the code.

// CHECK:       memref.global @[[WEIGHT:isthmus.constant.*]] : memref<2x2xf32>
// CHECK-NOT:   memref.global
// CHECK:       func.func @main
// CHECK-DAG:   memref.get_global @[[WEIGHT]] : memref<2x2xf32>
// CHECK-DAG:   arith.constant dense<1.000000e+00> : tensor<512xf32>
// CHECK-DAG:   arith.constant dense<[1, 2]> : tensor<2xi64>
// CHECK-NOT:   dense_resource
func.func @main() -> (tensor<2x2xf32>, tensor<512xf32>, tensor<2xi64>, tensor<2x2xf32>) {
  %weight = arith.constant dense_resource<weight> : tensor<2x2xf32>
  %again = arith.constant dense_resource<weight> : tensor<2x2xf32>
  %ones = arith.constant dense<1.0> : tensor<512xf32>
  %pair = arith.constant dense<[1, 2]> : tensor<2xi64>
  return %weight, %ones, %pair, %again : tensor<2x2xf32>, tensor<512xf32>, tensor<2xi64>, tensor<2x2xf32>
}

{-# dialect_resources: { builtin: { weight: "0x040000000000803F000000400000404000008040" } } #-}
