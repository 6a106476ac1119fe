// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = mhlo.convert %[[A0]] : (tensor<?x3xf32>) -> tensor<?x3xi1>
// MHLO:         %[[V2:.*]] = mhlo.not %[[V1]] : tensor<?x3xi1>
// MHLO:         return %[[V2]] : tensor<?x3xi1>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : tensor<?x3xf32>) outs(%{{.*}} : tensor<?x3xi1>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: i1):
// LINALG:           %[[V3:.*]] = arith.cmpf une, %[[V1]], %{{.*}} : f32
// LINALG:           %[[V4:.*]] = arith.xori %[[V3]], %{{.*}} : i1
// LINALG:           linalg.yield %[[V4]] : i1
// LINALG:         } -> tensor<?x3xi1>
// LINALG:         return %[[V0]] : tensor<?x3xi1>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// TOSA:         %[[V1:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
// TOSA:         %[[V2:.*]] = tosa.equal %[[A0]], %[[V1]] : (tensor<?x3xf32>, tensor<1x1xf32>) -> tensor<?x3xi1>
// TOSA:         %[[V3:.*]] = tosa.logical_not %[[V2]] : (tensor<?x3xi1>) -> tensor<?x3xi1>
// TOSA:         %[[V4:.*]] = tosa.logical_not %[[V3]] : (tensor<?x3xi1>) -> tensor<?x3xi1>
// TOSA:         return %[[V4]] : tensor<?x3xi1>
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],i1> {
  %r = torch.aten.logical_not %a : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],i1>
  return %r : !torch.vtensor<[?,3],i1>
}
