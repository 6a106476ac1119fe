// RUN: isthmus-opt %s --simplify-torch --split-input-file | FileCheck %s

// Elements that a mask picks are changed, and put back, without positions.
// CHECK-LABEL: @put_back
// CHECK-SAME: (%[[X:.*]]: !torch.vtensor<[?,4],f32>, %[[Y:.*]]: !torch.vtensor<[?,4],f32>, %[[MASK:.*]]: !torch.vtensor<[?,4],i1>)
// CHECK-NOT: torch.aten.index
// CHECK: %[[EXP:.*]] = torch.aten.exp %[[X]]
// CHECK: %[[QUOTIENT:.*]] = torch.aten.div.Tensor %[[EXP]], %[[Y]]
// CHECK: torch.aten.where.self %[[MASK]], %[[QUOTIENT]], %[[X]]
func.func @put_back(%x: !torch.vtensor<[?,4],f32>, %y: !torch.vtensor<[?,4],f32>, %mask: !torch.vtensor<[?,4],i1>) -> !torch.vtensor<[?,4],f32> {
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %mask : (!torch.vtensor<[?,4],i1>) -> !torch.list<optional<vtensor>>
  %a = torch.aten.index.Tensor %x, %list : !torch.vtensor<[?,4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  %b = torch.aten.index.Tensor %y, %list : !torch.vtensor<[?,4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  %c = torch.aten.exp %a : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  %d = torch.aten.div.Tensor %c, %b : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  %r = torch.aten.index_put %x, %list, %d, %false : !torch.vtensor<[?,4],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[?],f32>, !torch.bool -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

// A sum over the dims of a mask of two dims, which stay as one.
// CHECK-LABEL: @sum_keeps_dim
// CHECK-SAME: (%[[X:.*]]: !torch.vtensor<[2,3,4,5],f32>, %[[MASK:.*]]: !torch.vtensor<[3,4],i1>)
// CHECK-NOT: torch.aten.index
// CHECK-DAG: %[[ZERO:.*]] = torch.vtensor.literal(dense<0.000000e+00> : tensor<f32>)
// CHECK-DAG: %[[FLAGS:.*]] = torch.aten.unsqueeze %[[MASK]], %{{.*}} -> !torch.vtensor<[3,4,1],i1>
// CHECK: %[[CHOSEN:.*]] = torch.aten.where.self %[[FLAGS]], %[[X]], %[[ZERO]]
// CHECK: %[[SUM:.*]] = torch.aten.sum.dim_IntList %[[CHOSEN]], %{{.*}} -> !torch.vtensor<[2,5],f32>
// CHECK: torch.aten.unsqueeze %[[SUM]], %{{.*}} -> !torch.vtensor<[2,1,5],f32>
func.func @sum_keeps_dim(%x: !torch.vtensor<[2,3,4,5],f32>, %mask: !torch.vtensor<[3,4],i1>) -> !torch.vtensor<[2,1,5],f32> {
  %none = torch.constant.none
  %true = torch.constant.bool true
  %int1 = torch.constant.int 1
  %list = torch.prim.ListConstruct %none, %mask : (!torch.none, !torch.vtensor<[3,4],i1>) -> !torch.list<optional<vtensor>>
  %a = torch.aten.index.Tensor %x, %list : !torch.vtensor<[2,3,4,5],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[2,?,5],f32>
  %dims = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %r = torch.aten.sum.dim_IntList %a, %dims, %true, %none : !torch.vtensor<[2,?,5],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[2,1,5],f32>
  return %r : !torch.vtensor<[2,1,5],f32>
}

// -----

// CHECK-LABEL: @count
// CHECK-SAME: (%{{.*}}: !torch.vtensor<[3,4],f32>, %[[MASK:.*]]: !torch.vtensor<[3,4],i1>)
// CHECK: %[[COUNT:.*]] = torch.aten.sum.dim_IntList %[[MASK]], %{{.*}} -> !torch.vtensor<[],si64>
// CHECK: torch.prims.convert_element_type %[[COUNT]], %{{.*}} -> !torch.vtensor<[],f32>
func.func @count(%x: !torch.vtensor<[3,4],f32>, %mask: !torch.vtensor<[3,4],i1>) -> !torch.vtensor<[],f32> {
  %none = torch.constant.none
  %int0 = torch.constant.int 0
  %int6 = torch.constant.int 6
  %int12 = torch.constant.int 12
  %list = torch.prim.ListConstruct %mask : (!torch.vtensor<[3,4],i1>) -> !torch.list<optional<vtensor>>
  %a = torch.aten.index.Tensor %x, %list : !torch.vtensor<[3,4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  %n = torch.aten.size.int %a, %int0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %le = torch.aten.le.int %n, %int12 : !torch.int, !torch.int -> !torch.bool
  torch.runtime.assert %le, "at most all"
  %sizes = torch.prim.ListConstruct : () -> !torch.list<int>
  %r = torch.aten.full %sizes, %n, %int6, %none, %none, %none : !torch.list<int>, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[],f32>
  return %r : !torch.vtensor<[],f32>
}

// -----

// No target says what an integer is, divided by a 0 that no flag picks.
// CHECK-LABEL: @integers_divided
// CHECK: torch.aten.index.Tensor
// CHECK: torch.aten.index_put
func.func @integers_divided(%x: !torch.vtensor<[4],si32>, %mask: !torch.vtensor<[4],i1>) -> !torch.vtensor<[4],si32> {
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %mask : (!torch.vtensor<[4],i1>) -> !torch.list<optional<vtensor>>
  %a = torch.aten.index.Tensor %x, %list : !torch.vtensor<[4],si32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],si32>
  %b = torch.aten.remainder.Tensor %a, %a : !torch.vtensor<[?],si32>, !torch.vtensor<[?],si32> -> !torch.vtensor<[?],si32>
  %r = torch.aten.index_put %x, %list, %b, %false : !torch.vtensor<[4],si32>, !torch.list<optional<vtensor>>, !torch.vtensor<[?],si32>, !torch.bool -> !torch.vtensor<[4],si32>
  return %r : !torch.vtensor<[4],si32>
}

// -----

// What other flags pick is other elements.
// CHECK-LABEL: @other_mask
// CHECK: torch.aten.index.Tensor
// CHECK: torch.aten.index_put
func.func @other_mask(%x: !torch.vtensor<[4],f32>, %mask: !torch.vtensor<[4],i1>, %other: !torch.vtensor<[4],i1>) -> !torch.vtensor<[4],f32> {
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %mask : (!torch.vtensor<[4],i1>) -> !torch.list<optional<vtensor>>
  %list2 = torch.prim.ListConstruct %other : (!torch.vtensor<[4],i1>) -> !torch.list<optional<vtensor>>
  %a = torch.aten.index.Tensor %x, %list2 : !torch.vtensor<[4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  %r = torch.aten.index_put %x, %list, %a, %false : !torch.vtensor<[4],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[?],f32>, !torch.bool -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// -----

// All rows of another part are picked, and a spare row takes what no flag picks.
// CHECK-LABEL: @scatter
// CHECK-SAME: (%[[X:.*]]: !torch.vtensor<[5],f32>, %[[PLACES:.*]]: !torch.vtensor<[8],si64>, %[[MASK:.*]]: !torch.vtensor<[8],i1>, %[[MORE:.*]]: !torch.vtensor<[2],si64>)
// CHECK-NOT: torch.aten.index
// CHECK-DAG: %[[TRUE:.*]] = torch.aten.full %{{.*}}, %true, {{.*}} -> !torch.vtensor<[2],i1>
// CHECK-DAG: %[[ALL:.*]] = torch.prim.ListConstruct %[[PLACES]], %[[MORE]]
// CHECK-DAG: %[[JOINED:.*]] = torch.aten.cat %[[ALL]], %{{.*}} -> !torch.vtensor<[10],si64>
// CHECK-DAG: %[[PARTS:.*]] = torch.prim.ListConstruct %[[MASK]], %[[TRUE]]
// CHECK-DAG: %[[FLAGS:.*]] = torch.aten.cat %[[PARTS]], %{{.*}} -> !torch.vtensor<[10],i1>
// CHECK-DAG: %[[SPARE:.*]] = torch.vtensor.literal(dense<5> : tensor<si64>)
// CHECK: %[[AT:.*]] = torch.aten.where.self %[[FLAGS]], %[[JOINED]], %[[SPARE]]
// CHECK: torch.aten.scatter_reduce.two %{{.*}}, %{{.*}}, %[[AT]], %{{.*}} -> !torch.vtensor<[6],f32>
// CHECK: torch.aten.slice.Tensor {{.*}} -> !torch.vtensor<[5],f32>
func.func @scatter(%x: !torch.vtensor<[5],f32>, %places: !torch.vtensor<[8],si64>, %mask: !torch.vtensor<[8],i1>, %more: !torch.vtensor<[2],si64>) -> !torch.vtensor<[5],f32> {
  %int0 = torch.constant.int 0
  %int6 = torch.constant.int 6
  %true = torch.constant.bool true
  %sum = torch.constant.str "sum"
  %list = torch.prim.ListConstruct %mask : (!torch.vtensor<[8],i1>) -> !torch.list<optional<vtensor>>
  %a = torch.aten.index.Tensor %places, %list : !torch.vtensor<[8],si64>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],si64>
  %parts = torch.prim.ListConstruct %a, %more : (!torch.vtensor<[?],si64>, !torch.vtensor<[2],si64>) -> !torch.list<vtensor>
  %at = torch.aten.cat %parts, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?],si64>
  %updates = torch.prims.convert_element_type %at, %int6 : !torch.vtensor<[?],si64>, !torch.int -> !torch.vtensor<[?],f32>
  %r = torch.aten.scatter_reduce.two %x, %int0, %at, %updates, %sum, %true : !torch.vtensor<[5],f32>, !torch.int, !torch.vtensor<[?],si64>, !torch.vtensor<[?],f32>, !torch.str, !torch.bool -> !torch.vtensor<[5],f32>
  return %r : !torch.vtensor<[5],f32>
}

// -----

// The largest of what may be nothing: PyTorch refuses to find it among none.
// CHECK-LABEL: @largest_of_none
// CHECK: %[[PICKED:.*]] = torch.aten.index.Tensor
// CHECK: torch.aten.amax %[[PICKED]]
func.func @largest_of_none(%x: !torch.vtensor<[4],f32>, %mask: !torch.vtensor<[4],i1>) -> !torch.vtensor<[],f32> {
  %int0 = torch.constant.int 0
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %mask : (!torch.vtensor<[4],i1>) -> !torch.list<optional<vtensor>>
  %a = torch.aten.index.Tensor %x, %list : !torch.vtensor<[4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  %dims = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  %r = torch.aten.amax %a, %dims, %false : !torch.vtensor<[?],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[],f32>
  return %r : !torch.vtensor<[],f32>
}
