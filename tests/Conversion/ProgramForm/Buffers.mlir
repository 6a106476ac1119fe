// REQUIRES: mhlo
// RUN: isthmus-opt %s --buffers-to-arguments | FileCheck %s --check-prefix=ARGUMENTS
// RUN: isthmus-opt %s --buffers-to-arguments --buffers-to-globals --split-input-file --verify-diagnostics | FileCheck %s

// There are no globals of the torch dialect's types, so the second step runs
// after a lowering. Here the constant has a builtin type from the start.

// ARGUMENTS-LABEL: func.func @main(
// ARGUMENTS-SAME:      %[[X:.*]]: tensor<2xf32> {isthmus.name = "x"},
// ARGUMENTS-SAME:      %[[SUM:.*]]: tensor<2xf32> {isthmus.initial = @sum_initial, isthmus.name = "sum"}
// ARGUMENTS-SAME:      -> (tensor<2xf32>, tensor<2xf32> {isthmus.mutates = "sum"})
// ARGUMENTS:         %[[NEW:.*]] = mhlo.add %[[SUM]], %[[X]]
// ARGUMENTS:         return %[[X]], %[[NEW]]
// ARGUMENTS-LABEL: func.func private @sum_initial() -> tensor<2xf32>
// ARGUMENTS-NEXT:    %[[INITIAL:.*]] = mhlo.constant dense<1.000000e+00> : tensor<2xf32>
// ARGUMENTS-NEXT:    return %[[INITIAL]]

// CHECK:       ml_program.global private mutable @sum(dense<1.000000e+00> : tensor<2xf32>) : tensor<2xf32>
// CHECK-LABEL: func.func @main(
// CHECK-SAME:      %[[X:.*]]: tensor<2xf32> {isthmus.name = "x"}) -> tensor<2xf32>
// CHECK:         %[[OLD:.*]] = ml_program.global_load @sum : tensor<2xf32>
// CHECK:         %[[NEW:.*]] = mhlo.add %[[OLD]], %[[X]]
// CHECK:         ml_program.global_store @sum = %[[NEW]] : tensor<2xf32>
// CHECK-NEXT:    return %[[X]] : tensor<2xf32>
// CHECK-NOT:   @sum_initial
func.func @main(%x: tensor<2xf32> {isthmus.name = "x"}) -> (tensor<2xf32>, tensor<2xf32> {isthmus.mutates = "sum"}) {
  %0 = mhlo.constant {isthmus.buffer = "sum"} dense<1.0> : tensor<2xf32>
  %1 = mhlo.add %0, %x : tensor<2xf32>
  return %x, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// An input that the program writes to stays an argument and a result.

// CHECK-LABEL: func.func @input(
// CHECK-SAME:      %{{.*}}: tensor<2xf32> {isthmus.name = "x"}) -> (tensor<2xf32> {isthmus.mutates = "x"})
func.func @input(%x: tensor<2xf32> {isthmus.name = "x"}) -> (tensor<2xf32> {isthmus.mutates = "x"}) {
  %1 = mhlo.add %x, %x : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// expected-error @below {{buffer "sum": expected a name and a builtin tensor of known sizes, got '!torch.vtensor<[2],f32>'}}
func.func @torch() -> (!torch.vtensor<[2],f32> {isthmus.mutates = "sum"}) {
  %0 = torch.vtensor.literal(dense<1.0> : tensor<2xf32>) {isthmus.buffer = "sum"} : !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

// expected-error @below {{buffer "sum": expected a result of type 'tensor<2xf32>' that it becomes, got 'tensor<?xf32>'}}
func.func @other_type(%x: tensor<?xf32>) -> (tensor<?xf32> {isthmus.mutates = "sum"}) {
  %0 = mhlo.constant {isthmus.buffer = "sum"} dense<1.0> : tensor<2xf32>
  return %x : tensor<?xf32>
}

// -----

// expected-error @below {{buffer "sum": expected a result of type 'tensor<2xf32>' that it becomes, got none}}
func.func @no_result(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = mhlo.constant {isthmus.buffer = "sum"} dense<1.0> : tensor<2xf32>
  return %x : tensor<2xf32>
}

// -----

// expected-error @below {{buffer "sum": expected @initial to return a constant of 'tensor<2xf32>'}}
func.func @no_constant(%x: tensor<2xf32> {isthmus.initial = @initial, isthmus.name = "sum"}) -> (tensor<2xf32> {isthmus.mutates = "sum"}) {
  return %x : tensor<2xf32>
}
func.func private @initial() -> tensor<2xf32>
