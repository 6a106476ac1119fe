// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<?x2xi64>)
// MHLO:         %[[V2:.*]] = "mhlo.get_dimension_size"(%[[A1]]) <{dimension = 0 : i64}> : (tensor<?x2xi64>) -> tensor<i32>
// MHLO:         %[[V3:.*]] = mhlo.convert %[[V2]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V4:.*]] = mhlo.reshape %[[V3]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<[2, 1]> : tensor<2xi64>
// MHLO:         %[[V6:.*]] = "mhlo.concatenate"(%[[V4]], %[[V5]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
// MHLO:         %[[V7:.*]] = "mhlo.dynamic_iota"(%[[V6]]) <{iota_dimension = 0 : i64}> : (tensor<3xi64>) -> tensor<?x2x1xi64>
// MHLO:         %[[V8:.*]] = mhlo.dynamic_reshape %[[A1]], %[[V6]] : (tensor<?x2xi64>, tensor<3xi64>) -> tensor<?x2x1xi64>
// MHLO:         %[[V9:.*]] = "mhlo.concatenate"(%[[V7]], %[[V8]]) <{dimension = 2 : i64}> : (tensor<?x2x1xi64>, tensor<?x2x1xi64>) -> tensor<?x2x2xi64>
// MHLO:         %[[V10:.*]] = "mhlo.gather"(%[[A0]], %[[V9]]) <{dimension_numbers = #mhlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = dense<1> : tensor<2xi64>}> : (tensor<?x4xf32>, tensor<?x2x2xi64>) -> tensor<?x2xf32>
// MHLO:         return %[[V10]] : tensor<?x2xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<?x2xi64>)
// LINALG:         cf.assert %{{.*}}, "expected dim 0 of the index to be no larger than the tensor's"
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A1]] : tensor<?x2xi64>) outs(%{{.*}} : tensor<?x2xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: i64, %[[V2:.*]]: f32):
// LINALG:           %[[V3:.*]] = linalg.index 0 : index
// LINALG:           %[[V4:.*]] = arith.index_cast %[[V1]] : i64 to index
// LINALG:           %[[V5:.*]] = arith.cmpi ult, %[[V4]], %{{.*}} : index
// LINALG:           cf.assert %[[V5]], "expected an index inside the dim it indexes"
// LINALG:           %[[V8:.*]] = arith.minsi %[[V4]], %{{.*}} : index
// LINALG:           %[[V9:.*]] = arith.maxsi %[[V8]], %{{.*}} : index
// LINALG:           %[[V10:.*]] = tensor.extract %[[A0]][%[[V3]], %[[V9]]] : tensor<?x4xf32>
// LINALG:           linalg.yield %[[V10]] : f32
// LINALG:         } -> tensor<?x2xf32>
// LINALG:         return %[[V0]] : tensor<?x2xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<?x2xi32> {isthmus.dtype = si64})
// TOSA:         %[[V2:.*]] = tosa.const_shape  {values = dense<[-1, 4, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V3:.*]] = tosa.reshape %[[A0]], %[[V2]] : (tensor<?x4xf32>, !tosa.shape<3>) -> tensor<?x4x1xf32>
// TOSA:         %[[V4:.*]] = tosa.gather %[[V3]], %[[A1]] : (tensor<?x4x1xf32>, tensor<?x2xi32>) -> tensor<?x2x1xf32>
// TOSA:         %[[V5:.*]] = tosa.const_shape  {values = dense<[-1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V6:.*]] = tosa.reshape %[[V4]], %[[V5]] : (tensor<?x2x1xf32>, !tosa.shape<2>) -> tensor<?x2xf32>
// TOSA:         return %[[V6]] : tensor<?x2xf32>
func.func @dynamic(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[?,2],si64>) -> !torch.vtensor<[?,2],f32> {
  %int1 = torch.constant.int 1
  %false = torch.constant.bool false
  %r = torch.aten.gather %a, %int1, %b, %false
      : !torch.vtensor<[?,4],f32>, !torch.int, !torch.vtensor<[?,2],si64>, !torch.bool -> !torch.vtensor<[?,2],f32>
  return %r : !torch.vtensor<[?,2],f32>
}
