// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1) -> (d1)>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4xf32>)
// MHLO:         %[[V2:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x4xf32>) -> tensor<i32>
// MHLO:         %[[V3:.*]] = mhlo.convert %[[V2]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V4:.*]] = mhlo.reshape %[[V3]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<4> : tensor<1xi64>
// MHLO:         %[[V6:.*]] = "mhlo.concatenate"(%[[V4]], %[[V5]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V7:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A1]], %[[V6]]) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
// MHLO:         %[[V8:.*]] = mhlo.minimum %[[A0]], %[[V7]] : tensor<?x4xf32>
// MHLO:         return %[[V8]] : tensor<?x4xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4xf32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]], %[[A1]] : tensor<?x4xf32>, tensor<4xf32>) outs(%{{.*}} : tensor<?x4xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: f32, %[[V3:.*]]: f32):
// LINALG:           %[[V4:.*]] = arith.minimumf %[[V1]], %[[V2]] : f32
// LINALG:           linalg.yield %[[V4]] : f32
// LINALG:         } -> tensor<?x4xf32>
// LINALG:         return %[[V0]] : tensor<?x4xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4xf32>)
// TOSA:         %[[V2:.*]] = tosa.const_shape  {values = dense<[1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V3:.*]] = tosa.reshape %[[A1]], %[[V2]] : (tensor<4xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
// TOSA:         %[[V4:.*]] = tosa.minimum %[[A0]], %[[V3]] : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
// TOSA:         return %[[V4]] : tensor<?x4xf32>
func.func @dynamic(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[4],f32>) -> !torch.vtensor<[?,4],f32> {
  %r = torch.aten.minimum %a, %b
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}
