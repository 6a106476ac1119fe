// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// The positions are (row, index[row, j]).
// MHLO-LABEL: func.func @amax
// MHLO-SAME:    (%[[X:.*]]: tensor<3x5xf32>, %[[INDEX:.*]]: tensor<3x2xi64>, %[[SRC:.*]]: tensor<3x2xf32>)
// MHLO:         %[[ROWS:.*]] = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x2x1xi64>
// MHLO:         %[[COLUMNS:.*]] = mhlo.reshape %[[INDEX]] : (tensor<3x2xi64>) -> tensor<3x2x1xi64>
// MHLO:         %[[PLACES:.*]] = "mhlo.concatenate"(%[[ROWS]], %[[COLUMNS]]) <{dimension = 2 : i64}>
// MHLO:         %[[UPDATES:.*]] = "mhlo.slice"(%[[SRC]])
// MHLO:         %[[R:.*]] = "mhlo.scatter"(%[[X]], %[[PLACES]], %[[UPDATES]])
// MHLO-NEXT:    ^bb0(%[[OLD:.*]]: tensor<f32>, %[[NEW:.*]]: tensor<f32>):
// MHLO:           mhlo.maximum %[[OLD]], %[[NEW]]
// MHLO:         return %[[R]] : tensor<3x5xf32>
//
// x[i, index[i, j]] = max(x[i, index[i, j]], src[i, j]); a negative index counts
// from the end.
// LINALG-LABEL: func.func @amax
// LINALG-SAME:    (%[[X:.*]]: tensor<3x5xf32>, %[[INDEX:.*]]: tensor<3x2xi64>, %[[SRC:.*]]: tensor<3x2xf32>)
// LINALG:         scf.for %[[I:.*]] = %{{.*}} iter_args(
// LINALG:           scf.for %[[J:.*]] = %{{.*}} iter_args(%[[SO_FAR:.*]] = %{{.*}})
// LINALG:           %[[AT:.*]] = tensor.extract %[[INDEX]][%[[I]], %[[J]]]
// LINALG:           %[[K:.*]] = arith.index_cast %[[AT]]
// LINALG:           cf.assert %{{.*}}, "expected an index inside the dim it indexes"
// LINALG:           %[[ROW:.*]] = arith.muli %[[I]], %c5
// LINALG:           %[[PLACE:.*]] = arith.addi %[[ROW]], %[[K]]
// LINALG:           %[[OLD:.*]] = tensor.extract %[[SO_FAR]][%[[PLACE]]] : tensor<15xf32>
// LINALG:           %[[NEW:.*]] = tensor.extract %[[SRC]][%[[I]], %[[J]]]
// LINALG:           %[[MAX:.*]] = arith.maximumf %[[OLD]], %[[NEW]]
// LINALG:           tensor.insert %[[MAX]] into %[[SO_FAR]][%[[PLACE]]] : tensor<15xf32>
//
// meets[i, k, j] = (index[i, j] = k): whether src[i, j] is an update of x[i, k].
// TOSA-LABEL: func.func @amax
// TOSA-SAME:    (%[[X:.*]]: tensor<3x5xf32>, %[[INDEX:.*]]: tensor<3x2xi32> {isthmus.dtype = si64}, %[[SRC:.*]]: tensor<3x2xf32>)
// TOSA:         %[[VALUES:.*]] = tosa.reshape %[[X]], %{{.*}} -> tensor<3x5x1xf32>
// TOSA:         %[[UPDATES:.*]] = tosa.reshape %[[SRC]],
// TOSA:         %[[AT:.*]] = tosa.reshape %[[INDEX]], %{{.*}} -> tensor<3x1x2x1xi32>
// TOSA:         %[[MEETS:.*]] = tosa.equal %[[AT]], %{{.*}} -> tensor<3x5x2x1xi1>
// TOSA:         %[[LOWEST:.*]] = "tosa.const"() <{values = dense<0xFF800000>
// TOSA:         %[[ROWS:.*]] = tosa.reshape %[[UPDATES]], %{{.*}} -> tensor<3x1x2x1xf32>
// TOSA:         %[[SPREAD:.*]] = tosa.select %[[MEETS]], %[[ROWS]], %[[LOWEST]]
// TOSA:         %[[GREATEST:.*]] = tosa.reduce_max %[[SPREAD]] {axis = 2 : i32}
// TOSA:         %[[GATHERED:.*]] = tosa.reshape %[[GREATEST]],
// TOSA:         %[[MAX:.*]] = tosa.maximum %[[VALUES]], %[[GATHERED]]
// TOSA:         %[[R:.*]] = tosa.reshape %[[MAX]],
// TOSA:         return %[[R]] : tensor<3x5xf32>
func.func @amax(%a: !torch.vtensor<[3,5],f32>, %b: !torch.vtensor<[3,2],si64>, %c: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,5],f32> {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "amax"
  %true = torch.constant.bool true
  %r = torch.aten.scatter_reduce.two %a, %int1, %b, %c, %str, %true
      : !torch.vtensor<[3,5],f32>, !torch.int, !torch.vtensor<[3,2],si64>, !torch.vtensor<[3,2],f32>, !torch.str, !torch.bool -> !torch.vtensor<[3,5],f32>
  return %r : !torch.vtensor<[3,5],f32>
}

// Elements with updates become 0. Then the sum of updates, divided by their
// number, or by 1 if there are none, is added.
// MHLO-LABEL: func.func @mean_without_self
// MHLO-SAME:    (%[[X:.*]]: tensor<3x5xf32>, %[[INDEX:.*]]: tensor<3x2xi64>, %[[SRC:.*]]: tensor<3x2xf32>)
// MHLO:         %[[ROWS:.*]] = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x2x1xi64>
// MHLO:         %[[COLUMNS:.*]] = mhlo.reshape %[[INDEX]] : (tensor<3x2xi64>) -> tensor<3x2x1xi64>
// MHLO:         %[[PLACES:.*]] = "mhlo.concatenate"(%[[ROWS]], %[[COLUMNS]]) <{dimension = 2 : i64}>
// MHLO:         %[[UPDATES:.*]] = "mhlo.slice"(%[[SRC]])
// MHLO:         %[[CLEARED:.*]] = "mhlo.scatter"(%[[X]], %[[PLACES]], %{{.*}})
// MHLO-NEXT:    ^bb0(%[[OLD:.*]]: tensor<f32>, %[[NEW:.*]]: tensor<f32>):
// MHLO:           mhlo.return %[[NEW]]
// MHLO:         %[[SUMS:.*]] = "mhlo.scatter"(%[[CLEARED]], %[[PLACES]], %[[UPDATES]])
// MHLO-NEXT:    ^bb0(%[[OLD:.*]]: tensor<f32>, %[[NEW:.*]]: tensor<f32>):
// MHLO:           mhlo.add %[[OLD]], %[[NEW]]
// MHLO:         %[[NUMBERS:.*]] = "mhlo.scatter"(%{{.*}}, %[[PLACES]], %{{.*}})
// MHLO:           mhlo.add
// MHLO:         %[[COUNT:.*]] = mhlo.maximum %[[NUMBERS]],
// MHLO:         %[[MEAN:.*]] = mhlo.divide %[[SUMS]], %[[COUNT]]
// MHLO:         return %[[MEAN]] : tensor<3x5xf32>
//
// LINALG-LABEL: func.func @mean_without_self
// LINALG-SAME:    (%[[X:.*]]: tensor<3x5xf32>, %[[INDEX:.*]]: tensor<3x2xi64>, %[[SRC:.*]]: tensor<3x2xf32>)
// LINALG:         %[[FLAT:.*]] = tensor.collapse_shape %[[X]]
// LINALG:         %[[CLEARED:.*]] = scf.for %{{.*}} iter_args(%{{.*}} = %[[FLAT]])
// LINALG:           tensor.insert %[[ZERO:.*]] into
// LINALG:         %[[SUMS:.*]] = scf.for %[[I:.*]] = %{{.*}} iter_args(%{{.*}} = %[[CLEARED]])
// LINALG:           %[[NEW:.*]] = tensor.extract %[[SRC]][%[[I]],
// LINALG:           arith.addf %{{.*}}, %[[NEW]]
// LINALG:         %[[SUMS_AS_X:.*]] = tensor.expand_shape %[[SUMS]]
// LINALG:         %[[ZEROS:.*]] = linalg.fill ins(%[[ZERO]] : f32)
// LINALG:         %[[NUMBERS:.*]] = scf.for %{{.*}} iter_args(%{{.*}} = %[[ZEROS]])
// LINALG:           arith.addf %{{.*}}, %[[ONE:.*]] : f32
// LINALG:         %[[NUMBERS_AS_X:.*]] = tensor.expand_shape %[[NUMBERS]]
// LINALG:         %[[MEAN:.*]] = linalg.generic {{.*}} ins(%[[SUMS_AS_X]], %[[NUMBERS_AS_X]] :
// LINALG-NEXT:    ^bb0(%[[SUM:.*]]: f32, %[[NUMBER:.*]]: f32, %{{.*}}: f32):
// LINALG:           %[[COUNT:.*]] = arith.maximumf %[[NUMBER]], %[[ONE]]
// LINALG:           arith.divf %[[SUM]], %[[COUNT]]
// LINALG:         return %[[MEAN]] : tensor<3x5xf32>
//
// TOSA-LABEL: func.func @mean_without_self
// TOSA-SAME:    (%[[X:.*]]: tensor<3x5xf32>, %[[INDEX:.*]]: tensor<3x2xi32> {isthmus.dtype = si64}, %[[SRC:.*]]: tensor<3x2xf32>)
// TOSA:         %[[VALUES:.*]] = tosa.reshape %[[X]], %{{.*}} -> tensor<3x5x1xf32>
// TOSA:         %[[UPDATES:.*]] = tosa.reshape %[[SRC]],
// TOSA:         %[[AT:.*]] = tosa.reshape %[[INDEX]], %{{.*}} -> tensor<3x1x2x1xi32>
// TOSA:         %[[MEETS:.*]] = tosa.equal %[[AT]], %{{.*}} -> tensor<3x5x2x1xi1>
// TOSA:         %[[ROWS:.*]] = tosa.reshape %[[UPDATES]], %{{.*}} -> tensor<3x1x2x1xf32>
// TOSA:         %[[SPREAD:.*]] = tosa.select %[[MEETS]], %[[ROWS]],
// TOSA:         %[[TOTAL:.*]] = tosa.reduce_sum %[[SPREAD]] {axis = 2 : i32}
// TOSA:         %[[GATHERED:.*]] = tosa.reshape %[[TOTAL]],
// TOSA:         %[[ONES:.*]] = tosa.cast %[[MEETS]]
// TOSA:         %[[MET:.*]] = tosa.reduce_sum %[[ONES]] {axis = 2 : i32}
// TOSA:         %[[NUMBER:.*]] = tosa.reshape %[[MET]],
// TOSA:         %[[IS_MET:.*]] = tosa.greater %[[NUMBER]],
// TOSA:         %[[OWN:.*]] = tosa.select %[[IS_MET]], %{{.*}}, %[[VALUES]]
// TOSA:         %[[SUM:.*]] = tosa.add %[[OWN]], %[[GATHERED]]
// TOSA:         %[[COUNT:.*]] = tosa.maximum %[[NUMBER]],
// TOSA:         %[[DIVISOR:.*]] = tosa.cast %[[COUNT]]
// TOSA:         %[[INVERSE:.*]] = tosa.reciprocal %[[DIVISOR]]
// TOSA:         %[[MEAN:.*]] = tosa.mul %[[SUM]], %[[INVERSE]],
// TOSA:         %[[R:.*]] = tosa.reshape %[[MEAN]],
// TOSA:         return %[[R]] : tensor<3x5xf32>
func.func @mean_without_self(%a: !torch.vtensor<[3,5],f32>, %b: !torch.vtensor<[3,2],si64>, %c: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,5],f32> {
  %int1 = torch.constant.int 1
  %str = torch.constant.str "mean"
  %false = torch.constant.bool false
  %r = torch.aten.scatter_reduce.two %a, %int1, %b, %c, %str, %false
      : !torch.vtensor<[3,5],f32>, !torch.int, !torch.vtensor<[3,2],si64>, !torch.vtensor<[3,2],f32>, !torch.str, !torch.bool -> !torch.vtensor<[3,5],f32>
  return %r : !torch.vtensor<[3,5],f32>
}
