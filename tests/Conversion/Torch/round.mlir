// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = mhlo.round_nearest_even %[[A0]] : tensor<?x3xf32>
// MHLO:         return %[[V1]] : tensor<?x3xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : tensor<?x3xf32>) outs(%{{.*}} : tensor<?x3xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: f32):
// LINALG:           %[[V3:.*]] = math.roundeven %[[V1]] : f32
// LINALG:           linalg.yield %[[V3]] : f32
// LINALG:         } -> tensor<?x3xf32>
// LINALG:         return %[[V0]] : tensor<?x3xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// TOSA:         %[[V1:.*]] = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V2:.*]] = tosa.floor %[[A0]] : (tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V3:.*]] = tosa.sub %[[A0]], %[[V2]] : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V4:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
// TOSA:         %[[V5:.*]] = tosa.mul %[[V2]], %[[V1]], %[[V4]] : (tensor<?x3xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<?x3xf32>
// TOSA:         %[[V6:.*]] = tosa.floor %[[V5]] : (tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V7:.*]] = tosa.greater %[[V5]], %[[V6]] : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xi1>
// TOSA:         %[[V8:.*]] = tosa.greater %[[V3]], %[[V1]] : (tensor<?x3xf32>, tensor<1x1xf32>) -> tensor<?x3xi1>
// TOSA:         %[[V9:.*]] = tosa.equal %[[V3]], %[[V1]] : (tensor<?x3xf32>, tensor<1x1xf32>) -> tensor<?x3xi1>
// TOSA:         %[[V10:.*]] = tosa.logical_and %[[V9]], %[[V7]] : (tensor<?x3xi1>, tensor<?x3xi1>) -> tensor<?x3xi1>
// TOSA:         %[[V11:.*]] = tosa.logical_or %[[V8]], %[[V10]] : (tensor<?x3xi1>, tensor<?x3xi1>) -> tensor<?x3xi1>
// TOSA:         %[[V12:.*]] = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V13:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V14:.*]] = tosa.select %[[V11]], %[[V12]], %[[V13]] : (tensor<?x3xi1>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<?x3xf32>
// TOSA:         %[[V15:.*]] = tosa.add %[[V2]], %[[V14]] : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         return %[[V15]] : tensor<?x3xf32>
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %r = torch.aten.round %a : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}

// MHLO-LABEL: func.func @of_ints
// MHLO-SAME:    (%[[A0:.*]]: tensor<2xi64>)
// MHLO:         return %[[A0]] : tensor<2xi64>
//
// LINALG-LABEL: func.func @of_ints
// LINALG-SAME:    (%[[A0:.*]]: tensor<2xi64>)
// LINALG:         return %[[A0]] : tensor<2xi64>
//
// TOSA-LABEL: func.func @of_ints
// TOSA-SAME:    (%[[A0:.*]]: tensor<2xi32> {isthmus.dtype = si64})
// TOSA:         return %[[A0]] : tensor<2xi32>
func.func @of_ints(%a: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64> {
  %r = torch.aten.round %a : !torch.vtensor<[2],si64> -> !torch.vtensor<[2],si64>
  return %r : !torch.vtensor<[2],si64>
}
