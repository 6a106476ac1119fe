// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d1)>

// MHLO-LABEL: func.func @of_numbers
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4xi1>)
// MHLO:         %[[V2:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x4xf32>) -> tensor<i32>
// MHLO:         %[[V3:.*]] = mhlo.convert %[[V2]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V4:.*]] = mhlo.convert %[[A0]] : (tensor<?x4xf32>) -> tensor<?x4xi1>
// MHLO:         %[[V5:.*]] = mhlo.reshape %[[V3]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V6:.*]] = mhlo.constant dense<4> : tensor<1xi64>
// MHLO:         %[[V7:.*]] = "mhlo.concatenate"(%[[V5]], %[[V6]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V8:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A1]], %[[V7]]) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<4xi1>, tensor<2xi64>) -> tensor<?x4xi1>
// MHLO:         %[[V9:.*]] = mhlo.or %[[V4]], %[[V8]] : tensor<?x4xi1>
// MHLO:         return %[[V9]] : tensor<?x4xi1>
//
// LINALG-LABEL: func.func @of_numbers
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4xi1>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]] : tensor<?x4xf32>, tensor<4xi1>) outs(%{{.*}} : tensor<?x4xi1>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: i1, %[[V3:.*]]: i1):
// LINALG:           %[[V4:.*]] = arith.cmpf une, %[[V1]], %{{.*}} : f32
// LINALG:           %[[V5:.*]] = arith.ori %[[V4]], %[[V2]] : i1
// LINALG:           linalg.yield %[[V5]] : i1
// LINALG:         } -> tensor<?x4xi1>
// LINALG:         return %[[V0]] : tensor<?x4xi1>
//
// TOSA-LABEL: func.func @of_numbers
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4xi1>)
// TOSA:         %[[V2:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V3:.*]] = tosa.equal %[[A0]], %[[V2]] : (tensor<?x4xf32>, tensor<1x1xf32>) -> tensor<?x4xi1>
// TOSA:         %[[V4:.*]] = tosa.logical_not %[[V3]] : (tensor<?x4xi1>) -> tensor<?x4xi1>
// TOSA:         %[[V5:.*]] = tosa.const_shape  {values = dense<[1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V6:.*]] = tosa.reshape %[[A1]], %[[V5]] : (tensor<4xi1>, !tosa.shape<2>) -> tensor<1x4xi1>
// TOSA:         %[[V7:.*]] = tosa.logical_or %[[V4]], %[[V6]] : (tensor<?x4xi1>, tensor<1x4xi1>) -> tensor<?x4xi1>
// TOSA:         return %[[V7]] : tensor<?x4xi1>
func.func @of_numbers(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[4],i1>) -> !torch.vtensor<[?,4],i1> {
  %r = torch.aten.logical_or %a, %b
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[4],i1> -> !torch.vtensor<[?,4],i1>
  return %r : !torch.vtensor<[?,4],i1>
}
