// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP2:.*]] = affine_map<(d0, d1) -> (d0, 0)>

// MHLO-LABEL: func.func @known_sizes
// MHLO-SAME:    (%[[A0:.*]]: tensor<3x4xf32>, %[[A1:.*]]: tensor<2xi64>)
// MHLO:         %[[V2:.*]] = mhlo.reshape %[[A1]] : (tensor<2xi64>) -> tensor<2x1xi64>
// MHLO:         %[[V3:.*]] = "mhlo.gather"(%[[A0]], %[[V2]]) <{dimension_numbers = #mhlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = dense<[3, 1]> : tensor<2xi64>}> : (tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<3x2xf32>
// MHLO:         return %[[V3]] : tensor<3x2xf32>
//
// LINALG-LABEL: func.func @known_sizes
// LINALG-SAME:    (%[[A0:.*]]: tensor<3x4xf32>, %[[A1:.*]]: tensor<2xi64>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]]], iterator_types = ["parallel", "parallel"]} ins(%[[A1]] : tensor<2xi64>) outs(%{{.*}} : tensor<3x2xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: i64, %[[V2:.*]]: f32):
// LINALG:           %[[V3:.*]] = linalg.index 0 : index
// LINALG:           %[[V4:.*]] = arith.index_cast %[[V1]] : i64 to index
// LINALG:           %[[V5:.*]] = arith.cmpi ult, %[[V4]], %{{.*}} : index
// LINALG:           cf.assert %[[V5]], "expected an index inside the dim it indexes"
// LINALG:           %[[V8:.*]] = arith.minsi %[[V4]], %{{.*}} : index
// LINALG:           %[[V9:.*]] = arith.maxsi %[[V8]], %{{.*}} : index
// LINALG:           %[[V10:.*]] = tensor.extract %[[A0]][%[[V3]], %[[V9]]] : tensor<3x4xf32>
// LINALG:           linalg.yield %[[V10]] : f32
// LINALG:         } -> tensor<3x2xf32>
// LINALG:         return %[[V0]] : tensor<3x2xf32>
//
// TOSA-LABEL: func.func @known_sizes
// TOSA-SAME:    (%[[A0:.*]]: tensor<3x4xf32>, %[[A1:.*]]: tensor<2xi32> {isthmus.dtype = si64})
// TOSA:         %[[V2:.*]] = tosa.const_shape  {values = dense<[3, 4, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V3:.*]] = tosa.reshape %[[A0]], %[[V2]] : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<3x4x1xf32>
// TOSA:         %[[V4:.*]] = tosa.const_shape  {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V5:.*]] = tosa.reshape %[[A1]], %[[V4]] : (tensor<2xi32>, !tosa.shape<2>) -> tensor<1x2xi32>
// TOSA:         %[[V6:.*]] = tosa.const_shape  {values = dense<[3, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V7:.*]] = tosa.tile %[[V5]], %[[V6]] : (tensor<1x2xi32>, !tosa.shape<2>) -> tensor<3x2xi32>
// TOSA:         %[[V8:.*]] = tosa.gather %[[V3]], %[[V7]] : (tensor<3x4x1xf32>, tensor<3x2xi32>) -> tensor<3x2x1xf32>
// TOSA:         %[[V9:.*]] = tosa.const_shape  {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V10:.*]] = tosa.reshape %[[V8]], %[[V9]] : (tensor<3x2x1xf32>, !tosa.shape<2>) -> tensor<3x2xf32>
// TOSA:         return %[[V10]] : tensor<3x2xf32>
func.func @known_sizes(%a: !torch.vtensor<[3,4],f32>, %b: !torch.vtensor<[2],si64>) -> !torch.vtensor<[3,2],f32> {
  %int1 = torch.constant.int 1
  %r = torch.aten.index_select %a, %int1, %b
      : !torch.vtensor<[3,4],f32>, !torch.int, !torch.vtensor<[2],si64> -> !torch.vtensor<[3,2],f32>
  return %r : !torch.vtensor<[3,2],f32>
}

// MHLO-LABEL: func.func @unknown_size
// MHLO-SAME:    (%[[A0:.*]]: tensor<3x?xf32>, %[[A1:.*]]: tensor<2xi32>)
// MHLO:         %[[V2:.*]] = mhlo.reshape %[[A1]] : (tensor<2xi32>) -> tensor<2x1xi32>
// MHLO:         %[[V3:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 1 : i64}> : (tensor<3x?xf32>) -> tensor<i32>
// MHLO:         %[[V4:.*]] = mhlo.convert %[[V3]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<1> : tensor<1xi64>
// MHLO:         %[[V6:.*]] = mhlo.reshape %[[V4]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V7:.*]] = "mhlo.concatenate"(%[[V5]], %[[V6]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V8:.*]] = "mhlo.dynamic_gather"(%[[A0]], %[[V2]], %[[V7]]) <{dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<3x?xf32>, tensor<2x1xi32>, tensor<2xi64>) -> tensor<2x?xf32>
// MHLO:         return %[[V8]] : tensor<2x?xf32>
//
// LINALG-LABEL: func.func @unknown_size
// LINALG-SAME:    (%[[A0:.*]]: tensor<3x?xf32>, %[[A1:.*]]: tensor<2xi32>)
// LINALG:         %[[V0:.*]] = tensor.expand_shape %[[A1]] {{\[}}[0, 1]] output_shape [2, 1] : tensor<2xi32> into tensor<2x1xi32>
// LINALG:         %[[V1:.*]] = linalg.generic {indexing_maps = [#[[$MAP2]], #[[$MAP1]]], iterator_types = ["parallel", "parallel"]} ins(%[[V0]] : tensor<2x1xi32>) outs(%{{.*}} : tensor<2x?xf32>) {
// LINALG:         ^bb0(%[[V2:.*]]: i32, %[[V3:.*]]: f32):
// LINALG:           %[[V4:.*]] = arith.index_cast %[[V2]] : i32 to index
// LINALG:           %[[V5:.*]] = arith.cmpi ult, %[[V4]], %{{.*}} : index
// LINALG:           cf.assert %[[V5]], "expected an index inside the dim it indexes"
// LINALG:           %[[V8:.*]] = arith.minsi %[[V4]], %{{.*}} : index
// LINALG:           %[[V9:.*]] = arith.maxsi %[[V8]], %{{.*}} : index
// LINALG:           %[[V10:.*]] = linalg.index 1 : index
// LINALG:           %[[V11:.*]] = tensor.extract %[[A0]][%[[V9]], %[[V10]]] : tensor<3x?xf32>
// LINALG:           linalg.yield %[[V11]] : f32
// LINALG:         } -> tensor<2x?xf32>
// LINALG:         return %[[V1]] : tensor<2x?xf32>
//
// TOSA-LABEL: func.func @unknown_size
// TOSA-SAME:    (%[[A0:.*]]: tensor<3x?xf32>, %[[A1:.*]]: tensor<2xi32>)
// TOSA:         %[[V2:.*]] = tosa.const_shape  {values = dense<[1, 3, -1]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V3:.*]] = tosa.reshape %[[A0]], %[[V2]] : (tensor<3x?xf32>, !tosa.shape<3>) -> tensor<1x3x?xf32>
// TOSA:         %[[V4:.*]] = tosa.const_shape  {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V5:.*]] = tosa.reshape %[[A1]], %[[V4]] : (tensor<2xi32>, !tosa.shape<2>) -> tensor<1x2xi32>
// TOSA:         %[[V6:.*]] = tosa.gather %[[V3]], %[[V5]] : (tensor<1x3x?xf32>, tensor<1x2xi32>) -> tensor<1x2x?xf32>
// TOSA:         %[[V7:.*]] = tosa.const_shape  {values = dense<[2, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V8:.*]] = tosa.reshape %[[V6]], %[[V7]] : (tensor<1x2x?xf32>, !tosa.shape<2>) -> tensor<2x?xf32>
// TOSA:         return %[[V8]] : tensor<2x?xf32>
func.func @unknown_size(%a: !torch.vtensor<[3,?],f32>, %b: !torch.vtensor<[2],si32>) -> !torch.vtensor<[2,?],f32> {
  %int0 = torch.constant.int 0
  %r = torch.aten.index_select %a, %int0, %b
      : !torch.vtensor<[3,?],f32>, !torch.int, !torch.vtensor<[2],si32> -> !torch.vtensor<[2,?],f32>
  return %r : !torch.vtensor<[2,?],f32>
}
