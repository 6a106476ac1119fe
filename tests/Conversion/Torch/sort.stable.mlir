// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @ascending_ints
// MHLO-SAME:    (%[[X:.*]]: tensor<?x3xi64>)
// MHLO:         %[[PLACES:.*]] = "mhlo.dynamic_iota"({{.*}}) <{iota_dimension = 1 : i64}>
// MHLO:         %[[SORTED:.*]]:2 = "mhlo.sort"(%[[X]], %[[PLACES]]) <{dimension = 1 : i64, is_stable = true}> ({
// MHLO-NEXT:    ^bb0(%[[LEFT:.*]]: tensor<i64>, %[[RIGHT:.*]]: tensor<i64>, %{{.*}}: tensor<i64>, %{{.*}}: tensor<i64>):
// MHLO:         %[[LESS:.*]] = mhlo.compare LT, %[[LEFT]], %[[RIGHT]], SIGNED
// MHLO:         mhlo.return %[[LESS]]
// MHLO:         return %[[SORTED]]#0, %[[SORTED]]#1
//
// A merge sort of each row's indices: the element of the right run goes first
// only if it is less, so that equal ones keep their order.
// LINALG-LABEL: func.func @ascending_ints
// LINALG-SAME:    (%[[X:.*]]: tensor<?x3xi64>)
// LINALG-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// LINALG-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// LINALG-DAG:     %[[N:.*]] = arith.constant 3 : index
// LINALG:         %[[ORDER:.*]]:2 = scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step
// LINALG:           %[[MERGED:.*]]:3 = scf.while (%{{.*}} = %[[ZERO]], %[[WIDTH:.*]] = %[[ONE]], %{{.*}} = %{{.*}})
// LINALG:             arith.cmpi slt, %[[WIDTH]], %[[N]]
// LINALG:           ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: tensor<6xi64>):
// LINALG:             %[[LEFT:.*]] = tensor.extract %[[RUNS:.*]][%{{.*}}] : tensor<6xi64>
// LINALG:             %[[RIGHT:.*]] = tensor.extract %[[RUNS]][%{{.*}}] : tensor<6xi64>
// LINALG:             %[[RIGHT_AT:.*]] = arith.index_cast %[[RIGHT]]
// LINALG:             %[[RIGHT_KEY:.*]] = tensor.extract %[[X]][%[[ROW]], %[[RIGHT_AT]]]
// LINALG:             %[[LEFT_AT:.*]] = arith.index_cast %[[LEFT]]
// LINALG:             %[[LEFT_KEY:.*]] = tensor.extract %[[X]][%[[ROW]], %[[LEFT_AT]]]
// LINALG:             arith.cmpi slt, %[[RIGHT_KEY]], %[[LEFT_KEY]] : i64
// LINALG:           tensor.extract %[[MERGED]]#2[
// LINALG:         %[[PLACES:.*]] = tensor.expand_shape %[[ORDER]]#0 {{.*}} into tensor<?x3xi64>
// LINALG:         %[[VALUES:.*]] = linalg.generic {{.*}} ins(%[[PLACES]] :
// LINALG-NEXT:    ^bb0(%[[PLACE:.*]]: i64, %{{.*}}: i64):
// LINALG:           %[[AT:.*]] = arith.index_cast %[[PLACE]]
// LINALG:           tensor.extract %[[X]][%{{.*}}, %[[AT]]]
// LINALG:         return %[[VALUES]], %[[PLACES]]
func.func @ascending_ints(%a: !torch.vtensor<[?,3],si64>) -> (!torch.vtensor<[?,3],si64>, !torch.vtensor<[?,3],si64>) {
  %int_1 = torch.constant.int -1
  %false = torch.constant.bool false
  %stable = torch.constant.bool true
  // expected-error @below {{no lowering to tosa for 'torch.aten.sort.stable': expected sizes and a dim that are known while compiling; make sizes known with --specialize}}
  %r0, %r1 = torch.aten.sort.stable %a, %stable, %int_1, %false
      : !torch.vtensor<[?,3],si64>, !torch.bool, !torch.int, !torch.bool -> !torch.vtensor<[?,3],si64>, !torch.vtensor<[?,3],si64>
  return %r0, %r1 : !torch.vtensor<[?,3],si64>, !torch.vtensor<[?,3],si64>
}

// -----

// NaN is greater than every number: left > right, or only left is NaN.
// MHLO-LABEL: func.func @descending_floats
// MHLO-SAME:    (%[[X:.*]]: tensor<3xf32>)
// MHLO:         %[[PLACES:.*]] = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3xi64>
// MHLO:         %[[SORTED:.*]]:2 = "mhlo.sort"(%[[X]], %[[PLACES]]) <{dimension = 0 : i64, is_stable = true}> ({
// MHLO-NEXT:    ^bb0(%[[LEFT:.*]]: tensor<f32>, %[[RIGHT:.*]]: tensor<f32>, %{{.*}}: tensor<i64>, %{{.*}}: tensor<i64>):
// MHLO:         %[[GREATER:.*]] = mhlo.compare GT, %[[LEFT]], %[[RIGHT]], FLOAT
// MHLO:         %[[LEFT_NAN:.*]] = mhlo.compare NE, %[[LEFT]], %[[LEFT]], FLOAT
// MHLO:         %[[RIGHT_NAN:.*]] = mhlo.compare NE, %[[RIGHT]], %[[RIGHT]], FLOAT
// MHLO:         %[[NUMBER:.*]] = mhlo.not %[[RIGHT_NAN]]
// MHLO:         %[[BY_NAN:.*]] = mhlo.and %[[LEFT_NAN]], %[[NUMBER]]
// MHLO:         %[[FIRST:.*]] = mhlo.or %[[GREATER]], %[[BY_NAN]]
// MHLO:         mhlo.return %[[FIRST]]
// MHLO:         return %[[SORTED]]#0, %[[SORTED]]#1
//
// The same order, as whether the right run's element goes first.
// LINALG-LABEL: func.func @descending_floats
// LINALG-SAME:    (%[[X:.*]]: tensor<3xf32>)
// LINALG:         %[[ROWS:.*]] = tensor.expand_shape %[[X]] {{.*}} output_shape [1, 3]
// LINALG:           ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: tensor<6xi64>):
// LINALG:             %[[LEFT:.*]] = tensor.extract %[[RUNS:.*]][%{{.*}}] : tensor<6xi64>
// LINALG:             %[[RIGHT:.*]] = tensor.extract %[[RUNS]][%{{.*}}] : tensor<6xi64>
// LINALG:             %[[RIGHT_AT:.*]] = arith.index_cast %[[RIGHT]]
// LINALG:             %[[RIGHT_KEY:.*]] = tensor.extract %[[ROWS]][%{{.*}}, %[[RIGHT_AT]]]
// LINALG:             %[[LEFT_AT:.*]] = arith.index_cast %[[LEFT]]
// LINALG:             %[[LEFT_KEY:.*]] = tensor.extract %[[ROWS]][%{{.*}}, %[[LEFT_AT]]]
// LINALG:             %[[GREATER:.*]] = arith.cmpf ogt, %[[RIGHT_KEY]], %[[LEFT_KEY]]
// LINALG:             %[[RIGHT_NAN:.*]] = arith.cmpf uno, %[[RIGHT_KEY]], %[[RIGHT_KEY]]
// LINALG:             %[[NUMBER:.*]] = arith.cmpf oeq, %[[LEFT_KEY]], %[[LEFT_KEY]]
// LINALG:             %[[BY_NAN:.*]] = arith.andi %[[RIGHT_NAN]], %[[NUMBER]]
// LINALG:             arith.ori %[[GREATER]], %[[BY_NAN]]
// LINALG:         %[[VALUES:.*]] = linalg.generic {{.*}} ins(%[[PLACES:.*]] : tensor<3xi64>)
// LINALG:         return %[[VALUES]], %[[PLACES]] : tensor<3xf32>, tensor<3xi64>
//
// rank[i] = the number of j that go before i: greater ones (NaN is the greatest),
// and equal ones on the left. Position k gets the i with rank k: the sum of all i
// with rank[i] = k.
// TOSA-LABEL: func.func @descending_floats
// TOSA-SAME:    (%[[X:.*]]: tensor<3xf32>)
// TOSA:         %[[ROW:.*]] = tosa.reshape %[[X]]
// TOSA:         %[[I:.*]] = tosa.reshape %[[ROW]], %{{.*}} -> tensor<1x3x1xf32>
// TOSA:         %[[J:.*]] = tosa.reshape %[[ROW]], %{{.*}} -> tensor<1x1x3xf32>
// TOSA:         tosa.greater %[[J]], %[[I]]
// TOSA:         %[[BEFORE:.*]] = tosa.logical_or
// TOSA:         tosa.greater %[[I]], %[[J]]
// TOSA:         %[[AFTER:.*]] = tosa.logical_or
// TOSA:         %[[DIFFERENT:.*]] = tosa.logical_or %[[BEFORE]], %[[AFTER]]
// TOSA:         %[[EQUAL:.*]] = tosa.logical_not %[[DIFFERENT]]
// TOSA:         %[[LEFT:.*]] = tosa.greater %[[PLACES:.*]], %{{.*}} : (tensor<1x3x1xi32>, tensor<1x1x3xi32>)
// TOSA:         %[[TIES:.*]] = tosa.logical_and %[[EQUAL]], %[[LEFT]]
// TOSA:         %[[COUNTED:.*]] = tosa.logical_or %[[BEFORE]], %[[TIES]]
// TOSA:         %[[ONES:.*]] = tosa.cast %[[COUNTED]]
// TOSA:         %[[RANK:.*]] = tosa.reduce_sum %[[ONES]] {axis = 2 : i32}
// TOSA:         %[[GOES_TO:.*]] = tosa.equal %[[RANK]], %{{.*}} : (tensor<1x3x1xi32>, tensor<1x1x3xi32>)
// TOSA:         %[[ONE_HOT:.*]] = tosa.select %[[GOES_TO]], %[[PLACES]], %{{.*}}
// TOSA:         %[[SUM:.*]] = tosa.reduce_sum %[[ONE_HOT]] {axis = 1 : i32}
// TOSA:         %[[ORDER:.*]] = tosa.reshape %[[SUM]]
// TOSA:         tosa.gather %[[I]], %[[ORDER]]
// TOSA:         return %{{.*}}, %{{.*}} : tensor<3xf32>, tensor<3xi32>
func.func @descending_floats(%a: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],si64>) {
  %int0 = torch.constant.int 0
  %true = torch.constant.bool true
  %stable = torch.constant.bool true
  %r0, %r1 = torch.aten.sort.stable %a, %stable, %int0, %true
      : !torch.vtensor<[3],f32>, !torch.bool, !torch.int, !torch.bool -> !torch.vtensor<[3],f32>, !torch.vtensor<[3],si64>
  return %r0, %r1 : !torch.vtensor<[3],f32>, !torch.vtensor<[3],si64>
}
