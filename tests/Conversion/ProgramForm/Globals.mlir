// REQUIRES: tosa
// RUN: isthmus-opt %s --weights-to-globals=min-bytes=8 | FileCheck %s
// RUN: isthmus-opt %s --weights-to-globals=min-bytes=8 --globals-to-weights | FileCheck %s --check-prefix=BACK

// Equal constants become one global, which each function loads once. Splats,
// bools and small constants stay.

// CHECK:       ml_program.global private @weight_0(dense<[1, 2, 3]> : tensor<3xi32>) : tensor<3xi32>
// CHECK:       ml_program.global private @w(dense_resource<w> : tensor<2xf32>) : tensor<2xf32>
// CHECK-LABEL: func.func @main(
// CHECK-DAG:     %[[ONE:.*]] = ml_program.global_load_const @weight_0 : tensor<3xi32>
// CHECK-DAG:     %[[W:.*]] = ml_program.global_load_const @w : tensor<2xf32>
// CHECK-DAG:     %[[SPLAT:.*]] = "tosa.const"() <{values = dense<7> : tensor<3xi32>}>
// CHECK-DAG:     %[[BOOLS:.*]] = "tosa.const"() <{values = dense<[true, false, true, true, false, true, true, true, false]>
// CHECK-DAG:     %[[SMALL:.*]] = "tosa.const"() <{values = dense<3> : tensor<1xi32>}>
// CHECK:         return %[[ONE]], %[[ONE]], %[[W]], %[[SPLAT]], %[[BOOLS]], %[[SMALL]]

// BACK-NOT:    ml_program
// BACK-LABEL:  func.func @main(
// BACK-DAG:      %[[ONE:.*]] = "tosa.const"() <{values = dense<[1, 2, 3]> : tensor<3xi32>}>
// BACK-DAG:      %[[W:.*]] = "tosa.const"() <{values = dense_resource<w> : tensor<2xf32>}>
// BACK:          return %[[ONE]], %[[ONE]], %[[W]],
func.func @main() -> (tensor<3xi32>, tensor<3xi32>, tensor<2xf32>, tensor<3xi32>, tensor<9xi1>, tensor<1xi32>) {
  %0 = "tosa.const"() <{values = dense<[1, 2, 3]> : tensor<3xi32>}> : () -> tensor<3xi32>
  %1 = "tosa.const"() <{values = dense<[1, 2, 3]> : tensor<3xi32>}> : () -> tensor<3xi32>
  %2 = "tosa.const"() <{values = dense_resource<w> : tensor<2xf32>}> : () -> tensor<2xf32>
  %3 = "tosa.const"() <{values = dense<7> : tensor<3xi32>}> : () -> tensor<3xi32>
  %4 = "tosa.const"() <{values = dense<[true, false, true, true, false, true, true, true, false]> : tensor<9xi1>}> : () -> tensor<9xi1>
  %5 = "tosa.const"() <{values = dense<3> : tensor<1xi32>}> : () -> tensor<1xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<3xi32>, tensor<3xi32>, tensor<2xf32>, tensor<3xi32>, tensor<9xi1>, tensor<1xi32>
}

// CHECK-LABEL: func.func private @other()
// CHECK-NEXT:    %[[ONE:.*]] = ml_program.global_load_const @weight_0 : tensor<3xi32>
// CHECK-NEXT:    return %[[ONE]]
func.func private @other() -> tensor<3xi32> {
  %0 = "tosa.const"() <{values = dense<[1, 2, 3]> : tensor<3xi32>}> : () -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F00000040"
    }
  }
#-}
