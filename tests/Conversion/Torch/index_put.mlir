// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=TOSA %}

// A negative index counts from the end. Each index replaces a row.
// MHLO-LABEL: func.func @replace
// MHLO-SAME:    (%[[X:.*]]: tensor<5x4xf32>, %[[INDEX:.*]]: tensor<3xi64>, %[[VALUES:.*]]: tensor<3x4xf32>)
// MHLO:         %[[BELOW:.*]] = mhlo.compare LT, %[[INDEX]], %{{.*}}, SIGNED
// MHLO:         %[[WRAPPED:.*]] = mhlo.add %[[INDEX]], %{{.*}}
// MHLO:         %[[AT:.*]] = mhlo.select %[[BELOW]], %[[WRAPPED]], %[[INDEX]]
// MHLO:         %[[PLACES:.*]] = mhlo.reshape %[[AT]] : (tensor<3xi64>) -> tensor<3x1xi64>
// MHLO:         %[[R:.*]] = "mhlo.scatter"(%[[X]], %[[PLACES]], %[[VALUES]]) <{scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
// MHLO-NEXT:    ^bb0(%[[OLD:.*]]: tensor<f32>, %[[NEW:.*]]: tensor<f32>):
// MHLO:           mhlo.return %[[NEW]]
// MHLO:         return %[[R]] : tensor<5x4xf32>
//
// x[index[i], j] = values[i, j]
// LINALG-LABEL: func.func @replace
// LINALG-SAME:    (%[[X:.*]]: tensor<5x4xf32>, %[[INDEX:.*]]: tensor<3xi64>, %[[VALUES:.*]]: tensor<3x4xf32>)
// LINALG:         %[[COLUMN:.*]] = tensor.expand_shape %[[INDEX]] {{.*}} into tensor<3x1xi64>
// LINALG:         %[[ALL:.*]] = linalg.generic {{.*}} ins(%[[COLUMN]] :
// LINALG:         scf.for %[[I:.*]] = %{{.*}} iter_args(
// LINALG:           scf.for %[[J:.*]] = %{{.*}} iter_args(%[[SO_FAR:.*]] = %{{.*}})
// LINALG:           %[[AT:.*]] = tensor.extract %[[ALL]][%[[I]], %[[J]]]
// LINALG:           %[[AT_INT:.*]] = arith.index_cast %[[AT]]
// LINALG:           %[[K:.*]] = arith.select %{{.*}}, %{{.*}}, %[[AT_INT]]
// LINALG:           cf.assert %{{.*}}, "expected an index inside the dim it indexes"
// LINALG:           %[[ROW:.*]] = arith.muli %[[K]], %c4
// LINALG:           %[[PLACE:.*]] = arith.addi %[[ROW]], %[[J]]
// LINALG:           %[[NEW:.*]] = tensor.extract %[[VALUES]][%[[I]], %[[J]]]
// LINALG:           tensor.insert %[[NEW]] into %[[SO_FAR]][%[[PLACE]]] : tensor<20xf32>
//
// tosa.scatter writes rows [n, w, c] into values [n, k, c].
// TOSA-LABEL: func.func @replace
// TOSA-SAME:    (%[[X:.*]]: tensor<5x4xf32>, %[[INDEX:.*]]: tensor<3xi32> {isthmus.dtype = si64}, %[[VALUES:.*]]: tensor<3x4xf32>)
// TOSA:         %[[BELOW:.*]] = tosa.greater %{{.*}}, %[[INDEX]]
// TOSA:         %[[WRAPPED:.*]] = tosa.add %[[INDEX]],
// TOSA:         %[[AT:.*]] = tosa.select %[[BELOW]], %[[WRAPPED]], %[[INDEX]]
// TOSA:         %[[ROWS:.*]] = tosa.reshape %[[VALUES]], %{{.*}} -> tensor<1x3x4xf32>
// TOSA:         %[[INTO:.*]] = tosa.reshape %[[X]], %{{.*}} -> tensor<1x5x4xf32>
// TOSA:         %[[PLACES:.*]] = tosa.reshape %[[AT]], %{{.*}} -> tensor<1x3xi32>
// TOSA:         %[[WRITTEN:.*]] = tosa.scatter %[[INTO]], %[[PLACES]], %[[ROWS]]
// TOSA:         %[[R:.*]] = tosa.reshape %[[WRITTEN]],
// TOSA:         return %[[R]] : tensor<5x4xf32>
func.func @replace(%a: !torch.vtensor<[5,4],f32>, %b: !torch.vtensor<[3],si64>, %c: !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[5,4],f32> {
  %indices = torch.prim.ListConstruct %b
      : (!torch.vtensor<[3],si64>) -> !torch.list<optional<vtensor>>
  %false = torch.constant.bool false
  %r = torch.aten.index_put %a, %indices, %c, %false
      : !torch.vtensor<[5,4],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[3,4],f32>, !torch.bool -> !torch.vtensor<[5,4],f32>
  return %r : !torch.vtensor<[5,4],f32>
}

// -----

// Each index adds to a column; the value is broadcast to [rows, 2].
// MHLO-LABEL: func.func @accumulate
// MHLO-SAME:    (%[[X:.*]]: tensor<?x4xf32>, %[[INDEX:.*]]: tensor<2xi64>, %[[VALUE:.*]]: tensor<f32>)
// MHLO:         %[[BELOW:.*]] = mhlo.compare LT, %[[INDEX]], %{{.*}}, SIGNED
// MHLO:         %[[WRAPPED:.*]] = mhlo.add %[[INDEX]], %{{.*}}
// MHLO:         %[[AT:.*]] = mhlo.select %[[BELOW]], %[[WRAPPED]], %[[INDEX]]
// MHLO:         %[[PLACES:.*]] = mhlo.reshape %[[AT]] : (tensor<2xi64>) -> tensor<2x1xi64>
// MHLO:         %[[VALUES:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[VALUE]], %{{.*}} -> tensor<?x2xf32>
// MHLO:         %[[R:.*]] = "mhlo.scatter"(%[[X]], %[[PLACES]], %[[VALUES]]) <{scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>
// MHLO-NEXT:    ^bb0(%[[OLD:.*]]: tensor<f32>, %[[NEW:.*]]: tensor<f32>):
// MHLO:           mhlo.add %[[OLD]], %[[NEW]]
// MHLO:         return %[[R]] : tensor<?x4xf32>
//
// x[i, index[j]] += value
// LINALG-LABEL: func.func @accumulate
// LINALG-SAME:    (%[[X:.*]]: tensor<?x4xf32>, %[[INDEX:.*]]: tensor<2xi64>, %[[VALUE:.*]]: tensor<f32>)
// LINALG:         %[[ALL:.*]] = linalg.generic {{.*}} ins(%[[INDEX]] :
// LINALG:         %[[VALUES:.*]] = linalg.generic {{.*}} ins(%[[VALUE]] :
// LINALG:         scf.for %[[I:.*]] = %{{.*}} iter_args(
// LINALG:           scf.for %[[J:.*]] = %{{.*}} iter_args(%[[SO_FAR:.*]] = %{{.*}})
// LINALG:           %[[AT:.*]] = tensor.extract %[[ALL]][%[[I]], %[[J]]]
// LINALG:           %[[AT_INT:.*]] = arith.index_cast %[[AT]]
// LINALG:           %[[K:.*]] = arith.select %{{.*}}, %{{.*}}, %[[AT_INT]]
// LINALG:           cf.assert %{{.*}}, "expected an index inside the dim it indexes"
// LINALG:           %[[ROW:.*]] = arith.muli %[[I]], %c4
// LINALG:           %[[PLACE:.*]] = arith.addi %[[ROW]], %[[K]]
// LINALG:           %[[OLD:.*]] = tensor.extract %[[SO_FAR]][%[[PLACE]]] : tensor<?xf32>
// LINALG:           %[[NEW:.*]] = tensor.extract %[[VALUES]][%[[I]], %[[J]]]
// LINALG:           %[[SUM:.*]] = arith.addf %[[OLD]], %[[NEW]]
// LINALG:           tensor.insert %[[SUM]] into %[[SO_FAR]][%[[PLACE]]] : tensor<?xf32>
func.func @accumulate(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[2],si64>, %c: !torch.vtensor<[],f32>) -> !torch.vtensor<[?,4],f32> {
  %none = torch.constant.none
  %indices = torch.prim.ListConstruct %none, %b
      : (!torch.none, !torch.vtensor<[2],si64>) -> !torch.list<optional<vtensor>>
  %true = torch.constant.bool true
  // expected-error @below {{no lowering to tosa for 'torch.aten.index_put': expected a tensor of known sizes, got '!torch.vtensor<[?,4],f32>'; make sizes known with --specialize}}
  %r = torch.aten.index_put %a, %indices, %c, %true
      : !torch.vtensor<[?,4],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[],f32>, !torch.bool -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}
