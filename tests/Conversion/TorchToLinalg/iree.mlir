// REQUIRES: linalg
// RUN: isthmus-opt %s --convert-torch-to-linalg=consumer=iree --canonicalize --cse --split-input-file | FileCheck %s

// Each is one kernel of IREE, or a chain of them, in place of a loop on its host.

// CHECK-LABEL: func.func @scatter
// CHECK-SAME:    (%[[X:.*]]: tensor<?x5xf32>, %[[INDEX:.*]]: tensor<?x2xi64>, %[[SRC:.*]]: tensor<?x2xf32>)
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[X]] {{.*}} into tensor<?xf32>
// CHECK:         %[[PLACES:.*]] = linalg.generic
// CHECK:           %[[ELEMENT:.*]] = tensor.extract %[[INDEX]]
// CHECK:           arith.minsi
// CHECK:           arith.maxsi
// CHECK:         %[[UPDATES:.*]] = linalg.generic
// CHECK:           tensor.extract %[[SRC]]
// CHECK:         "iree_linalg_ext.scatter"(%{{.*}}, %{{.*}}, %[[FLAT]]) <{dimension_map = array<i64: 0>, unique_indices = false}> ({
// CHECK-NEXT:    ^bb0(%[[UPDATE:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      "iree_linalg_ext.yield"(%[[UPDATE]]) : (f32) -> ()
// CHECK-NEXT:    }) : (tensor<?xf32>, tensor<?x1xi64>, tensor<?xf32>) -> tensor<?xf32>
// CHECK-NOT:     scf.for
func.func @scatter(%x: !torch.vtensor<[?,5],f32>, %index: !torch.vtensor<[?,2],si64>, %src: !torch.vtensor<[?,2],f32>) -> !torch.vtensor<[?,5],f32> {
  %int1 = torch.constant.int 1
  %r = torch.aten.scatter.src %x, %int1, %index, %src
      : !torch.vtensor<[?,5],f32>, !torch.int, !torch.vtensor<[?,2],si64>, !torch.vtensor<[?,2],f32> -> !torch.vtensor<[?,5],f32>
  return %r : !torch.vtensor<[?,5],f32>
}

// -----

// CHECK-LABEL: func.func @cumsum
// CHECK-SAME:    (%[[X:.*]]: tensor<2x?xf32>)
// CHECK:         %[[START:.*]] = linalg.fill {{.*}} -> tensor<2xf32>
// CHECK:         %[[R:.*]]:2 = "iree_linalg_ext.scan"(%[[X]], %{{.*}}, %[[START]]) <{dimension = 1 : i64, inclusive = true, operandSegmentSizes = array<i32: 1, 2>}> ({
// CHECK-NEXT:    ^bb0(%[[SO_FAR:.*]]: f32, %[[NEXT:.*]]: f32):
// CHECK-NEXT:      %[[SUM:.*]] = arith.addf %[[SO_FAR]], %[[NEXT]] : f32
// CHECK-NEXT:      "iree_linalg_ext.yield"(%[[SUM]]) : (f32) -> ()
// CHECK:         return %[[R]]#0
func.func @cumsum(%x: !torch.vtensor<[2,?],f32>) -> !torch.vtensor<[2,?],f32> {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %r = torch.aten.cumsum %x, %int1, %none : !torch.vtensor<[2,?],f32>, !torch.int, !torch.none -> !torch.vtensor<[2,?],f32>
  return %r : !torch.vtensor<[2,?],f32>
}

// -----

// Two passes merge runs of 1 and of 2.

// CHECK-LABEL: func.func @sort
// CHECK:         %[[ORDER:.*]] = linalg.generic
// CHECK:           linalg.index 1
// CHECK:         %[[FIRST:.*]] = linalg.generic
// CHECK:           scf.while
// CHECK:             tensor.extract %[[ORDER]]
// CHECK:         %[[SECOND:.*]] = linalg.generic
// CHECK:           scf.while
// CHECK:             tensor.extract %[[FIRST]]
// CHECK-NOT:       scf.while
// CHECK:         return %{{.*}}, %[[SECOND]]
func.func @sort(%x: !torch.vtensor<[2,3],si64>) -> (!torch.vtensor<[2,3],si64>, !torch.vtensor<[2,3],si64>) {
  %stable = torch.constant.bool true
  %int1 = torch.constant.int 1
  %descending = torch.constant.bool false
  %r, %i = torch.aten.sort.stable %x, %stable, %int1, %descending
      : !torch.vtensor<[2,3],si64>, !torch.bool, !torch.int, !torch.bool -> !torch.vtensor<[2,3],si64>, !torch.vtensor<[2,3],si64>
  return %r, %i : !torch.vtensor<[2,3],si64>, !torch.vtensor<[2,3],si64>
}

// -----

// CHECK-LABEL: func.func @nonzero
// CHECK-SAME:    (%[[X:.*]]: tensor<?x3xi1>)
// CHECK:         %[[COUNTS:.*]]:2 = "iree_linalg_ext.scan"
// CHECK:         %[[TOTAL:.*]] = linalg.reduce ins(%{{.*}} : tensor<?xi64>)
// CHECK:         tensor.extract %[[TOTAL]][]
// CHECK:         %[[PLACES:.*]] = linalg.generic
// CHECK:           scf.while
// CHECK:             tensor.extract %[[COUNTS]]#0
// CHECK:         linalg.generic
// CHECK:           arith.remui
// CHECK-NOT:     scf.for
func.func @nonzero(%x: !torch.vtensor<[?,3],i1>) -> !torch.vtensor<[?,2],si64> {
  %r = torch.aten.nonzero %x : !torch.vtensor<[?,3],i1> -> !torch.vtensor<[?,2],si64>
  return %r : !torch.vtensor<[?,2],si64>
}

// -----

// IREE's math.powf is NaN for negative bases.
// CHECK-LABEL: func.func @power
// CHECK:         ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// CHECK:           %[[SIZE:.*]] = math.absf %[[X]]
// CHECK:           %[[POWER:.*]] = math.powf %[[SIZE]], %[[Y]]
// CHECK:           %[[OR_ONE:.*]] = arith.select %{{.*}}, %{{.*}}, %[[POWER]]
// CHECK:           %[[MINUS:.*]] = arith.negf %[[OR_ONE]]
// CHECK:           %[[NEGATIVE:.*]] = arith.cmpf olt, %[[X]]
// CHECK:           %[[R:.*]] = arith.select %[[NEGATIVE]], %{{.*}}, %[[OR_ONE]]
// CHECK:           linalg.yield %[[R]]
func.func @power(%x: !torch.vtensor<[?],f32>, %y: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32> {
  %r = torch.aten.pow.Tensor_Tensor %x, %y : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// -----

// CHECK-LABEL: func.func @whole_power
// CHECK-NOT:     math.ipowi
// CHECK-COUNT-12: arith.muli
// CHECK-NOT:     arith.muli
func.func @whole_power(%x: !torch.vtensor<[?],si8>, %y: !torch.vtensor<[?],si8>) -> !torch.vtensor<[?],si8> {
  %r = torch.aten.pow.Tensor_Tensor %x, %y : !torch.vtensor<[?],si8>, !torch.vtensor<[?],si8> -> !torch.vtensor<[?],si8>
  return %r : !torch.vtensor<[?],si8>
}

// -----

// IREE takes no tensor.from_elements of an i1.
// CHECK-LABEL: func.func @truth
// CHECK-SAME:    (%[[X:.*]]: i1)
// CHECK:         %[[R:.*]] = linalg.fill ins(%[[X]] : i1)
// CHECK:         return %[[R]] : tensor<i1>
func.func @truth(%x: !torch.bool) -> !torch.vtensor<[],i1> {
  %r = torch.prim.NumToTensor.Scalar %x : !torch.bool -> !torch.vtensor<[],i1>
  return %r : !torch.vtensor<[],i1>
}
