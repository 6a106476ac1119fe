// RUN: isthmus-opt %s --simplify-torch=has-sizes-from-data=false --split-input-file | FileCheck %s
// RUN: isthmus-opt %s --simplify-torch --split-input-file | FileCheck %s --check-prefix=FROM-DATA

// Sums at rows and columns are those at positions in a row.
// CHECK-LABEL: @sums
// CHECK-SAME: (%[[X:.*]]: !torch.vtensor<[2,3],f32>, %[[MASK:.*]]: !torch.vtensor<[2,3],i1>)
// CHECK-NOT: torch.aten.nonzero
// CHECK-DAG: %[[FLAGS:.*]] = torch.aten.view %[[MASK]], %{{.*}} -> !torch.vtensor<[6],i1>
// CHECK: torch.aten.where.self %[[FLAGS]], %{{.*}} : !torch.vtensor<[6],i1>, !torch.vtensor<[6],si64>
// CHECK: torch.aten.index_put {{.*}} !torch.vtensor<[7],f32>
// CHECK: return %{{.*}} : !torch.vtensor<[2,3],f32>
// FROM-DATA-LABEL: @sums
// FROM-DATA: torch.aten.nonzero %{{.*}} : !torch.vtensor<[2,3],i1>
func.func @sums(%x: !torch.vtensor<[2,3],f32>, %mask: !torch.vtensor<[2,3],i1>) -> !torch.vtensor<[2,3],f32> {
  %true = torch.constant.bool true
  %0 = torch.constant.int 0
  %1 = torch.constant.int 1
  %2 = torch.constant.int 2
  %dims = torch.prim.ListConstruct %1 : (!torch.int) -> !torch.list<int>
  %places = torch.aten.nonzero %mask : !torch.vtensor<[2,3],i1> -> !torch.vtensor<[?,2],si64>
  %first = torch.aten.slice.Tensor %places, %1, %0, %1, %1 : !torch.vtensor<[?,2],si64>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,1],si64>
  %second = torch.aten.slice.Tensor %places, %1, %1, %2, %1 : !torch.vtensor<[?,2],si64>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[?,1],si64>
  %i = torch.prims.squeeze %first, %dims : !torch.vtensor<[?,1],si64>, !torch.list<int> -> !torch.vtensor<[?],si64>
  %j = torch.prims.squeeze %second, %dims : !torch.vtensor<[?,1],si64>, !torch.list<int> -> !torch.vtensor<[?],si64>
  %list = torch.prim.ListConstruct %i, %j : (!torch.vtensor<[?],si64>, !torch.vtensor<[?],si64>) -> !torch.list<optional<vtensor>>
  %values = torch.aten.index.Tensor %x, %list : !torch.vtensor<[2,3],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  %r = torch.aten.index_put %x, %list, %values, %true : !torch.vtensor<[2,3],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[?],f32>, !torch.bool -> !torch.vtensor<[2,3],f32>
  return %r : !torch.vtensor<[2,3],f32>
}
