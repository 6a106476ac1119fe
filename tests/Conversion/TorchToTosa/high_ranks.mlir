// REQUIRES: tosa
// RUN: isthmus-opt %s --limit-torch-rank --split-input-file | FileCheck %s
// RUN: isthmus-opt %s --limit-torch-rank --convert-torch-to-tosa --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=TOSA

// Tensors of more than 6 dims between tensors of fewer.

// Dims of size 1 do not move, and the last two move as one.
// CHECK-LABEL: func.func @permutation
// CHECK-SAME:    (%[[X:.*]]: !torch.vtensor<[2,16,14,672],f32>)
// CHECK:         %[[MERGED:.*]] = torch.aten.view %[[X]], %{{.*}} -> !torch.vtensor<[2,8,2,7,2,672],f32>
// CHECK:         %[[MOVED:.*]] = torch.aten.permute %[[MERGED]], %{{.*}} -> !torch.vtensor<[2,2,2,8,7,672],f32>
// CHECK:         %[[R:.*]] = torch.aten.view %[[MOVED]], %{{.*}} -> !torch.vtensor<[8,56,672],f32>
// CHECK-NEXT:    return %[[R]]
// TOSA-LABEL:  func.func @permutation
// TOSA-COUNT-1:  tosa.transpose
func.func @permutation(%x: !torch.vtensor<[2,16,14,672],f32>) -> !torch.vtensor<[8,56,672],f32> {
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

// -----

// Eight dims that move alone: two permutations.
// CHECK-LABEL: func.func @permutation_in_steps
// CHECK:         torch.aten.permute %{{.*}}, %{{.*}} : !torch.vtensor<[2,3,4,5,6,504],f32>
// CHECK:         torch.aten.permute %{{.*}}, %{{.*}} : !torch.vtensor<[48,105,8,9],f32>
// CHECK-NOT:     torch.aten.permute
// TOSA-LABEL:  func.func @permutation_in_steps
// TOSA-COUNT-2:  tosa.transpose
func.func @permutation_in_steps(%x: !torch.vtensor<[6,20,42,72],f32>) -> !torch.vtensor<[362880],f32> {
  %0 = torch.constant.int 0
  %1 = torch.constant.int 1
  %2 = torch.constant.int 2
  %3 = torch.constant.int 3
  %4 = torch.constant.int 4
  %5 = torch.constant.int 5
  %6 = torch.constant.int 6
  %7 = torch.constant.int 7
  %8 = torch.constant.int 8
  %9 = torch.constant.int 9
  %all = torch.constant.int -1
  %sizes = torch.prim.ListConstruct %2, %3, %4, %5, %6, %7, %8, %9 : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %a = torch.aten.view %x, %sizes : !torch.vtensor<[6,20,42,72],f32>, !torch.list<int> -> !torch.vtensor<[2,3,4,5,6,7,8,9],f32>
  %order = torch.prim.ListConstruct %0, %2, %4, %6, %1, %3, %5, %7 : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %b = torch.aten.permute %a, %order : !torch.vtensor<[2,3,4,5,6,7,8,9],f32>, !torch.list<int> -> !torch.vtensor<[2,4,6,8,3,5,7,9],f32>
  %flat = torch.prim.ListConstruct %all : (!torch.int) -> !torch.list<int>
  %c = torch.aten.view %b, %flat : !torch.vtensor<[2,4,6,8,3,5,7,9],f32>, !torch.list<int> -> !torch.vtensor<[362880],f32>
  return %c : !torch.vtensor<[362880],f32>
}

// -----

// Dims merge where each operand has all of them or none.
// CHECK-LABEL: func.func @broadcast
// CHECK-SAME:    (%[[X:.*]]: !torch.vtensor<[6,7,20],f32>,
// CHECK:         torch.aten.add.Tensor %[[X]], %{{.*}} : !torch.vtensor<[6,7,20],f32>, !torch.vtensor<[6,1,20],f32>
// CHECK:         torch.aten.exp %{{.*}} : !torch.vtensor<[840],f32>
// TOSA-LABEL:  func.func @broadcast
// TOSA:          tosa.add
// TOSA:          tosa.exp
func.func @broadcast(%x: !torch.vtensor<[6,7,20],f32>, %y: !torch.vtensor<[6,20],f32>) -> !torch.vtensor<[840],f32> {
  %1 = torch.constant.int 1
  %2 = torch.constant.int 2
  %3 = torch.constant.int 3
  %4 = torch.constant.int 4
  %5 = torch.constant.int 5
  %7 = torch.constant.int 7
  %840 = torch.constant.int 840
  %sizes = torch.prim.ListConstruct %2, %3, %7, %1, %2, %2, %5 : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %a = torch.aten.view %x, %sizes : !torch.vtensor<[6,7,20],f32>, !torch.list<int> -> !torch.vtensor<[2,3,7,1,2,2,5],f32>
  %others = torch.prim.ListConstruct %2, %3, %1, %1, %2, %2, %5 : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %b = torch.aten.view %y, %others : !torch.vtensor<[6,20],f32>, !torch.list<int> -> !torch.vtensor<[2,3,1,1,2,2,5],f32>
  %c = torch.aten.add.Tensor %a, %b, %1 : !torch.vtensor<[2,3,7,1,2,2,5],f32>, !torch.vtensor<[2,3,1,1,2,2,5],f32>, !torch.int -> !torch.vtensor<[2,3,7,1,2,2,5],f32>
  %d = torch.aten.exp %c : !torch.vtensor<[2,3,7,1,2,2,5],f32> -> !torch.vtensor<[2,3,7,1,2,2,5],f32>
  %flat = torch.prim.ListConstruct %840 : (!torch.int) -> !torch.list<int>
  %e = torch.aten.view %d, %flat : !torch.vtensor<[2,3,7,1,2,2,5],f32>, !torch.list<int> -> !torch.vtensor<[840],f32>
  return %e : !torch.vtensor<[840],f32>
}

// -----

// As ONNX's Tile.
// CHECK-LABEL: func.func @expansion
// CHECK:         torch.aten.expand %{{.*}} : !torch.vtensor<[1,2,1,3,1,20],f32>, {{.*}} -> !torch.vtensor<[2,2,3,3,2,20],f32>
// TOSA-LABEL:  func.func @expansion
func.func @expansion(%x: !torch.vtensor<[2,3,4,5],f32>) -> !torch.vtensor<[4,9,8,5],f32> {
  %1 = torch.constant.int 1
  %2 = torch.constant.int 2
  %3 = torch.constant.int 3
  %4 = torch.constant.int 4
  %5 = torch.constant.int 5
  %8 = torch.constant.int 8
  %9 = torch.constant.int 9
  %false = torch.constant.bool false
  %sizes = torch.prim.ListConstruct %1, %2, %1, %3, %1, %4, %1, %5 : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %a = torch.aten.view %x, %sizes : !torch.vtensor<[2,3,4,5],f32>, !torch.list<int> -> !torch.vtensor<[1,2,1,3,1,4,1,5],f32>
  %times = torch.prim.ListConstruct %2, %2, %3, %3, %2, %4, %1, %5 : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %b = torch.aten.expand %a, %times, %false : !torch.vtensor<[1,2,1,3,1,4,1,5],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[2,2,3,3,2,4,1,5],f32>
  %flat = torch.prim.ListConstruct %4, %9, %8, %5 : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %c = torch.aten.view %b, %flat : !torch.vtensor<[2,2,3,3,2,4,1,5],f32>, !torch.list<int> -> !torch.vtensor<[4,9,8,5],f32>
  return %c : !torch.vtensor<[4,9,8,5],f32>
}

// -----

// Of an open size, the views infer it.
// CHECK-LABEL: func.func @reduction
// CHECK:         torch.aten.view %{{.*}} -> !torch.vtensor<[?,2,4,2,4,2],f32>
// CHECK:         torch.aten.sum.dim_IntList %{{.*}} -> !torch.vtensor<[?,4,4],f32>
// TOSA-LABEL:  func.func @reduction
// TOSA-COUNT-3:  tosa.reduce_sum
func.func @reduction(%x: !torch.vtensor<[?,3,2,8,8],f32>) -> !torch.vtensor<[?,3,4,4],f32> {
  %2 = torch.constant.int 2
  %3 = torch.constant.int 3
  %4 = torch.constant.int 4
  %6 = torch.constant.int 6
  %open = torch.constant.int -1
  %none = torch.constant.none
  %false = torch.constant.bool false
  %sizes = torch.prim.ListConstruct %open, %3, %2, %4, %2, %4, %2 : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %a = torch.aten.view %x, %sizes : !torch.vtensor<[?,3,2,8,8],f32>, !torch.list<int> -> !torch.vtensor<[?,3,2,4,2,4,2],f32>
  %dims = torch.prim.ListConstruct %2, %4, %6 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %b = torch.aten.sum.dim_IntList %a, %dims, %false, %none : !torch.vtensor<[?,3,2,4,2,4,2],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[?,3,4,4],f32>
  return %b : !torch.vtensor<[?,3,4,4],f32>
}

// -----

// Operands of which each lacks every other dim grow first.
// CHECK-LABEL: func.func @product
// CHECK-COUNT-3: torch.aten.expand
// CHECK:         torch.aten.mul.Tensor %{{.*}} : !torch.vtensor<[128],f32>, !torch.vtensor<[128],f32>
// TOSA-LABEL:  func.func @product
func.func @product(%x: !torch.vtensor<[16],f32>, %y: !torch.vtensor<[8],f32>) -> !torch.vtensor<[128],f32> {
  %1 = torch.constant.int 1
  %2 = torch.constant.int 2
  %128 = torch.constant.int 128
  %sizes = torch.prim.ListConstruct %2, %1, %2, %1, %2, %1, %2 : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %a = torch.aten.view %x, %sizes : !torch.vtensor<[16],f32>, !torch.list<int> -> !torch.vtensor<[2,1,2,1,2,1,2],f32>
  %others = torch.prim.ListConstruct %2, %1, %2, %1, %2, %1 : (!torch.int, !torch.int, !torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %b = torch.aten.view %y, %others : !torch.vtensor<[8],f32>, !torch.list<int> -> !torch.vtensor<[2,1,2,1,2,1],f32>
  %c = torch.aten.mul.Tensor %a, %b : !torch.vtensor<[2,1,2,1,2,1,2],f32>, !torch.vtensor<[2,1,2,1,2,1],f32> -> !torch.vtensor<[2,2,2,2,2,2,2],f32>
  %flat = torch.prim.ListConstruct %128 : (!torch.int) -> !torch.list<int>
  %d = torch.aten.view %c, %flat : !torch.vtensor<[2,2,2,2,2,2,2],f32>, !torch.list<int> -> !torch.vtensor<[128],f32>
  return %d : !torch.vtensor<[128],f32>
}
