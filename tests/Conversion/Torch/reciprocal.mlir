// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x3xf32>) -> tensor<i32>
// MHLO:         %[[V2:.*]] = mhlo.convert %[[V1]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V3:.*]] = mhlo.constant dense<1.000000e+00> : tensor<f32>
// MHLO:         %[[V4:.*]] = mhlo.reshape %[[V2]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V5:.*]] = mhlo.constant dense<3> : tensor<1xi64>
// MHLO:         %[[V6:.*]] = "mhlo.concatenate"(%[[V4]], %[[V5]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V7:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[V3]], %[[V6]]) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>, tensor<2xi64>) -> tensor<?x3xf32>
// MHLO:         %[[V8:.*]] = mhlo.divide %[[V7]], %[[A0]] : tensor<?x3xf32>
// MHLO:         return %[[V8]] : tensor<?x3xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : tensor<?x3xf32>) outs(%{{.*}} : tensor<?x3xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: f32):
// LINALG:           %[[V3:.*]] = arith.divf %{{.*}}, %[[V1]] : f32
// LINALG:           linalg.yield %[[V3]] : f32
// LINALG:         } -> tensor<?x3xf32>
// LINALG:         return %[[V0]] : tensor<?x3xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// TOSA:         %[[V1:.*]] = tosa.reciprocal %[[A0]] : (tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         return %[[V1]] : tensor<?x3xf32>
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %r = torch.aten.reciprocal %a : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}
