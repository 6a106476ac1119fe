// RUN: isthmus-opt %s --simplify-torch --split-input-file | FileCheck %s

// CHECK-LABEL: @one_number
// CHECK-SAME: (%[[X:.*]]: !torch.vtensor<[?,4],f32>, %[[MASK:.*]]: !torch.vtensor<[?,4],i1>, %[[V:.*]]: !torch.vtensor<[],f32>)
// CHECK: %[[R:.*]] = torch.aten.where.self %[[MASK]], %[[V]], %[[X]]
// CHECK: return %[[R]]
func.func @one_number(%x: !torch.vtensor<[?,4],f32>, %mask: !torch.vtensor<[?,4],i1>, %v: !torch.vtensor<[],f32>) -> !torch.vtensor<[?,4],f32> {
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %mask : (!torch.vtensor<[?,4],i1>) -> !torch.list<optional<vtensor>>
  %r = torch.aten.index_put %x, %list, %v, %false : !torch.vtensor<[?,4],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[],f32>, !torch.bool -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

// The mask covers dims 1 and 2, and the values cover dims 1 to 3.
// CHECK-LABEL: @dims_around_accumulated
// CHECK-SAME: (%[[X:.*]]: !torch.vtensor<[2,3,4,5],f32>, %[[MASK:.*]]: !torch.vtensor<[3,4],i1>, %[[V:.*]]: !torch.vtensor<[1,5],f32>)
// CHECK-DAG: %[[VALUES:.*]] = torch.aten.unsqueeze %[[V]], %{{.*}} -> !torch.vtensor<[1,1,5],f32>
// CHECK-DAG: %[[FLAGS:.*]] = torch.aten.unsqueeze %[[MASK]], %{{.*}} -> !torch.vtensor<[3,4,1],i1>
// CHECK-DAG: %[[SUM:.*]] = torch.aten.add.Tensor %[[X]], %[[VALUES]]
// CHECK: torch.aten.where.self %[[FLAGS]], %[[SUM]], %[[X]]
func.func @dims_around_accumulated(%x: !torch.vtensor<[2,3,4,5],f32>, %mask: !torch.vtensor<[3,4],i1>, %v: !torch.vtensor<[1,5],f32>) -> !torch.vtensor<[2,3,4,5],f32> {
  %none = torch.constant.none
  %true = torch.constant.bool true
  %list = torch.prim.ListConstruct %none, %mask : (!torch.none, !torch.vtensor<[3,4],i1>) -> !torch.list<optional<vtensor>>
  %r = torch.aten.index_put %x, %list, %v, %true : !torch.vtensor<[2,3,4,5],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[1,5],f32>, !torch.bool -> !torch.vtensor<[2,3,4,5],f32>
  return %r : !torch.vtensor<[2,3,4,5],f32>
}

// -----

// The values are elements of another tensor at the same positions.
// CHECK-LABEL: @same_positions
// CHECK-SAME: (%[[X:.*]]: !torch.vtensor<[?,4],f32>, %[[Y:.*]]: !torch.vtensor<[?,4],f32>, %[[MASK:.*]]: !torch.vtensor<[?],i1>)
// CHECK: %[[FLAGS:.*]] = torch.aten.unsqueeze %[[MASK]], %{{.*}} -> !torch.vtensor<[?,1],i1>
// CHECK: torch.aten.where.self %[[FLAGS]], %[[Y]], %[[X]]
func.func @same_positions(%x: !torch.vtensor<[?,4],f32>, %y: !torch.vtensor<[?,4],f32>, %mask: !torch.vtensor<[?],i1>) -> !torch.vtensor<[?,4],f32> {
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %mask : (!torch.vtensor<[?],i1>) -> !torch.list<optional<vtensor>>
  %v = torch.aten.index.Tensor %y, %list : !torch.vtensor<[?,4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?,4],f32>
  %r = torch.aten.index_put %x, %list, %v, %false : !torch.vtensor<[?,4],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[?,4],f32>, !torch.bool -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

// Rows of one element are broadcast.
// CHECK-LABEL: @other_sizes
// CHECK-SAME: (%[[X:.*]]: !torch.vtensor<[4,3],f32>, %[[Y:.*]]: !torch.vtensor<[4,1],f32>, %[[MASK:.*]]: !torch.vtensor<[4],i1>)
// CHECK: %[[FLAGS:.*]] = torch.aten.unsqueeze %[[MASK]], %{{.*}} -> !torch.vtensor<[4,1],i1>
// CHECK: torch.aten.where.self %[[FLAGS]], %[[Y]], %[[X]]
func.func @other_sizes(%x: !torch.vtensor<[4,3],f32>, %y: !torch.vtensor<[4,1],f32>, %mask: !torch.vtensor<[4],i1>) -> !torch.vtensor<[4,3],f32> {
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %mask : (!torch.vtensor<[4],i1>) -> !torch.list<optional<vtensor>>
  %v = torch.aten.index.Tensor %y, %list : !torch.vtensor<[4,1],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?,1],f32>
  %r = torch.aten.index_put %x, %list, %v, %false : !torch.vtensor<[4,3],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[?,1],f32>, !torch.bool -> !torch.vtensor<[4,3],f32>
  return %r : !torch.vtensor<[4,3],f32>
}

// -----

// Each position gets its own value, and the flags before the position decide which one, so the op stays.
// CHECK-LABEL: @own_values
// CHECK: torch.aten.index_put
func.func @own_values(%x: !torch.vtensor<[4],f32>, %mask: !torch.vtensor<[4],i1>, %v: !torch.vtensor<[?],f32>) -> !torch.vtensor<[4],f32> {
  %false = torch.constant.bool false
  %list = torch.prim.ListConstruct %mask : (!torch.vtensor<[4],i1>) -> !torch.list<optional<vtensor>>
  %r = torch.aten.index_put %x, %list, %v, %false : !torch.vtensor<[4],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[?],f32>, !torch.bool -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// -----

// The flags of a literal are known, and so is the number of results.
// CHECK-LABEL: @literal
// CHECK:         %[[PLACES:.*]] = torch.vtensor.literal(dense<[0, 2]> : tensor<2xsi64>)
// CHECK:         %[[LIST:.*]] = torch.prim.ListConstruct %{{.*}}, %[[PLACES]]
// CHECK:         torch.aten.index.Tensor %{{.*}}, %[[LIST]] : {{.*}} -> !torch.vtensor<[?,2],f32>
func.func @literal(%x: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,?],f32> {
  %none = torch.constant.none
  %mask = torch.vtensor.literal(dense<[true, false, true]> : tensor<3xi1>) : !torch.vtensor<[3],i1>
  %list = torch.prim.ListConstruct %none, %mask : (!torch.none, !torch.vtensor<[3],i1>) -> !torch.list<optional<vtensor>>
  %r = torch.aten.index.Tensor %x, %list : !torch.vtensor<[?,3],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?,?],f32>
  return %r : !torch.vtensor<[?,?],f32>
}

// -----

// CHECK-LABEL: @literal_plane
// CHECK-DAG:     torch.vtensor.literal(dense<[0, 1, 1]> : tensor<3xsi64>)
// CHECK-DAG:     torch.vtensor.literal(dense<[1, 0, 1]> : tensor<3xsi64>)
// CHECK:         torch.aten.index_put %{{.*}} : !torch.vtensor<[2,2],f32>
func.func @literal_plane(%x: !torch.vtensor<[2,2],f32>, %v: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,2],f32> {
  %false = torch.constant.bool false
  %mask = torch.vtensor.literal(dense<[[false, true], [true, true]]> : tensor<2x2xi1>) : !torch.vtensor<[2,2],i1>
  %list = torch.prim.ListConstruct %mask : (!torch.vtensor<[2,2],i1>) -> !torch.list<optional<vtensor>>
  %r = torch.aten.index_put %x, %list, %v, %false : !torch.vtensor<[2,2],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[3],f32>, !torch.bool -> !torch.vtensor<[2,2],f32>
  return %r : !torch.vtensor<[2,2],f32>
}

// -----

// A dim of another size must stay an error at run time.
// CHECK-LABEL: @literal_of_an_open_dim
// CHECK:         torch.prim.ListConstruct %{{.*}} : (!torch.vtensor<[2],i1>)
func.func @literal_of_an_open_dim(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %mask = torch.vtensor.literal(dense<[true, false]> : tensor<2xi1>) : !torch.vtensor<[2],i1>
  %list = torch.prim.ListConstruct %mask : (!torch.vtensor<[2],i1>) -> !torch.list<optional<vtensor>>
  %r = torch.aten.index.Tensor %x, %list : !torch.vtensor<[?],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

// CHECK-LABEL: @positions
// CHECK:         %[[ROWS:.*]] = torch.vtensor.literal(dense<{{\[}}[0, 1], [1, 0]]> : tensor<2x2xsi64>)
// CHECK:         return %[[ROWS]] : !torch.vtensor<[2,2],si64>
func.func @positions() -> !torch.vtensor<[2,2],si64> {
  %mask = torch.vtensor.literal(dense<[[false, true], [true, false]]> : tensor<2x2xi1>) : !torch.vtensor<[2,2],i1>
  %r = torch.aten.nonzero %mask : !torch.vtensor<[2,2],i1> -> !torch.vtensor<[?,2],si64>
  %s = torch.tensor_static_info_cast %r : !torch.vtensor<[?,2],si64> to !torch.vtensor<[2,2],si64>
  return %s : !torch.vtensor<[2,2],si64>
}

// -----

// The number of flags wraps to 0.
// CHECK-LABEL: @too_many_flags
// CHECK:         torch.prim.ListConstruct %{{.*}} : (!torch.vtensor<[4294967296,4294967296],i1>)
func.func @too_many_flags(%x: !torch.vtensor<[4294967296,4294967296],f32>) -> !torch.vtensor<[?],f32> {
  %mask = torch.vtensor.literal(dense<true> : tensor<4294967296x4294967296xi1>) : !torch.vtensor<[4294967296,4294967296],i1>
  %list = torch.prim.ListConstruct %mask : (!torch.vtensor<[4294967296,4294967296],i1>) -> !torch.list<optional<vtensor>>
  %r = torch.aten.index.Tensor %x, %list : !torch.vtensor<[4294967296,4294967296],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}
