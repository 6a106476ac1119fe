// RUN: isthmus-opt %s --outline-patterns=files=%S/Inputs/patterns.mlir --split-input-file | FileCheck %s

// The operands of a sum may be swapped. The body has the program's own order of operands.

// CHECK-LABEL: func.func @commuted
// CHECK-SAME:    (%[[A:.*]]: !torch.vtensor<[2,3],f32>, %[[B:.*]]: !torch.vtensor<[2,3],f32>)
// CHECK-NEXT:    %[[Y:.*]] = call @acme.Mix(%[[A]], %[[B]])
// CHECK-NEXT:    %[[Z:.*]] = call @acme.Mix_0(%[[A]], %[[Y]])
// CHECK-NEXT:    return %[[Z]]
// CHECK:       func.func private @acme.Mix(%[[X:.*]]: !torch.vtensor<[2,3],f32>, %[[Y:.*]]: !torch.vtensor<[2,3],f32>)
// CHECK-SAME:    attributes {isthmus.custom_op = {attributes = {{.*}}, domain = "acme", name = "acme.Mix"}}
// CHECK:         torch.aten.add.Tensor %[[Y]], %[[X]]
// CHECK:       func.func private @acme.Mix_0(%[[X0:.*]]: !torch.vtensor<[2,3],f32>, %[[Y0:.*]]: !torch.vtensor<[2,3],f32>)
// CHECK:         torch.aten.add.Tensor %[[Y0]], %[[X0]]
func.func @commuted(%a: !torch.vtensor<[2,3],f32>, %b: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
  %one = torch.constant.int 1
  %0 = torch.aten.add.Tensor %b, %a, %one : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
  %1 = torch.aten.mul.Tensor %0, %b : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  %2 = torch.aten.add.Tensor %1, %a, %one : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
  %3 = torch.aten.mul.Tensor %1, %2 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  return %3 : !torch.vtensor<[2,3],f32>
}

// -----

// None of these matches the pattern: another use of the sum, another alpha, another rank, another dtype.

// CHECK-LABEL: func.func @others
// CHECK-NOT:   call
func.func @others(%a: !torch.vtensor<[2,3],f32>, %b: !torch.vtensor<[2,3],f32>, %c: !torch.vtensor<[3],f32>, %d: !torch.vtensor<[2,3],f64>)
    -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f64>) {
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %0 = torch.aten.add.Tensor %a, %b, %one : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
  %1 = torch.aten.mul.Tensor %0, %b : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  %2 = torch.aten.add.Tensor %a, %b, %two : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
  %3 = torch.aten.mul.Tensor %2, %b : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  %4 = torch.aten.add.Tensor %a, %c, %one : !torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
  %5 = torch.aten.mul.Tensor %4, %c : !torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32> -> !torch.vtensor<[2,3],f32>
  %6 = torch.aten.add.Tensor %a, %d, %one : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f64>, !torch.int -> !torch.vtensor<[2,3],f64>
  %7 = torch.aten.mul.Tensor %6, %d : !torch.vtensor<[2,3],f64>, !torch.vtensor<[2,3],f64> -> !torch.vtensor<[2,3],f64>
  return %0, %1, %3, %5, %7 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f64>
}

// -----

// A number may be a tensor of one element. An argument of the pattern that is a number is one of the custom op, too.

// CHECK-LABEL: func.func @numbers
// CHECK-NEXT:    %[[Y:.*]] = call @acme.Scaled(%{{.*}}) : (!torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
// CHECK-NEXT:    return %[[Y]]
// CHECK:       func.func private @acme.Scaled
// CHECK-SAME:    {\22name\22:\22scale\22,\22type\22:\22float\22,\22value\22:0.25}
func.func @numbers(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %half = torch.vtensor.literal(dense<0.5> : tensor<f32>) : !torch.vtensor<[],f32>
  %scale = torch.vtensor.literal(dense<0.25> : tensor<f32>) : !torch.vtensor<[],f32>
  %one = torch.vtensor.literal(dense<1.0> : tensor<1xf32>) : !torch.vtensor<[1],f32>
  %int1 = torch.constant.int 1
  %0 = torch.aten.mul.Tensor %half, %x : !torch.vtensor<[],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  %1 = torch.aten.tanh %0 : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  %2 = torch.aten.mul.Tensor %1, %scale : !torch.vtensor<[?],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[?],f32>
  %3 = torch.aten.add.Tensor %2, %one, %int1 : !torch.vtensor<[?],f32>, !torch.vtensor<[1],f32>, !torch.int -> !torch.vtensor<[?],f32>
  return %3 : !torch.vtensor<[?],f32>
}

// -----

// An intermediate result that the pattern returns is a result of the function, even if it is unused.

// CHECK-LABEL: func.func @results
// CHECK:         %[[FIRST:.*]]:2 = call @acme.SumOfSquares(%{{.*}})
// CHECK-NEXT:    %[[SECOND:.*]]:2 = call @acme.SumOfSquares_0(%[[FIRST]]#1)
// CHECK-NEXT:    return %[[FIRST]]#0, %[[SECOND]]#0
// CHECK:       func.func private @acme.SumOfSquares(
// CHECK-SAME:    {\22type\22:\22list<int>\22,\22value\22:[1]}
func.func @results(%x: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[2,1],f32>, !torch.vtensor<[1,3],f32>) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %none = torch.constant.none
  %dims1 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %dims0 = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  %0 = torch.aten.square %x : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  %1 = torch.aten.sum.dim_IntList %0, %dims1, %true, %none : !torch.vtensor<[2,3],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[2,1],f32>
  %2 = torch.aten.square %0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  %3 = torch.aten.sum.dim_IntList %2, %dims0, %true, %none : !torch.vtensor<[2,3],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[1,3],f32>
  return %1, %3 : !torch.vtensor<[2,1],f32>, !torch.vtensor<[1,3],f32>
}

// -----

// A number that also has uses outside is computed both inside and outside.

// CHECK-LABEL: func.func @sizes
// CHECK:         %[[N:.*]] = torch.aten.size.int
// CHECK:         %[[FLAT:.*]] = call @acme.Flat(%{{.*}})
// CHECK:         torch.aten.mul.Scalar %[[FLAT]], %[[N]]
// CHECK:       func.func private @acme.Flat(
// CHECK:         %[[OWN:.*]] = torch.aten.size.int
// CHECK:         torch.prim.ListConstruct %[[OWN]], %
func.func @sizes(%x: !torch.vtensor<[?,2,2],f32>) -> !torch.vtensor<[?,4],f32> {
  %int0 = torch.constant.int 0
  %int-1 = torch.constant.int -1
  %n = torch.aten.size.int %x, %int0 : !torch.vtensor<[?,2,2],f32>, !torch.int -> !torch.int
  %sizes = torch.prim.ListConstruct %n, %int-1 : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.neg %x : !torch.vtensor<[?,2,2],f32> -> !torch.vtensor<[?,2,2],f32>
  %1 = torch.aten.view %0, %sizes : !torch.vtensor<[?,2,2],f32>, !torch.list<int> -> !torch.vtensor<[?,4],f32>
  %2 = torch.aten.mul.Scalar %1, %n : !torch.vtensor<[?,4],f32>, !torch.int -> !torch.vtensor<[?,4],f32>
  return %2 : !torch.vtensor<[?,4],f32>
}

// -----

// Patterns are found in the body of a loop. Ops inside and outside of the loop cannot match one pattern together.

// CHECK-LABEL: func.func @loop
// CHECK:         torch.prim.Loop
// CHECK:           call @acme.Mix(
// CHECK-NOT:       call
func.func @loop(%a: !torch.vtensor<[2,3],f32>, %n: !torch.int) -> !torch.vtensor<[2,3],f32> {
  %one = torch.constant.int 1
  %true = torch.constant.bool true
  %twice = torch.aten.add.Tensor %a, %a, %one : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
  %r = torch.prim.Loop %n, %true, init(%a) {
  ^bb0(%i: !torch.int, %x: !torch.vtensor<[2,3],f32>):
    %0 = torch.aten.add.Tensor %x, %a, %one : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
    %1 = torch.aten.mul.Tensor %a, %0 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
    %2 = torch.aten.mul.Tensor %twice, %a : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
    %3 = torch.aten.sub.Tensor %1, %2, %one : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
    torch.prim.Loop.condition %true, iter(%3 : !torch.vtensor<[2,3],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r : !torch.vtensor<[2,3],f32>
}
