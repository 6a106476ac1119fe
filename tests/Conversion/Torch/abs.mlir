// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = mhlo.abs %[[A0]] : tensor<?x3xf32>
// MHLO:         return %[[V1]] : tensor<?x3xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A0]] : tensor<?x3xf32>) outs(%{{.*}} : tensor<?x3xf32>) {
// LINALG:         ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: f32):
// LINALG:           %[[V3:.*]] = math.absf %[[V1]] : f32
// LINALG:           linalg.yield %[[V3]] : f32
// LINALG:         } -> tensor<?x3xf32>
// LINALG:         return %[[V0]] : tensor<?x3xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// TOSA:         %[[V1:.*]] = tosa.abs %[[A0]] : (tensor<?x3xf32>) -> tensor<?x3xf32>
// TOSA:         return %[[V1]] : tensor<?x3xf32>
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %r = torch.aten.abs %a : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}

// MHLO-LABEL: func.func @unsigned
// MHLO-SAME:    (%[[A0:.*]]: tensor<2xui8>)
// MHLO:         return %[[A0]] : tensor<2xui8>
//
// LINALG-LABEL: func.func @unsigned
// LINALG-SAME:    (%[[A0:.*]]: tensor<2xi8> {isthmus.dtype = ui8})
// LINALG:         return %[[A0]] : tensor<2xi8>
//
// TOSA-LABEL: func.func @unsigned
// TOSA-SAME:    (%[[A0:.*]]: tensor<2xi32> {isthmus.dtype = ui8})
// TOSA:         %[[V1:.*]] = tosa.abs %[[A0]] : (tensor<2xi32>) -> tensor<2xi32>
// TOSA:         %[[V2:.*]] = "tosa.const"() <{values = dense<255> : tensor<1xi32>}> : () -> tensor<1xi32>
// TOSA:         %[[V3:.*]] = tosa.bitwise_and %[[V1]], %[[V2]] : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
// TOSA:         return %[[V3]] : tensor<2xi32>
func.func @unsigned(%a: !torch.vtensor<[2],ui8>) -> !torch.vtensor<[2],ui8> {
  %r = torch.aten.abs %a : !torch.vtensor<[2],ui8> -> !torch.vtensor<[2],ui8>
  return %r : !torch.vtensor<[2],ui8>
}
