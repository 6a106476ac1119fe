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
