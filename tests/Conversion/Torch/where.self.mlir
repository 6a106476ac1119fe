// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d1)>
// LINALG-DAG: #[[$MAP2:.*]] = affine_map<(d0, d1) -> ()>
// LINALG-DAG: #[[$MAP3:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x1xi1>, %[[A1:.*]]: tensor<4xf32>, %[[A2:.*]]: tensor<f32>)
// MHLO:         %[[V3:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x1xi1>) -> tensor<i32>
// MHLO:         %[[V4:.*]] = mhlo.convert %[[V3]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V5:.*]] = mhlo.reshape %[[V4]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V6:.*]] = mhlo.constant dense<4> : tensor<1xi64>
// MHLO:         %[[V7:.*]] = "mhlo.concatenate"(%[[V5]], %[[V6]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V8:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A0]], %[[V7]]) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<?x1xi1>, tensor<2xi64>) -> tensor<?x4xi1>
// MHLO:         %[[V9:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A1]], %[[V7]]) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
// MHLO:         %[[V10:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A2]], %[[V7]]) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>, tensor<2xi64>) -> tensor<?x4xf32>
// MHLO:         %[[V11:.*]] = mhlo.select %[[V8]], %[[V9]], %[[V10]] : tensor<?x4xi1>, tensor<?x4xf32>
// MHLO:         return %[[V11]] : tensor<?x4xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x1xi1>, %[[A1:.*]]: tensor<4xf32>, %[[A2:.*]]: tensor<f32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP2]], #[[$MAP3]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]], %[[A2]] : tensor<?x1xi1>, tensor<4xf32>, tensor<f32>) outs(%{{.*}} : tensor<?x4xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: i1, %[[V2:.*]]: f32, %[[V3:.*]]: f32, %[[V4:.*]]: f32):
// LINALG:           %[[V5:.*]] = arith.select %[[V1]], %[[V2]], %[[V3]] : f32
// LINALG:           linalg.yield %[[V5]] : f32
// LINALG:         } -> tensor<?x4xf32>
// LINALG:         return %[[V0]] : tensor<?x4xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x1xi1>, %[[A1:.*]]: tensor<4xf32>, %[[A2:.*]]: tensor<f32>)
// TOSA:         %[[V3:.*]] = tosa.const_shape  {values = dense<[1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V4:.*]] = tosa.reshape %[[A1]], %[[V3]] : (tensor<4xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
// TOSA:         %[[V5:.*]] = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V6:.*]] = tosa.reshape %[[A2]], %[[V5]] : (tensor<f32>, !tosa.shape<2>) -> tensor<1x1xf32>
// TOSA:         %[[V7:.*]] = tosa.select %[[A0]], %[[V4]], %[[V6]] : (tensor<?x1xi1>, tensor<1x4xf32>, tensor<1x1xf32>) -> tensor<?x4xf32>
// TOSA:         return %[[V7]] : tensor<?x4xf32>
func.func @dynamic(%a: !torch.vtensor<[?,1],i1>, %b: !torch.vtensor<[4],f32>, %c: !torch.vtensor<[],f32>) -> !torch.vtensor<[?,4],f32> {
  %r = torch.aten.where.self %a, %b, %c
      : !torch.vtensor<[?,1],i1>, !torch.vtensor<[4],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}
