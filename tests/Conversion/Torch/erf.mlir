// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %{{.*}} = mhlo.clamp %{{.*}}, %{{.*}}, %{{.*}} : (tensor<f32>, tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
// MHLO:         %{{.*}} = mhlo.divide %{{.*}}, %{{.*}} : tensor<?x3xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : tensor<?x3xf32>) outs(%{{.*}} : tensor<?x3xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: f32):
// LINALG:           %[[V3:.*]] = math.erf %[[V1]] : f32
// LINALG:           linalg.yield %[[V3]] : f32
// LINALG:         } -> tensor<?x3xf32>
// LINALG:         return %[[V0]] : tensor<?x3xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// TOSA:         %[[V1:.*]] = tosa.erf %[[A0]] : (tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         return %[[V1]] : tensor<?x3xf32>
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %r = torch.aten.erf %a : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}
