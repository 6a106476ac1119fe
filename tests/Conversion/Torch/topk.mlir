// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file --verify-diagnostics %}

// The first two of the pairs (value, index), sorted by descending value.
// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[X:.*]]: tensor<?x8xi32>)
// MHLO:         %[[PLACES:.*]] = "mhlo.dynamic_iota"({{.*}}) <{iota_dimension = 1 : i64}>
// MHLO:         %[[SORTED:.*]]:2 = "mhlo.sort"(%[[X]], %[[PLACES]]) <{dimension = 1 : i64, is_stable = true}> ({
// MHLO-NEXT:    ^bb0(%[[LEFT:.*]]: tensor<i32>, %[[RIGHT:.*]]: tensor<i32>, %{{.*}}: tensor<i64>, %{{.*}}: tensor<i64>):
// MHLO:         %[[GREATER:.*]] = mhlo.compare GT, %[[LEFT]], %[[RIGHT]], SIGNED
// MHLO:         mhlo.return %[[GREATER]]
// MHLO:         %[[VALUES:.*]] = mhlo.real_dynamic_slice %[[SORTED]]#0,
// MHLO:         %[[AT:.*]] = mhlo.real_dynamic_slice %[[SORTED]]#1,
// MHLO:         return %[[VALUES]], %[[AT]] : tensor<?x2xi32>, tensor<?x2xi64>
//
// A merge sort of each row's indices: the element of the right run goes first
// only if it is greater, so that equal ones keep their order. The first two
// indices are the second result, and their elements are the first result.
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[X:.*]]: tensor<?x8xi32>)
// LINALG-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// LINALG-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// LINALG-DAG:     %[[N:.*]] = arith.constant 8 : index
// LINALG:         %[[ORDER:.*]]:2 = scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step
// LINALG:           %[[MERGED:.*]]:3 = scf.while (%{{.*}} = %[[ZERO]], %[[WIDTH:.*]] = %[[ONE]], %{{.*}} = %{{.*}})
// LINALG:             arith.cmpi slt, %[[WIDTH]], %[[N]]
// LINALG:           ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: tensor<16xi64>):
// LINALG:             %[[LEFT:.*]] = tensor.extract %[[RUNS:.*]][%{{.*}}] : tensor<16xi64>
// LINALG:             %[[RIGHT:.*]] = tensor.extract %[[RUNS]][%{{.*}}] : tensor<16xi64>
// LINALG:             %[[RIGHT_AT:.*]] = arith.index_cast %[[RIGHT]]
// LINALG:             %[[RIGHT_KEY:.*]] = tensor.extract %[[X]][%[[ROW]], %[[RIGHT_AT]]]
// LINALG:             %[[LEFT_AT:.*]] = arith.index_cast %[[LEFT]]
// LINALG:             %[[LEFT_KEY:.*]] = tensor.extract %[[X]][%[[ROW]], %[[LEFT_AT]]]
// LINALG:             arith.cmpi sgt, %[[RIGHT_KEY]], %[[LEFT_KEY]] : i32
// LINALG:           tensor.extract %[[MERGED]]#2[
// LINALG:         %[[ALL:.*]] = tensor.expand_shape %[[ORDER]]#0 {{.*}} into tensor<?x8xi64>
// LINALG:         %[[PLACES:.*]] = tensor.extract_slice %[[ALL]][0, 0] [%{{.*}}, 2] [1, 1]
// LINALG:         %[[VALUES:.*]] = linalg.generic {{.*}} ins(%[[PLACES]] :
// LINALG-NEXT:    ^bb0(%[[PLACE:.*]]: i64, %{{.*}}: i32):
// LINALG:           %[[AT:.*]] = arith.index_cast %[[PLACE]]
// LINALG:           tensor.extract %[[X]][%{{.*}}, %[[AT]]]
// LINALG:         return %[[VALUES]], %[[PLACES]] : tensor<?x2xi32>, tensor<?x2xi64>
func.func @dynamic(%a: !torch.vtensor<[?,8],si32>) -> (!torch.vtensor<[?,2],si32>, !torch.vtensor<[?,2],si64>) {
  %int2 = torch.constant.int 2
  %int_1 = torch.constant.int -1
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to tosa for 'torch.aten.topk': expected sizes and a dim that are known while compiling; make sizes known with --specialize}}
  %r0, %r1 = torch.aten.topk %a, %int2, %int_1, %true, %true
      : !torch.vtensor<[?,8],si32>, !torch.int, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[?,2],si32>, !torch.vtensor<[?,2],si64>
  return %r0, %r1 : !torch.vtensor<[?,2],si32>, !torch.vtensor<[?,2],si64>
}
