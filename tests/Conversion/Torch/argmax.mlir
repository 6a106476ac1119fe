// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d0)>

// The pair (value, index) of the greatest value, with the first index of equal values.
// MHLO-LABEL: func.func @of_ints
// MHLO-SAME:    (%[[X:.*]]: tensor<?x3xi64>)
// MHLO:         %[[PLACES:.*]] = "mhlo.dynamic_iota"({{.*}}) <{iota_dimension = 1 : i64}>
// MHLO:         %[[INIT:.*]] = mhlo.constant dense<-9223372036854775808> : tensor<i64>
// MHLO:         %[[LAST:.*]] = mhlo.constant dense<9223372036854775807> : tensor<i64>
// MHLO:         %[[PAIR:.*]]:2 = "mhlo.reduce"(%[[X]], %[[PLACES]], %[[INIT]], %[[LAST]]) <{dimensions = dense<1> : tensor<1xi64>}> ({
// MHLO-NEXT:    ^bb0(%[[L:.*]]: tensor<i64>, %[[I:.*]]: tensor<i64>, %[[R:.*]]: tensor<i64>, %[[J:.*]]: tensor<i64>):
// MHLO:           %[[WINS:.*]] = mhlo.compare GT, %[[L]], %[[R]], SIGNED
// MHLO:           %[[TIES:.*]] = mhlo.compare EQ, %[[L]], %[[R]], SIGNED
// MHLO:           %[[FIRST:.*]] = mhlo.compare LT, %[[I]], %[[J]], SIGNED
// MHLO:           %[[TIE:.*]] = mhlo.and %[[TIES]], %[[FIRST]]
// MHLO:           %[[LEFT:.*]] = mhlo.or %[[WINS]], %[[TIE]]
// MHLO:           %[[VALUE:.*]] = mhlo.select %[[LEFT]], %[[L]], %[[R]]
// MHLO:           %[[PLACE:.*]] = mhlo.select %[[LEFT]], %[[I]], %[[J]]
// MHLO:           mhlo.return %[[VALUE]], %[[PLACE]]
// MHLO:         return %[[PAIR]]#1 : tensor<?xi64>
//
// LINALG-LABEL: func.func @of_ints
// LINALG-SAME:    (%[[X:.*]]: tensor<?x3xi64>)
// LINALG:         %[[PAIR:.*]]:2 = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP1]]], iterator_types = ["parallel", "reduction"]} ins(%[[X]] :
// LINALG-NEXT:    ^bb0(%[[L:.*]]: i64, %[[R:.*]]: i64, %[[J:.*]]: i64):
// LINALG:           %[[AT:.*]] = linalg.index 1
// LINALG:           %[[I:.*]] = arith.index_cast %[[AT]]
// LINALG:           %[[FIRST:.*]] = arith.cmpi slt, %[[I]], %[[J]]
// LINALG:           %[[TIES:.*]] = arith.cmpi eq, %[[L]], %[[R]]
// LINALG:           %[[WINS:.*]] = arith.cmpi sgt, %[[L]], %[[R]]
// LINALG:           %[[TIE:.*]] = arith.andi %[[TIES]], %[[FIRST]]
// LINALG:           %[[LEFT:.*]] = arith.ori %[[WINS]], %[[TIE]]
// LINALG:           %[[VALUE:.*]] = arith.select %[[LEFT]], %[[L]], %[[R]]
// LINALG:           %[[PLACE:.*]] = arith.select %[[LEFT]], %[[I]], %[[J]]
// LINALG:           linalg.yield %[[VALUE]], %[[PLACE]]
// LINALG:         return %[[PAIR]]#1 : tensor<?xi64>
//
// tosa.argmax does not accept i32. The result is the least index whose element is
// the greatest one; all other elements count as index 3.
// TOSA-LABEL: func.func @of_ints
// TOSA-SAME:    (%[[X:.*]]: tensor<?x3xi32> {isthmus.dtype = si64})
// TOSA:         %[[BEST:.*]] = tosa.reduce_max %[[X]] {axis = 1 : i32}
// TOSA:         %[[PLACES:.*]] = "tosa.const"() <{values = dense<{{\[\[}}0, 1, 2]]> : tensor<1x3xi32>}>
// TOSA:         %[[IS_BEST:.*]] = tosa.equal %[[X]], %[[BEST]]
// TOSA:         %[[NONE:.*]] = "tosa.const"() <{values = dense<3> : tensor<1x1xi32>}>
// TOSA:         %[[FOUND:.*]] = tosa.select %[[IS_BEST]], %[[PLACES]], %[[NONE]]
// TOSA:         %[[FIRST:.*]] = tosa.reduce_min %[[FOUND]] {axis = 1 : i32}
// TOSA:         %[[R:.*]] = tosa.reshape %[[FIRST]]
// TOSA:         return %[[R]] : tensor<?xi32>
func.func @of_ints(%a: !torch.vtensor<[?,3],si64>) -> !torch.vtensor<[?],si64> {
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %r = torch.aten.argmax %a, %int1, %false
      : !torch.vtensor<[?,3],si64>, !torch.int, !torch.bool -> !torch.vtensor<[?],si64>
  return %r : !torch.vtensor<[?],si64>
}

// All elements form one row. NaN is greater than every number, and equal to NaN.
// MHLO-LABEL: func.func @flat
// MHLO-SAME:    (%[[X:.*]]: tensor<2x3xf32>)
// MHLO:         %[[ROW:.*]] = mhlo.reshape %[[X]] : (tensor<2x3xf32>) -> tensor<6xf32>
// MHLO:         %[[PLACES:.*]] = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6xi64>
// MHLO:         %[[INIT:.*]] = mhlo.constant dense<0xFF800000> : tensor<f32>
// MHLO:         %[[LAST:.*]] = mhlo.constant dense<9223372036854775807> : tensor<i64>
// MHLO:         %[[PAIR:.*]]:2 = "mhlo.reduce"(%[[ROW]], %[[PLACES]], %[[INIT]], %[[LAST]]) <{dimensions = dense<0> : tensor<1xi64>}> ({
// MHLO-NEXT:    ^bb0(%[[L:.*]]: tensor<f32>, %[[I:.*]]: tensor<i64>, %[[R:.*]]: tensor<f32>, %[[J:.*]]: tensor<i64>):
// MHLO:           mhlo.compare GT, %[[L]], %[[R]], FLOAT
// MHLO:           mhlo.compare EQ, %[[L]], %[[R]], FLOAT
// MHLO:           %[[L_NAN:.*]] = mhlo.compare NE, %[[L]], %[[L]], FLOAT
// MHLO:           %[[R_NAN:.*]] = mhlo.compare NE, %[[R]], %[[R]], FLOAT
// MHLO:           %[[R_NUMBER:.*]] = mhlo.not %[[R_NAN]]
// MHLO:           mhlo.and %[[L_NAN]], %[[R_NUMBER]]
// MHLO:           mhlo.and %[[L_NAN]], %[[R_NAN]]
// MHLO:           mhlo.compare LT, %[[I]], %[[J]], SIGNED
// MHLO:         return %[[PAIR]]#1 : tensor<i64>
//
// LINALG-LABEL: func.func @flat
// LINALG-SAME:    (%[[X:.*]]: tensor<2x3xf32>)
// LINALG:         %[[ROW:.*]] = tensor.collapse_shape %[[X]] {{.*}} into tensor<6xf32>
// LINALG:         %[[PAIR:.*]]:2 = linalg.generic {{{.*}} iterator_types = ["reduction"]} ins(%[[ROW]] :
// LINALG-NEXT:    ^bb0(%[[L:.*]]: f32, %[[R:.*]]: f32, %[[J:.*]]: i64):
// LINALG:           arith.cmpf ogt, %[[L]], %[[R]]
// LINALG:           %[[L_NAN:.*]] = arith.cmpf uno, %[[L]], %[[L]]
// LINALG:           %[[R_NAN:.*]] = arith.cmpf uno, %[[R]], %[[R]]
// LINALG:           arith.andi %[[L_NAN]], %[[R_NAN]]
// LINALG:           %[[R_NUMBER:.*]] = arith.cmpf oeq, %[[R]], %[[R]]
// LINALG:           arith.andi %[[L_NAN]], %[[R_NUMBER]]
// LINALG:         return %[[PAIR]]#1 : tensor<i64>
//
// TOSA-LABEL: func.func @flat
// TOSA-SAME:    (%[[X:.*]]: tensor<2x3xf32>)
// TOSA:         %[[ROW:.*]] = tosa.reshape %[[X]], %{{.*}} -> tensor<6xf32>
// TOSA:         %[[R:.*]] = tosa.argmax %[[ROW]] {axis = 0 : i32}
// TOSA:         return %[[R]] : tensor<i32>
func.func @flat(%a: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[],si64> {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %r = torch.aten.argmax %a, %none, %false
      : !torch.vtensor<[2,3],f32>, !torch.none, !torch.bool -> !torch.vtensor<[],si64>
  return %r : !torch.vtensor<[],si64>
}
