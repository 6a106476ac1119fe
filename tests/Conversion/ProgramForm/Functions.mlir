// RUN: isthmus-opt %s --func-to-ml-program | FileCheck %s
// RUN: isthmus-opt %s --func-to-ml-program --ml-program-to-func | FileCheck %s --check-prefix=BACK

// A function that another one calls stays in func, since the call is an op of func.

// CHECK-LABEL: ml_program.func @main(
// CHECK-SAME:      %[[X:.*]]: tensor<2xf32> {isthmus.name = "x"}) -> (tensor<2xf32> {isthmus.name = "y"})
// CHECK:         %[[Y:.*]] = func.call @helper(%[[X]])
// CHECK-NEXT:    ml_program.return %[[Y]] : tensor<2xf32>
// CHECK-LABEL: func.func @helper(

// BACK-LABEL: func.func @main(
// BACK-SAME:      %[[X:.*]]: tensor<2xf32> {isthmus.name = "x"}) -> (tensor<2xf32> {isthmus.name = "y"})
// BACK:         %[[Y:.*]] = call @helper(%[[X]])
// BACK-NEXT:    return %[[Y]] : tensor<2xf32>
func.func @main(%x: tensor<2xf32> {isthmus.name = "x"}) -> (tensor<2xf32> {isthmus.name = "y"}) {
  %0 = func.call @helper(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @helper(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
