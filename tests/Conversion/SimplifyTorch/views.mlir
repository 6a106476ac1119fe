// RUN: isthmus-opt %s --simplify-torch | FileCheck %s

// A view of a view becomes one view of the first tensor.
// CHECK-LABEL: func.func @view_of_view
// CHECK-SAME:    (%[[X:.*]]: !torch.vtensor<[2,6],f32>)
// CHECK-COUNT-1: torch.aten.view
// CHECK-NOT:     torch.aten.view
// CHECK:         return
func.func @view_of_view(%x: !torch.vtensor<[2,6],f32>) -> !torch.vtensor<[4,3],f32> {
  %int3 = torch.constant.int 3
  %int4 = torch.constant.int 4
  %flat = torch.prim.ListConstruct %int3, %int4 : (!torch.int, !torch.int) -> !torch.list<int>
  %a = torch.aten.view %x, %flat : !torch.vtensor<[2,6],f32>, !torch.list<int> -> !torch.vtensor<[3,4],f32>
  %sizes = torch.prim.ListConstruct %int4, %int3 : (!torch.int, !torch.int) -> !torch.list<int>
  %b = torch.aten.view %a, %sizes : !torch.vtensor<[3,4],f32>, !torch.list<int> -> !torch.vtensor<[4,3],f32>
  return %b : !torch.vtensor<[4,3],f32>
}

// CHECK-LABEL: func.func @view_back
// CHECK-SAME:    (%[[X:.*]]: !torch.vtensor<[2,6],f32>)
// CHECK-NEXT:    return %[[X]]
func.func @view_back(%x: !torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,6],f32> {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %int6 = torch.constant.int 6
  %a = torch.aten.unsqueeze %x, %int1 : !torch.vtensor<[2,6],f32>, !torch.int -> !torch.vtensor<[2,1,6],f32>
  %sizes = torch.prim.ListConstruct %int2, %int6 : (!torch.int, !torch.int) -> !torch.list<int>
  %b = torch.aten.view %a, %sizes : !torch.vtensor<[2,1,6],f32>, !torch.list<int> -> !torch.vtensor<[2,6],f32>
  return %b : !torch.vtensor<[2,6],f32>
}

// Two unknown sizes may be swapped, so the view stays.
// CHECK-LABEL: func.func @two_unknown
// CHECK:         torch.aten.view
func.func @two_unknown(%x: !torch.vtensor<[?,?],f32>, %m: !torch.int, %n: !torch.int) -> !torch.vtensor<[?,?],f32> {
  %sizes = torch.prim.ListConstruct %m, %n : (!torch.int, !torch.int) -> !torch.list<int>
  %a = torch.aten.view %x, %sizes : !torch.vtensor<[?,?],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
  return %a : !torch.vtensor<[?,?],f32>
}

// Permutations compose as p[q].
// CHECK-LABEL: func.func @permute_of_permute
// CHECK-SAME:    (%[[X:.*]]: !torch.vtensor<[2,3,4],f32>)
// CHECK-DAG:     %[[I0:.*]] = torch.constant.int 0
// CHECK-DAG:     %[[I1:.*]] = torch.constant.int 1
// CHECK-DAG:     %[[I2:.*]] = torch.constant.int 2
// CHECK:         %[[ORDER:.*]] = torch.prim.ListConstruct %[[I2]], %[[I0]], %[[I1]]
// CHECK-NEXT:    torch.aten.permute %[[X]], %[[ORDER]] : {{.*}} -> !torch.vtensor<[4,2,3],f32>
func.func @permute_of_permute(%x: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[4,2,3],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %p = torch.prim.ListConstruct %int1, %int2, %int0 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %a = torch.aten.permute %x, %p : !torch.vtensor<[2,3,4],f32>, !torch.list<int> -> !torch.vtensor<[3,4,2],f32>
  %b = torch.aten.permute %a, %p : !torch.vtensor<[3,4,2],f32>, !torch.list<int> -> !torch.vtensor<[4,2,3],f32>
  return %b : !torch.vtensor<[4,2,3],f32>
}

// CHECK-LABEL: func.func @permute_back
// CHECK-SAME:    (%[[X:.*]]: !torch.vtensor<[?,3],f32>)
// CHECK-NEXT:    return %[[X]]
func.func @permute_back(%x: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %int1 = torch.constant.int -1
  %int0 = torch.constant.int 0
  %p = torch.prim.ListConstruct %int1, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  %a = torch.aten.permute %x, %p : !torch.vtensor<[?,3],f32>, !torch.list<int> -> !torch.vtensor<[3,?],f32>
  %b = torch.aten.permute %a, %p : !torch.vtensor<[3,?],f32>, !torch.list<int> -> !torch.vtensor<[?,3],f32>
  return %b : !torch.vtensor<[?,3],f32>
}

// The squeeze cancels the unsqueeze, even though the tensor has unknown sizes.
// CHECK-LABEL: func.func @squeeze_of_unsqueeze
// CHECK-SAME:    (%[[X:.*]]: !torch.vtensor<[?,?],f32>)
// CHECK-NEXT:    return %[[X]]
func.func @squeeze_of_unsqueeze(%x: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %int1 = torch.constant.int 1
  %a = torch.aten.unsqueeze %x, %int1 : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.vtensor<[?,1,?],f32>
  %dims = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %b = torch.prims.squeeze %a, %dims : !torch.vtensor<[?,1,?],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
  return %b : !torch.vtensor<[?,?],f32>
}

// CHECK-LABEL: func.func @expand_to_own_sizes
// CHECK-SAME:    (%[[X:.*]]: !torch.vtensor<[?,4],f32>)
// CHECK-NEXT:    return %[[X]]
func.func @expand_to_own_sizes(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %int0 = torch.constant.int 0
  %int4 = torch.constant.int 4
  %false = torch.constant.bool false
  %size = torch.aten.size.int %x, %int0 : !torch.vtensor<[?,4],f32>, !torch.int -> !torch.int
  %sizes = torch.prim.ListConstruct %size, %int4 : (!torch.int, !torch.int) -> !torch.list<int>
  %a = torch.aten.expand %x, %sizes, %false : !torch.vtensor<[?,4],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?,4],f32>
  return %a : !torch.vtensor<[?,4],f32>
}

// CHECK-LABEL: func.func @slice_of_all
// CHECK-SAME:    (%[[X:.*]]: !torch.vtensor<[5,4],f32>)
// CHECK-NEXT:    return %[[X]]
func.func @slice_of_all(%x: !torch.vtensor<[5,4],f32>) -> !torch.vtensor<[5,4],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %end = torch.constant.int 9223372036854775807
  %a = torch.aten.slice.Tensor %x, %int0, %int0, %end, %int1 : !torch.vtensor<[5,4],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[5,4],f32>
  return %a : !torch.vtensor<[5,4],f32>
}

// A start that counts from the end is not 0.
// CHECK-LABEL: func.func @slice_of_some
// CHECK:         torch.aten.slice.Tensor
func.func @slice_of_some(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %start = torch.constant.int -2
  %end = torch.constant.int 9223372036854775807
  %a = torch.aten.slice.Tensor %x, %int0, %start, %end, %int1 : !torch.vtensor<[?],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?],f32>
  return %a : !torch.vtensor<[?],f32>
}

// CHECK-LABEL: func.func @cat_with_nothing
// CHECK-SAME:    (%[[X:.*]]: !torch.vtensor<[5],f32>, %{{.*}})
// CHECK-NEXT:    return %[[X]]
func.func @cat_with_nothing(%x: !torch.vtensor<[5],f32>, %none: !torch.vtensor<[0],f32>) -> !torch.vtensor<[5],f32> {
  %int0 = torch.constant.int 0
  %list = torch.prim.ListConstruct %none, %x : (!torch.vtensor<[0],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %a = torch.aten.cat %list, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[5],f32>
  return %a : !torch.vtensor<[5],f32>
}

// Windows of a video: dims of size 1 do not move, the last two move as one.
// CHECK-LABEL: func.func @permutation_of_eight_dims
// CHECK:         %[[MERGED:.*]] = torch.aten.view %{{.*}} -> !torch.vtensor<[2,8,2,7,2,672],f32>
// CHECK:         %[[MOVED:.*]] = torch.aten.permute %[[MERGED]], %{{.*}} -> !torch.vtensor<[2,2,2,8,7,672],f32>
// CHECK:         torch.aten.view %[[MOVED]], %{{.*}} -> !torch.vtensor<[8,56,672],f32>
func.func @permutation_of_eight_dims(%x: !torch.vtensor<[2,16,14,672],f32>) -> !torch.vtensor<[8,56,672],f32> {
  %0 = torch.constant.int 0
  %1 = torch.constant.int 1
  %2 = torch.constant.int 2
  %3 = torch.constant.int 3
  %4 = torch.constant.int 4
  %5 = torch.constant.int 5
  %6 = torch.constant.int 6
  %7 = torch.constant.int 7
  %8 = torch.constant.int 8
  %56 = torch.constant.int 56
  %96 = torch.constant.int 96
  %672 = torch.constant.int 672
  %sizes = torch.prim.ListConstruct %2, %1, %8, %2, %7, %2, %7, %96 : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %a = torch.aten.view %x, %sizes : !torch.vtensor<[2,16,14,672],f32>, !torch.list<int> -> !torch.vtensor<[2,1,8,2,7,2,7,96],f32>
  %order = torch.prim.ListConstruct %0, %1, %3, %5, %2, %4, %6, %7 : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %b = torch.aten.permute %a, %order : !torch.vtensor<[2,1,8,2,7,2,7,96],f32>, !torch.list<int> -> !torch.vtensor<[2,1,2,2,8,7,7,96],f32>
  %flat = torch.prim.ListConstruct %8, %56, %672 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %c = torch.aten.view %b, %flat : !torch.vtensor<[2,1,2,2,8,7,7,96],f32>, !torch.list<int> -> !torch.vtensor<[8,56,672],f32>
  return %c : !torch.vtensor<[8,56,672],f32>
}
