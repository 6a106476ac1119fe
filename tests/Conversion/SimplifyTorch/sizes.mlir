// RUN: isthmus-opt %s --simplify-torch | FileCheck %s

// The size of a permuted and expanded tensor is a size of the input.
// CHECK-LABEL: func.func @through_ops
// CHECK-SAME:    (%[[X:.*]]: !torch.vtensor<[?,?],f16>)
// CHECK:         %[[ONE:.*]] = torch.constant.int 1
// CHECK:         %[[SIZE:.*]] = torch.aten.size.int %[[X]], %[[ONE]]
// CHECK-NEXT:    return %[[SIZE]]
func.func @through_ops(%x: !torch.vtensor<[?,?],f16>) -> !torch.int {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %f32 = torch.constant.int 6
  %p = torch.prim.ListConstruct %int1, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  %a = torch.aten.permute %x, %p : !torch.vtensor<[?,?],f16>, !torch.list<int> -> !torch.vtensor<[?,?],f16>
  %b = torch.prims.convert_element_type %a, %f32 : !torch.vtensor<[?,?],f16>, !torch.int -> !torch.vtensor<[?,?],f32>
  %c = torch.aten.unsqueeze %b, %int0 : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.vtensor<[1,?,?],f32>
  %size = torch.aten.size.int %c, %int1 : !torch.vtensor<[1,?,?],f32>, !torch.int -> !torch.int
  return %size : !torch.int
}

// The sizes of a view are its operands, unless an operand may be -1.
// CHECK-LABEL: func.func @of_view
// CHECK-SAME:    (%{{.*}}, %[[N:.*]]: !torch.int)
// CHECK:         %[[OWN:.*]] = torch.aten.size.int
// CHECK:         %[[VIEW:.*]] = torch.aten.view
// CHECK:         %[[SIZE:.*]] = torch.aten.size.int %[[VIEW]]
// CHECK:         return %[[OWN]], %[[SIZE]]
func.func @of_view(%x: !torch.vtensor<[?,?],f32>, %n: !torch.int) -> (!torch.int, !torch.int) {
  %int0 = torch.constant.int 0
  %int2 = torch.constant.int 2
  %int1 = torch.constant.int 1
  %own = torch.aten.size.int %x, %int0 : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.int
  %sizes = torch.prim.ListConstruct %own, %int1, %n : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %view = torch.aten.view %x, %sizes : !torch.vtensor<[?,?],f32>, !torch.list<int> -> !torch.vtensor<[?,1,?],f32>
  %a = torch.aten.size.int %view, %int0 : !torch.vtensor<[?,1,?],f32>, !torch.int -> !torch.int
  %b = torch.aten.size.int %view, %int2 : !torch.vtensor<[?,1,?],f32>, !torch.int -> !torch.int
  return %a, %b : !torch.int, !torch.int
}

// Sums, and reductions that keep a dim, have the size of their operands. Arguments share a size by its name.
// CHECK-LABEL: func.func @shared
// CHECK-SAME:    (%[[X:.*]]: !torch.vtensor<[?,4],f32> {{.*}}, %[[Y:.*]]: !torch.vtensor<[3,?],f32>
// CHECK-NOT:     torch.aten.expand
// CHECK:         %[[SIZE:.*]] = torch.aten.size.int %[[X]]
// CHECK:         return %[[SIZE]], %[[Y]]
func.func @shared(%x: !torch.vtensor<[?,4],f32> {isthmus.dim_params = "0:s0"},
                  %y: !torch.vtensor<[3,?],f32> {isthmus.dim_params = "1:s0"}) -> (!torch.int, !torch.vtensor<[3,?],f32>) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int3 = torch.constant.int 3
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %none = torch.constant.none
  %sum = torch.aten.add.Tensor %x, %x, %int1 : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>, !torch.int -> !torch.vtensor<[?,4],f32>
  %dims = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %kept = torch.aten.sum.dim_IntList %sum, %dims, %true, %none : !torch.vtensor<[?,4],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[?,1],f32>
  %size = torch.aten.size.int %kept, %int0 : !torch.vtensor<[?,1],f32>, !torch.int -> !torch.int
  %sizes = torch.prim.ListConstruct %int3, %size : (!torch.int, !torch.int) -> !torch.list<int>
  %same = torch.aten.expand %y, %sizes, %false : !torch.vtensor<[3,?],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[3,?],f32>
  return %size, %same : !torch.int, !torch.vtensor<[3,?],f32>
}

// No one checks the sizes of a call, and a dim of a number below 0 is none.
// CHECK-LABEL: func.func private @called
// CHECK:         torch.aten.expand
func.func private @called(%x: !torch.vtensor<[?],f32> {isthmus.dim_params = "0:s0"},
                          %y: !torch.vtensor<[?],f32> {isthmus.dim_params = "0:s0"}) -> !torch.vtensor<[?],f32> {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %size = torch.aten.size.int %x, %int0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %sizes = torch.prim.ListConstruct %size : (!torch.int) -> !torch.list<int>
  %same = torch.aten.expand %y, %sizes, %false : !torch.vtensor<[?],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?],f32>
  return %same : !torch.vtensor<[?],f32>
}

// CHECK-LABEL: func.func @negative
// CHECK-SAME:    (%{{.*}}, %[[Y:[^:]*]]:
// CHECK:         torch.aten.size.int %[[Y]]
func.func @negative(%x: !torch.vtensor<[?],f32> {isthmus.dim_params = "-1:s0"},
                    %y: !torch.vtensor<[?],f32> {isthmus.dim_params = "0:s0"}) -> !torch.int {
  %int0 = torch.constant.int 0
  %size = torch.aten.size.int %y, %int0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  return %size : !torch.int
}

// 1.5 is 3 / 2; 0.7 is no short binary fraction.
// CHECK-LABEL: func.func @scaled
// CHECK:         %[[SIZE:.*]] = torch.aten.size.int
// CHECK:         %[[PRODUCT:.*]] = torch.aten.mul.int %[[SIZE]], %int3
// CHECK:         %[[SCALED:.*]] = torch.aten.floordiv.int %[[PRODUCT]], %int2
// CHECK:         %[[KEPT:.*]] = torch.aten.floor.float
// CHECK:         return %[[SCALED]], %[[KEPT]]
func.func @scaled(%x: !torch.vtensor<[?],f32>) -> (!torch.int, !torch.int) {
  %int0 = torch.constant.int 0
  %half = torch.constant.float 1.5
  %other = torch.constant.float 0.7
  %size = torch.aten.size.int %x, %int0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %float = torch.aten.Float.Scalar %size : !torch.int -> !torch.float
  %a = torch.aten.mul.float %float, %half : !torch.float, !torch.float -> !torch.float
  %b = torch.aten.mul.float %float, %other : !torch.float, !torch.float -> !torch.float
  %c = torch.aten.floor.float %a : !torch.float -> !torch.int
  %d = torch.aten.floor.float %b : !torch.float -> !torch.int
  return %c, %d : !torch.int, !torch.int
}
