// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// The indexed dims are not adjacent, so the dim of indices is the first one of the
// result. A negative index counts from the end.
// MHLO-LABEL: func.func @apart
// MHLO-SAME:    (%[[X:.*]]: tensor<5x4x3xf32>, %[[I:.*]]: tensor<2xi64>, %[[K:.*]]: tensor<2xi64>)
// MHLO:         %[[I_WRAPPED:.*]] = mhlo.add %[[I]],
// MHLO:         %[[I_AT:.*]] = mhlo.select %{{.*}}, %[[I_WRAPPED]], %[[I]]
// MHLO:         %[[K_WRAPPED:.*]] = mhlo.add %[[K]],
// MHLO:         %[[K_AT:.*]] = mhlo.select %{{.*}}, %[[K_WRAPPED]], %[[K]]
// MHLO:         %[[ROWS:.*]] = mhlo.reshape %[[I_AT]]
// MHLO:         %[[COLUMNS:.*]] = mhlo.reshape %[[K_AT]]
// MHLO:         %[[PLACES:.*]] = "mhlo.concatenate"(%[[ROWS]], %[[COLUMNS]]) <{dimension = 1 : i64}>
// MHLO:         %[[R:.*]] = "mhlo.gather"(%[[X]], %[[PLACES]]) <{dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 2], start_index_map = [0, 2], index_vector_dim = 1>
// MHLO:         return %[[R]] : tensor<2x4xf32>
//
// r[a, j] = x[i[a], j, k[a]], with indices brought into the range of their dims.
// LINALG-LABEL: func.func @apart
// LINALG-SAME:    (%[[X:.*]]: tensor<5x4x3xf32>, %[[IS:.*]]: tensor<2xi64>, %[[KS:.*]]: tensor<2xi64>)
// LINALG:         %[[I_COLUMN:.*]] = tensor.expand_shape %[[IS]] {{.*}} into tensor<2x1xi64>
// LINALG:         %[[K_COLUMN:.*]] = tensor.expand_shape %[[KS]] {{.*}} into tensor<2x1xi64>
// LINALG:         %[[R:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]], #[[$MAP1]]]{{.*}} ins(%[[I_COLUMN]], %[[K_COLUMN]] :
// LINALG-NEXT:    ^bb0(%[[I:.*]]: i64, %[[K:.*]]: i64, %{{.*}}: f32):
// LINALG:           %[[I_INT:.*]] = arith.index_cast %[[I]]
// LINALG:           %[[I_AT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[I_INT]]
// LINALG:           %[[I_BELOW:.*]] = arith.minsi %[[I_AT]],
// LINALG:           %[[I_INSIDE:.*]] = arith.maxsi %[[I_BELOW]],
// LINALG:           %[[J:.*]] = linalg.index 1
// LINALG:           %[[K_INT:.*]] = arith.index_cast %[[K]]
// LINALG:           %[[K_AT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[K_INT]]
// LINALG:           %[[K_BELOW:.*]] = arith.minsi %[[K_AT]],
// LINALG:           %[[K_INSIDE:.*]] = arith.maxsi %[[K_BELOW]],
// LINALG:           tensor.extract %[[X]][%[[I_INSIDE]], %[[J]], %[[K_INSIDE]]]
// LINALG:         return %[[R]] : tensor<2x4xf32>
//
// Row i * 3 + k of x as [5 * 3, 4].
// TOSA-LABEL: func.func @apart
// TOSA-SAME:    (%[[X:.*]]: tensor<5x4x3xf32>, %[[I:.*]]: tensor<2xi32> {isthmus.dtype = si64}, %[[K:.*]]: tensor<2xi32> {isthmus.dtype = si64})
// TOSA:         %[[I_WRAPPED:.*]] = tosa.add %[[I]],
// TOSA:         %[[I_AT:.*]] = tosa.select %{{.*}}, %[[I_WRAPPED]], %[[I]]
// TOSA:         %[[THREE:.*]] = "tosa.const"() <{values = dense<3>
// TOSA:         %[[K_WRAPPED:.*]] = tosa.add %[[K]],
// TOSA:         %[[K_AT:.*]] = tosa.select %{{.*}}, %[[K_WRAPPED]], %[[K]]
// TOSA:         %[[SCALED:.*]] = tosa.mul %[[I_AT]], %[[THREE]],
// TOSA:         %[[AT:.*]] = tosa.add %[[SCALED]], %[[K_AT]]
// TOSA:         %[[LAST:.*]] = tosa.transpose %[[X]] {perms = array<i32: 0, 2, 1>}
// TOSA:         %[[ROWS:.*]] = tosa.reshape %[[LAST]], %{{.*}} -> tensor<1x15x4xf32>
// TOSA:         %[[PLACES:.*]] = tosa.reshape %[[AT]], %{{.*}} -> tensor<1x2xi32>
// TOSA:         %[[GATHERED:.*]] = tosa.gather %[[ROWS]], %[[PLACES]]
// TOSA:         %[[R:.*]] = tosa.reshape %[[GATHERED]],
// TOSA:         return %[[R]] : tensor<2x4xf32>
func.func @apart(%a: !torch.vtensor<[5,4,3],f32>, %b: !torch.vtensor<[2],si64>, %c: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,4],f32> {
  %none = torch.constant.none
  %indices = torch.prim.ListConstruct %b, %none, %c
      : (!torch.vtensor<[2],si64>, !torch.none, !torch.vtensor<[2],si64>) -> !torch.list<optional<vtensor>>
  %r = torch.aten.index.Tensor %a, %indices
      : !torch.vtensor<[5,4,3],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[2,4],f32>
  return %r : !torch.vtensor<[2,4],f32>
}

// -----

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[X:.*]]: tensor<?x4xf32>, %[[I:.*]]: tensor<?xi64>)
// MHLO:         %[[SIZE:.*]] = "mhlo.get_dimension_size"(%[[X]]) <{dimension = 0 : i64}>
// MHLO:         %[[LENGTH:.*]] = mhlo.convert %[[SIZE]]
// MHLO:         %[[BELOW:.*]] = mhlo.compare LT, %[[I]],
// MHLO:         %[[LENGTHS:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[LENGTH]],
// MHLO:         %[[WRAPPED:.*]] = mhlo.add %[[I]], %[[LENGTHS]]
// MHLO:         %[[AT:.*]] = mhlo.select %[[BELOW]], %[[WRAPPED]], %[[I]]
// MHLO:         %[[PLACES:.*]] = mhlo.dynamic_reshape %[[AT]], %{{.*}} -> tensor<?x1xi64>
// MHLO:         %[[R:.*]] = "mhlo.gather"(%[[X]], %[[PLACES]]) <{dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
// MHLO:         return %[[R]] : tensor<?x4xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[X:.*]]: tensor<?x4xf32>, %[[IS:.*]]: tensor<?xi64>)
// LINALG:         %[[COLUMN:.*]] = tensor.expand_shape %[[IS]] {{.*}} into tensor<?x1xi64>
// LINALG:         %[[R:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]]]{{.*}} ins(%[[COLUMN]] :
// LINALG-NEXT:    ^bb0(%[[I:.*]]: i64, %{{.*}}: f32):
// LINALG:           %[[I_INT:.*]] = arith.index_cast %[[I]]
// LINALG:           %[[AT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[I_INT]]
// LINALG:           %[[BELOW:.*]] = arith.minsi %[[AT]],
// LINALG:           %[[INSIDE:.*]] = arith.maxsi %[[BELOW]],
// LINALG:           %[[J:.*]] = linalg.index 1
// LINALG:           tensor.extract %[[X]][%[[INSIDE]], %[[J]]]
// LINALG:         return %[[R]] : tensor<?x4xf32>
func.func @dynamic(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[?],si64>) -> !torch.vtensor<[?,4],f32> {
  %indices = torch.prim.ListConstruct %b
      : (!torch.vtensor<[?],si64>) -> !torch.list<optional<vtensor>>
  // expected-error @below {{no lowering to tosa for 'torch.aten.index.Tensor': expected an indexed dim of known size, got dim 0 of '!torch.vtensor<[?,4],f32>'; make sizes known with --specialize}}
  %r = torch.aten.index.Tensor %a, %indices
      : !torch.vtensor<[?,4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}
