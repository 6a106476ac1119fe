// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0) -> (d0)>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = mhlo.compare NE, %[[A0]], %[[A0]], FLOAT : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xi1>
// MHLO:         return %[[V1]] : tensor<?x3xi1>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : tensor<?x3xf32>) outs(%{{.*}} : tensor<?x3xi1>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: i1):
// LINALG:           %[[V3:.*]] = arith.cmpf uno, %[[V1]], %[[V1]] : f32
// LINALG:           linalg.yield %[[V3]] : i1
// LINALG:         } -> tensor<?x3xi1>
// LINALG:         return %[[V0]] : tensor<?x3xi1>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// TOSA:         %[[V1:.*]] = tosa.equal %[[A0]], %[[A0]] : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xi1>
// TOSA:         %[[V2:.*]] = tosa.logical_not %[[V1]] : (tensor<?x3xi1>) -> tensor<?x3xi1>
// TOSA:         return %[[V2]] : tensor<?x3xi1>
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],i1> {
  %r = torch.aten.isnan %a : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],i1>
  return %r : !torch.vtensor<[?,3],i1>
}

// MHLO-LABEL: func.func @of_ints
// MHLO-SAME:    (%[[A0:.*]]: tensor<2xi64>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<false> : tensor<2xi1>
// MHLO:         return %[[V1]] : tensor<2xi1>
//
// LINALG-LABEL: func.func @of_ints
// LINALG-SAME:    (%[[A0:.*]]: tensor<2xi64>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP1]], #[[$MAP1]]], iterator_types = ["parallel"]} ins(%[[A0]] : tensor<2xi64>) outs(%{{.*}} : tensor<2xi1>) {
// LINALG:         ^bb0(%[[V1:.*]]: i64, %[[V2:.*]]: i1):
// LINALG:           linalg.yield %{{.*}} : i1
// LINALG:         } -> tensor<2xi1>
// LINALG:         return %[[V0]] : tensor<2xi1>
//
// TOSA-LABEL: func.func @of_ints
// TOSA-SAME:    (%[[A0:.*]]: tensor<2xi32> {isthmus.dtype = si64})
// TOSA:         %[[V1:.*]] = tosa.cast %[[A0]] : (tensor<2xi32>) -> tensor<2xi1>
// TOSA:         %[[V2:.*]] = tosa.logical_xor %[[V1]], %[[V1]] : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
// TOSA:         return %[[V2]] : tensor<2xi1>
func.func @of_ints(%a: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],i1> {
  %r = torch.aten.isnan %a : !torch.vtensor<[2],si64> -> !torch.vtensor<[2],i1>
  return %r : !torch.vtensor<[2],i1>
}
