// RUN: isthmus-opt %s --merge-equal-ops | FileCheck %s

// The first of equal ops stays, even if their locations differ, and unused ops are erased.
// CHECK-LABEL: func.func @equal(
// CHECK-SAME:      %[[X:.*]]: !torch.vtensor<[2],f32>
// CHECK-NEXT:    %[[ONE:.*]] = torch.constant.int 1
// CHECK-NEXT:    %[[SUM:.*]] = torch.aten.add.Tensor %[[X]], %[[X]], %[[ONE]]
// CHECK-NEXT:    %[[Y:.*]] = torch.aten.mul.Tensor %[[SUM]], %[[SUM]]
// CHECK-NEXT:    return %[[Y]]
func.func @equal(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %one = torch.constant.int 1
  %a = torch.aten.add.Tensor %x, %x, %one : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32> loc("a")
  %again = torch.constant.int 1
  %b = torch.aten.add.Tensor %x, %x, %again : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32> loc("b")
  %unused = torch.aten.neg %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  %y = torch.aten.mul.Tensor %a, %b : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %y : !torch.vtensor<[2],f32>
}

// Ops with different result types are not equal.
// CHECK-LABEL: func.func @types(
// CHECK-COUNT-2: torch.aten.neg
func.func @types(%x: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[?],f32>) {
  %a = torch.aten.neg %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  %b = torch.aten.neg %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[?],f32>
  return %a, %b : !torch.vtensor<[2],f32>, !torch.vtensor<[?],f32>
}

// An op in a region merges with an equal op before the region, but not with one in another region or after it.
// CHECK-LABEL: func.func @regions(
// CHECK-SAME:      %[[X:.*]]: !torch.vtensor<[2],f32>, %{{.*}}: !torch.bool
// CHECK-NEXT:    %[[NEG:.*]] = torch.aten.neg %[[X]]
// CHECK-NEXT:    %[[IF:.*]] = torch.prim.If
// CHECK-NEXT:      %[[ABS:.*]] = torch.aten.abs %[[X]]
// CHECK-NEXT:      %[[SUM:.*]] = torch.aten.mul.Tensor %[[NEG]], %[[ABS]]
// CHECK-NEXT:      torch.prim.If.yield %[[SUM]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[ABS:.*]] = torch.aten.abs %[[X]]
// CHECK-NEXT:      torch.prim.If.yield %[[ABS]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[ABS:.*]] = torch.aten.abs %[[X]]
// CHECK-NEXT:    return %[[NEG]], %[[IF]], %[[ABS]]
func.func @regions(%x: !torch.vtensor<[2],f32>, %p: !torch.bool) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) {
  %a = torch.aten.neg %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  %b = torch.prim.If %p -> (!torch.vtensor<[2],f32>) {
    %c = torch.aten.neg %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
    %d = torch.aten.abs %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
    %e = torch.aten.mul.Tensor %c, %d : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
    torch.prim.If.yield %e : !torch.vtensor<[2],f32>
  } else {
    %f = torch.aten.abs %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
    torch.prim.If.yield %f : !torch.vtensor<[2],f32>
  }
  %g = torch.aten.abs %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %a, %b, %g : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
}

// Unknown ops may have effects and are not merged.
// CHECK-LABEL: func.func @effects(
// CHECK-COUNT-2: torch.operator "mine.op"
func.func @effects(%x: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) {
  %a = torch.operator "mine.op"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  %b = torch.operator "mine.op"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %a, %b : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
}

// The regions of TOSA's control flow use no values from outside.
// CHECK-LABEL: func.func @isolated_regions(
// CHECK:         tosa.while_loop
// CHECK-NEXT:      %[[LIMIT:.*]] = "tosa.const"
// CHECK-NEXT:      tosa.greater %[[LIMIT]]
// CHECK:         } do {
// CHECK:           %[[ONE:.*]] = "tosa.const"
// CHECK-NEXT:      tosa.add %{{.*}}, %[[ONE]]
func.func @isolated_regions(%x: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %next = tosa.add %x, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %y = tosa.while_loop (%i = %x) : (tensor<i32>) -> tensor<i32> {
    %limit = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %less = tosa.greater %limit, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %less : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>):
    %step = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %sum = tosa.add %i, %step : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %sum : tensor<i32>
  }
  return %next, %y : tensor<i32>, tensor<i32>
}
