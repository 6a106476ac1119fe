// REQUIRES: linalg
// RUN: isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s

// The heads of a transformer: only the last dim is split, and batch and sequence stay separate.
// CHECK-LABEL: func.func @split_last
// CHECK-SAME:    (%[[X:.*]]: tensor<?x?x384xf32>)
// CHECK-DAG:     %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG:     %[[S:.*]] = tensor.dim %[[X]], %c1
// CHECK:         tensor.expand_shape %[[X]] {{\[}}[0], [1], [2, 3]] output_shape [%[[B]], %[[S]], 12, 32]
func.func @split_last(%x: !torch.vtensor<[?,?,384],f32>) -> !torch.vtensor<[?,?,12,32],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int12 = torch.constant.int 12
  %int32 = torch.constant.int 32
  %b = torch.aten.size.int %x, %int0 : !torch.vtensor<[?,?,384],f32>, !torch.int -> !torch.int
  %s = torch.aten.size.int %x, %int1 : !torch.vtensor<[?,?,384],f32>, !torch.int -> !torch.int
  %sizes = torch.prim.ListConstruct %b, %s, %int12, %int32
      : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.view %x, %sizes
      : !torch.vtensor<[?,?,384],f32>, !torch.list<int> -> !torch.vtensor<[?,?,12,32],f32>
  return %r : !torch.vtensor<[?,?,12,32],f32>
}

// A size of -1 is computed from only the dims of its own group.
// CHECK-LABEL: func.func @infer_rest
// CHECK-SAME:    (%[[X:.*]]: tensor<?x?x384xf32>)
// CHECK:         tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]] : tensor<?x?x384xf32> into tensor<?x384xf32>
func.func @infer_rest(%x: !torch.vtensor<[?,?,384],f32>) -> !torch.vtensor<[?,384],f32> {
  %int-1 = torch.constant.int -1
  %int384 = torch.constant.int 384
  %sizes = torch.prim.ListConstruct %int-1, %int384 : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.view %x, %sizes
      : !torch.vtensor<[?,?,384],f32>, !torch.list<int> -> !torch.vtensor<[?,384],f32>
  return %r : !torch.vtensor<[?,384],f32>
}

// Unrelated sizes: all dims are collapsed to one, which is expanded again.
// CHECK-LABEL: func.func @unrelated
// CHECK-SAME:    (%[[X:.*]]: tensor<?x?xf32>, %[[N:.*]]: i64)
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
// CHECK:         tensor.expand_shape %[[FLAT]] {{\[}}[0, 1]] output_shape [%{{.*}}, 2] : tensor<?xf32> into tensor<?x2xf32>
func.func @unrelated(%x: !torch.vtensor<[?,?],f32>, %n: !torch.int) -> !torch.vtensor<[?,2],f32> {
  %int2 = torch.constant.int 2
  %sizes = torch.prim.ListConstruct %n, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.view %x, %sizes
      : !torch.vtensor<[?,?],f32>, !torch.list<int> -> !torch.vtensor<[?,2],f32>
  return %r : !torch.vtensor<[?,2],f32>
}

// A permutation that moves only a dim of size 1 moves no elements.
// CHECK-LABEL: func.func @permute_one
// CHECK-NOT:     linalg.transpose
// CHECK:         tensor.collapse_shape
// CHECK:         tensor.expand_shape
func.func @permute_one(%x: !torch.vtensor<[?,1,4],f32>) -> !torch.vtensor<[1,?,4],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %order = torch.prim.ListConstruct %int1, %int0, %int2 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.permute %x, %order
      : !torch.vtensor<[?,1,4],f32>, !torch.list<int> -> !torch.vtensor<[1,?,4],f32>
  return %r : !torch.vtensor<[1,?,4],f32>
}

// A size that the type does not have, but that follows from the value.
// CHECK-LABEL: func.func @known_by_origin
// CHECK-SAME:    (%[[X:.*]]: tensor<?x4xf32>)
// CHECK:         linalg.transpose ins(%[[X]] : tensor<?x4xf32>) outs(%{{.*}} : tensor<4x?xf32>)
func.func @known_by_origin(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,?],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %forgotten = torch.tensor_static_info_cast %x : !torch.vtensor<[?,4],f32> to !torch.vtensor<[?,?],f32>
  %order = torch.prim.ListConstruct %int1, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.permute %forgotten, %order
      : !torch.vtensor<[?,?],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32>
  return %r : !torch.vtensor<[?,?],f32>
}

// A size that is read from a tensor may be -1. Then it follows from the number of
// elements and the other sizes.
// CHECK-LABEL: func.func @size_from_elements
// CHECK-SAME:    (%[[X:.*]]: tensor<?x4xf32>, %[[N:.*]]: tensor<i64>)
// CHECK-DAG:     %[[MINUS_1:.*]] = arith.constant -1 : index
// CHECK:         %[[INT:.*]] = tensor.extract %[[N]][] : tensor<i64>
// CHECK:         %[[SIZE:.*]] = arith.index_cast %[[INT]] : i64 to index
// CHECK:         %[[INFERS:.*]] = arith.cmpi eq, %[[SIZE]], %[[MINUS_1]] : index
// CHECK:         %[[REST:.*]] = arith.floordivsi
// CHECK:         %[[ROWS:.*]] = arith.select %[[INFERS]], %[[REST]], %[[SIZE]] : index
// CHECK:         cf.assert %{{.*}}, "expected a shape of as many elements as the tensor has"
// CHECK:         tensor.expand_shape %{{.*}} {{\[}}[0, 1]] output_shape [%[[ROWS]], 2] : tensor<?xf32> into tensor<?x2xf32>
func.func @size_from_elements(%x: !torch.vtensor<[?,4],f32>, %n: !torch.vtensor<[],si64>) -> !torch.vtensor<[?,2],f32> {
  %int2 = torch.constant.int 2
  %rows = torch.aten.Int.Tensor %n : !torch.vtensor<[],si64> -> !torch.int
  %sizes = torch.prim.ListConstruct %rows, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.view %x, %sizes
      : !torch.vtensor<[?,4],f32>, !torch.list<int> -> !torch.vtensor<[?,2],f32>
  return %r : !torch.vtensor<[?,2],f32>
}

// A slice without elements, from the end.
// CHECK-LABEL: func.func @empty_slice
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<2x0xf32>
// CHECK:         return %[[EMPTY]]
func.func @empty_slice(%x: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,0],f32> {
  %int1 = torch.constant.int 1
  %int4 = torch.constant.int 4
  %r = torch.aten.slice.Tensor %x, %int1, %int4, %int4, %int1
      : !torch.vtensor<[2,4],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[2,0],f32>
  return %r : !torch.vtensor<[2,0],f32>
}

// A slice of a tensor without elements, whose other dim is not known.
// CHECK-LABEL: func.func @slice_of_nothing
// CHECK-SAME:    (%[[X:.*]]: tensor<0x?xf32>)
// CHECK-NOT:     tensor.extract_slice
// CHECK:         tensor.empty({{.*}}) : tensor<0x?xf32>
func.func @slice_of_nothing(%x: !torch.vtensor<[0,?],f32>) -> !torch.vtensor<[0,?],f32> {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %r = torch.aten.slice.Tensor %x, %int1, %int1, %none, %int1
      : !torch.vtensor<[0,?],f32>, !torch.int, !torch.int, !torch.none, !torch.int -> !torch.vtensor<[0,?],f32>
  return %r : !torch.vtensor<[0,?],f32>
}

// If there are no elements, a dim of the result need not derive from dims of the operand.
// CHECK-LABEL: func.func @nothing
// CHECK-SAME:    (%{{.*}}: tensor<0x?x2x?xf32>, %[[Z:.*]]: tensor<?xf32>)
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[Z]], %c0
// CHECK-NOT:     cf.assert
// CHECK:         %[[Y:.*]] = tensor.empty(%[[SIZE]]) : tensor<0x?xf32>
// CHECK:         return %[[Y]]
func.func @nothing(%x: !torch.vtensor<[0,?,2,?],f32>, %z: !torch.vtensor<[?],f32>) -> !torch.vtensor<[0,?],f32> {
  %int0 = torch.constant.int 0
  %n = torch.aten.size.int %z, %int0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %sizes = torch.prim.ListConstruct %int0, %n : (!torch.int, !torch.int) -> !torch.list<int>
  %y = torch.aten.view %x, %sizes : !torch.vtensor<[0,?,2,?],f32>, !torch.list<int> -> !torch.vtensor<[0,?],f32>
  return %y : !torch.vtensor<[0,?],f32>
}
