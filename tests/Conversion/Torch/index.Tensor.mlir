// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// MHLO-LABEL: func.func @apart
// MHLO-SAME:    (%[[A0:.*]]: tensor<5x4x3xf32>, %[[A1:.*]]: tensor<2xi64>, %[[A2:.*]]: tensor<2xi64>)
// MHLO:         %[[V3:.*]] = mhlo.constant dense<0> : tensor<2xi64>
// MHLO:         %[[V4:.*]] = mhlo.compare LT, %[[A1]], %[[V3]], SIGNED : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<5> : tensor<2xi64>
// MHLO:         %[[V6:.*]] = mhlo.add %[[A1]], %[[V5]] : tensor<2xi64>
// MHLO:         %[[V7:.*]] = mhlo.select %[[V4]], %[[V6]], %[[A1]] : tensor<2xi1>, tensor<2xi64>
// MHLO:         %[[V8:.*]] = mhlo.compare LT, %[[A2]], %[[V3]], SIGNED : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
// MHLO:         %[[V9:.*]] = mhlo.constant dense<3> : tensor<2xi64>
// MHLO:         %[[V10:.*]] = mhlo.add %[[A2]], %[[V9]] : tensor<2xi64>
// MHLO:         %[[V11:.*]] = mhlo.select %[[V8]], %[[V10]], %[[A2]] : tensor<2xi1>, tensor<2xi64>
// MHLO:         %[[V12:.*]] = mhlo.reshape %[[V7]] : (tensor<2xi64>) -> tensor<2x1xi64>
// MHLO:         %[[V13:.*]] = mhlo.reshape %[[V11]] : (tensor<2xi64>) -> tensor<2x1xi64>
// MHLO:         %[[V14:.*]] = "mhlo.concatenate"(%[[V12]], %[[V13]]) <{dimension = 1 : i64}> : (tensor<2x1xi64>, tensor<2x1xi64>) -> tensor<2x2xi64>
// MHLO:         %[[V15:.*]] = "mhlo.gather"(%[[A0]], %[[V14]]) <{dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 2], start_index_map = [0, 2], index_vector_dim = 1>, slice_sizes = dense<[1, 4, 1]> : tensor<3xi64>}> : (tensor<5x4x3xf32>, tensor<2x2xi64>) -> tensor<2x4xf32>
// MHLO:         return %[[V15]] : tensor<2x4xf32>
//
// LINALG-LABEL: func.func @apart
// LINALG-SAME:    (%[[A0:.*]]: tensor<5x4x3xf32>, %[[A1:.*]]: tensor<2xi64>, %[[A2:.*]]: tensor<2xi64>)
// LINALG:         %[[V0:.*]] = tensor.expand_shape %[[A1]] {{\[}}[0, 1]] output_shape [2, 1] : tensor<2xi64> into tensor<2x1xi64>
// LINALG:         %[[V1:.*]] = tensor.expand_shape %[[A2]] {{\[}}[0, 1]] output_shape [2, 1] : tensor<2xi64> into tensor<2x1xi64>
// LINALG:         %[[V2:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]], #[[$MAP1]]], iterator_types = ["parallel", "parallel"]} ins(%[[V0]], %[[V1]] : tensor<2x1xi64>, tensor<2x1xi64>) outs(%{{.*}} : tensor<2x4xf32>) {
// LINALG:         ^bb0(%[[V3:.*]]: i64, %[[V4:.*]]: i64, %[[V5:.*]]: f32):
// LINALG:           %[[V6:.*]] = arith.index_cast %[[V3]] : i64 to index
// LINALG:           %[[V7:.*]] = arith.cmpi slt, %[[V6]], %{{.*}} : index
// LINALG:           %[[V8:.*]] = arith.addi %[[V6]], %{{.*}} : index
// LINALG:           %[[V9:.*]] = arith.select %[[V7]], %[[V8]], %[[V6]] : index
// LINALG:           %[[V10:.*]] = arith.minsi %[[V9]], %{{.*}} : index
// LINALG:           %[[V11:.*]] = arith.maxsi %[[V10]], %{{.*}} : index
// LINALG:           %[[V12:.*]] = linalg.index 1 : index
// LINALG:           %[[V13:.*]] = arith.index_cast %[[V4]] : i64 to index
// LINALG:           %[[V14:.*]] = arith.cmpi slt, %[[V13]], %{{.*}} : index
// LINALG:           %[[V15:.*]] = arith.addi %[[V13]], %{{.*}} : index
// LINALG:           %[[V16:.*]] = arith.select %[[V14]], %[[V15]], %[[V13]] : index
// LINALG:           %[[V17:.*]] = arith.minsi %[[V16]], %{{.*}} : index
// LINALG:           %[[V18:.*]] = arith.maxsi %[[V17]], %{{.*}} : index
// LINALG:           %[[V19:.*]] = tensor.extract %[[A0]][%[[V11]], %[[V12]], %[[V18]]] : tensor<5x4x3xf32>
// LINALG:           linalg.yield %[[V19]] : f32
// LINALG:         } -> tensor<2x4xf32>
// LINALG:         return %[[V2]] : tensor<2x4xf32>
//
// TOSA-LABEL: func.func @apart
// TOSA-SAME:    (%[[A0:.*]]: tensor<5x4x3xf32>, %[[A1:.*]]: tensor<2xi32> {isthmus.dtype = si64}, %[[A2:.*]]: tensor<2xi32> {isthmus.dtype = si64})
// TOSA:         %[[V3:.*]] = "tosa.const"() <{values = dense<5> : tensor<1xi32>}> : () -> tensor<1xi32>
// TOSA:         %[[V4:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
// TOSA:         %[[V5:.*]] = tosa.greater %[[V4]], %[[A1]] : (tensor<1xi32>, tensor<2xi32>) -> tensor<2xi1>
// TOSA:         %[[V6:.*]] = tosa.add %[[A1]], %[[V3]] : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
// TOSA:         %[[V7:.*]] = tosa.select %[[V5]], %[[V6]], %[[A1]] : (tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
// TOSA:         %[[V8:.*]] = "tosa.const"() <{values = dense<3> : tensor<1xi32>}> : () -> tensor<1xi32>
// TOSA:         %[[V9:.*]] = tosa.greater %[[V4]], %[[A2]] : (tensor<1xi32>, tensor<2xi32>) -> tensor<2xi1>
// TOSA:         %[[V10:.*]] = tosa.add %[[A2]], %[[V8]] : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
// TOSA:         %[[V11:.*]] = tosa.select %[[V9]], %[[V10]], %[[A2]] : (tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
// TOSA:         %[[V12:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
// TOSA:         %[[V13:.*]] = tosa.mul %[[V7]], %[[V8]], %[[V12]] : (tensor<2xi32>, tensor<1xi32>, tensor<1xi8>) -> tensor<2xi32>
// TOSA:         %[[V14:.*]] = tosa.add %[[V13]], %[[V11]] : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
// TOSA:         %[[V15:.*]] = tosa.transpose %[[A0]] {perms = array<i32: 0, 2, 1>} : (tensor<5x4x3xf32>) -> tensor<5x3x4xf32>
// TOSA:         %[[V16:.*]] = tosa.const_shape  {values = dense<[1, 15, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V17:.*]] = tosa.reshape %[[V15]], %[[V16]] : (tensor<5x3x4xf32>, !tosa.shape<3>) -> tensor<1x15x4xf32>
// TOSA:         %[[V18:.*]] = tosa.const_shape  {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V19:.*]] = tosa.reshape %[[V14]], %[[V18]] : (tensor<2xi32>, !tosa.shape<2>) -> tensor<1x2xi32>
// TOSA:         %[[V20:.*]] = tosa.gather %[[V17]], %[[V19]] : (tensor<1x15x4xf32>, tensor<1x2xi32>) -> tensor<1x2x4xf32>
// TOSA:         %[[V21:.*]] = tosa.const_shape  {values = dense<[2, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V22:.*]] = tosa.reshape %[[V20]], %[[V21]] : (tensor<1x2x4xf32>, !tosa.shape<2>) -> tensor<2x4xf32>
// TOSA:         return %[[V22]] : tensor<2x4xf32>
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
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<?xi64>)
// MHLO:         %[[V2:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x4xf32>) -> tensor<i32>
// MHLO:         %[[V3:.*]] = mhlo.convert %[[V2]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V4:.*]] = "mhlo.get_dimension_size"(%[[A1]]) <{dimension = 0 : i64}> : (tensor<?xi64>) -> tensor<i32>
// MHLO:         %[[V5:.*]] = mhlo.convert %[[V4]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V6:.*]] = mhlo.constant dense<0> : tensor<i64>
// MHLO:         %[[V7:.*]] = mhlo.reshape %[[V5]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V8:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[V6]], %[[V7]]) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i64>, tensor<1xi64>) -> tensor<?xi64>
// MHLO:         %[[V9:.*]] = mhlo.compare LT, %[[A1]], %[[V8]], SIGNED : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi1>
// MHLO:         %[[V10:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[V3]], %[[V7]]) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i64>, tensor<1xi64>) -> tensor<?xi64>
// MHLO:         %[[V11:.*]] = mhlo.add %[[A1]], %[[V10]] : tensor<?xi64>
// MHLO:         %[[V12:.*]] = mhlo.select %[[V9]], %[[V11]], %[[A1]] : tensor<?xi1>, tensor<?xi64>
// MHLO:         %[[V13:.*]] = mhlo.constant dense<1> : tensor<1xi64>
// MHLO:         %[[V14:.*]] = "mhlo.concatenate"(%[[V7]], %[[V13]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V15:.*]] = mhlo.dynamic_reshape %[[V12]], %[[V14]] : (tensor<?xi64>, tensor<2xi64>) -> tensor<?x1xi64>
// MHLO:         %[[V16:.*]] = "mhlo.gather"(%[[A0]], %[[V15]]) <{dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = dense<[1, 4]> : tensor<2xi64>}> : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<?x4xf32>
// MHLO:         return %[[V16]] : tensor<?x4xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<?xi64>)
// LINALG:         %[[V0:.*]] = tensor.expand_shape %[[A1]] {{\[}}[0, 1]] output_shape [%{{.*}}, 1] : tensor<?xi64> into tensor<?x1xi64>
// LINALG:         %[[V1:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]]], iterator_types = ["parallel", "parallel"]} ins(%[[V0]] : tensor<?x1xi64>) outs(%{{.*}} : tensor<?x4xf32>) {
// LINALG:         ^bb0(%[[V2:.*]]: i64, %[[V3:.*]]: f32):
// LINALG:           %[[V4:.*]] = arith.index_cast %[[V2]] : i64 to index
// LINALG:           %[[V5:.*]] = arith.cmpi slt, %[[V4]], %{{.*}} : index
// LINALG:           %[[V6:.*]] = arith.addi %[[V4]], %{{.*}} : index
// LINALG:           %[[V7:.*]] = arith.select %[[V5]], %[[V6]], %[[V4]] : index
// LINALG:           %[[V8:.*]] = arith.subi %{{.*}}, %{{.*}} : index
// LINALG:           %[[V9:.*]] = arith.minsi %[[V7]], %[[V8]] : index
// LINALG:           %[[V10:.*]] = arith.maxsi %[[V9]], %{{.*}} : index
// LINALG:           %[[V11:.*]] = linalg.index 1 : index
// LINALG:           %[[V12:.*]] = tensor.extract %[[A0]][%[[V10]], %[[V11]]] : tensor<?x4xf32>
// LINALG:           linalg.yield %[[V12]] : f32
// LINALG:         } -> tensor<?x4xf32>
// LINALG:         return %[[V1]] : tensor<?x4xf32>
func.func @dynamic(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[?],si64>) -> !torch.vtensor<[?,4],f32> {
  %indices = torch.prim.ListConstruct %b
      : (!torch.vtensor<[?],si64>) -> !torch.list<optional<vtensor>>
  // expected-error @below {{no lowering to tosa for 'torch.aten.index.Tensor': expected an indexed dim of known size, got dim 0 of '!torch.vtensor<[?,4],f32>'; make sizes known with --specialize}}
  %r = torch.aten.index.Tensor %a, %indices
      : !torch.vtensor<[?,4],f32>, !torch.list<optional<vtensor>> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}
