// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=TOSA %}

// A window of the dim's size that ends at each element, padded in front.
// MHLO-LABEL: func.func @known_size
// MHLO-SAME:    (%[[X:.*]]: tensor<?x3xf32>)
// MHLO:         %[[NEUTRAL:.*]] = mhlo.constant dense<0.000000e+00> : tensor<f32>
// MHLO:         %[[R:.*]] = "mhlo.reduce_window"(%[[X]], %[[NEUTRAL]]) <{padding = dense<{{\[\[}}0, 0], [2, 0]]> : tensor<2x2xi64>, {{.*}}window_dimensions = dense<[1, 3]> : tensor<2xi64>, window_strides = dense<1>
// MHLO-NEXT:    ^bb0(%[[L:.*]]: tensor<f32>, %[[N:.*]]: tensor<f32>):
// MHLO:           mhlo.add %[[L]], %[[N]]
// MHLO:         return %[[R]] : tensor<?x3xf32>
//
// r[:, i] = r[:, i - 1] + x[:, i], from 0 on.
// LINALG-LABEL: func.func @known_size
// LINALG-SAME:    (%[[X:.*]]: tensor<?x3xf32>)
// LINALG-DAG:     %[[NEUTRAL:.*]] = arith.constant 0.000000e+00 : f32
// LINALG:         %[[START:.*]] = linalg.fill ins(%[[NEUTRAL]] : f32) outs(%{{.*}} : tensor<?x1xf32>)
// LINALG:         %[[LOOP:.*]]:2 = scf.for %[[I:.*]] = %{{.*}} iter_args(%[[DONE:.*]] = %{{.*}}, %[[LAST:.*]] = %[[START]])
// LINALG:           %[[SLICE:.*]] = tensor.extract_slice %[[X]][0, %[[I]]] [%{{.*}}, 1] [1, 1]
// LINALG:           %[[NEXT:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[SLICE]] : tensor<?x1xf32>, tensor<?x1xf32>)
// LINALG:           arith.addf
// LINALG:           %[[STORED:.*]] = tensor.insert_slice %[[NEXT]] into %[[DONE]][0, %[[I]]] [%{{.*}}, 1] [1, 1]
// LINALG:           scf.yield %[[STORED]], %[[NEXT]]
// LINALG:         return %[[LOOP]]#0 : tensor<?x3xf32>
//
// Steps of distance 1 and 2: x[i] becomes x[i] + x[i - distance].
// TOSA-LABEL: func.func @known_size
// TOSA-SAME:    (%[[X:.*]]: tensor<?x3xf32>)
// TOSA:         %[[FROM0:.*]] = tosa.const_shape {{.*}}dense<0> : tensor<2xindex>
// TOSA:         %[[HEAD:.*]] = tosa.slice %[[X]], %[[FROM0]], {{.*}} -> tensor<?x1xf32>
// TOSA:         %[[EARLIER:.*]] = tosa.slice %[[X]], %[[FROM0]], {{.*}} -> tensor<?x2xf32>
// TOSA:         %[[FROM1:.*]] = tosa.const_shape {{.*}}dense<[0, 1]>
// TOSA:         %[[LATER:.*]] = tosa.slice %[[X]], %[[FROM1]], {{.*}} -> tensor<?x2xf32>
// TOSA:         %[[PAIRS:.*]] = tosa.add %[[LATER]], %[[EARLIER]]
// TOSA:         %[[Y:.*]] = tosa.concat %[[HEAD]], %[[PAIRS]] {axis = 1 : i32}
// TOSA:         %[[HEAD2:.*]] = tosa.slice %[[Y]], %[[FROM0]], {{.*}} -> tensor<?x2xf32>
// TOSA:         %[[EARLIER2:.*]] = tosa.slice %[[Y]], %[[FROM0]], {{.*}} -> tensor<?x1xf32>
// TOSA:         %[[FROM2:.*]] = tosa.const_shape {{.*}}dense<[0, 2]>
// TOSA:         %[[LATER2:.*]] = tosa.slice %[[Y]], %[[FROM2]], {{.*}} -> tensor<?x1xf32>
// TOSA:         %[[ALL:.*]] = tosa.add %[[LATER2]], %[[EARLIER2]]
// TOSA:         %[[R:.*]] = tosa.concat %[[HEAD2]], %[[ALL]] {axis = 1 : i32}
// TOSA:         return %[[R]] : tensor<?x3xf32>
func.func @known_size(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %int1 = torch.constant.int 1
  %none = torch.constant.none
  %r = torch.aten.cumsum %a, %int1, %none
      : !torch.vtensor<[?,3],f32>, !torch.int, !torch.none -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}

// -----

// All pairs of elements, with later elements masked: r[last, j] is the sum over i
// of (i <= last ? x[i, j] : 0).
// MHLO-LABEL: func.func @unknown_size
// MHLO-SAME:    (%[[X:.*]]: tensor<?x3xf32>)
// MHLO:         %[[NEUTRAL:.*]] = mhlo.constant dense<0.000000e+00> : tensor<f32>
// MHLO:         %[[I:.*]] = "mhlo.dynamic_iota"({{.*}}) <{iota_dimension = 1 : i64}>
// MHLO:         %[[LAST:.*]] = "mhlo.dynamic_iota"({{.*}}) <{iota_dimension = 0 : i64}>
// MHLO:         %[[SEEN:.*]] = mhlo.compare LE, %[[I]], %[[LAST]], SIGNED
// MHLO:         %[[ALL:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[X]], %{{.*}}) <{broadcast_dimensions = dense<[1, 2]>
// MHLO:         %[[NEUTRALS:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[NEUTRAL]],
// MHLO:         %[[MASKED:.*]] = mhlo.select %[[SEEN]], %[[ALL]], %[[NEUTRALS]]
// MHLO:         %[[R:.*]] = "mhlo.reduce"(%[[MASKED]], %[[NEUTRAL]]) <{dimensions = dense<1>
// MHLO:           mhlo.add
// MHLO:         return %[[R]] : tensor<?x3xf32>
//
// r[i] = r[i - 1] + x[i], as above.
// LINALG-LABEL: func.func @unknown_size
// LINALG-SAME:    (%[[X:.*]]: tensor<?x3xf32>)
// LINALG:         %[[LOOP:.*]]:2 = scf.for %[[I:.*]] = %{{.*}} iter_args(%[[DONE:.*]] = %{{.*}}, %[[LAST:.*]] = %{{.*}})
// LINALG:           %[[SLICE:.*]] = tensor.extract_slice %[[X]][%[[I]], 0] [1, 3] [1, 1]
// LINALG:           %[[NEXT:.*]] = linalg.generic {{.*}} ins(%[[LAST]], %[[SLICE]] : tensor<1x3xf32>, tensor<1x3xf32>)
// LINALG:           arith.addf
// LINALG:           %[[STORED:.*]] = tensor.insert_slice %[[NEXT]] into %[[DONE]][%[[I]], 0] [1, 3] [1, 1]
// LINALG:           scf.yield %[[STORED]], %[[NEXT]]
// LINALG:         return %[[LOOP]]#0 : tensor<?x3xf32>
func.func @unknown_size(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %int0 = torch.constant.int 0
  %none = torch.constant.none
  // expected-error @below {{no lowering to tosa for 'torch.aten.cumsum': expected a dim of known size; make sizes known with --specialize}}
  %r = torch.aten.cumsum %a, %int0, %none
      : !torch.vtensor<[?,3],f32>, !torch.int, !torch.none -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}
