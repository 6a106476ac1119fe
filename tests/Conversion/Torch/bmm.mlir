// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x2x4xf32>, %[[A1:.*]]: tensor<?x4x3xf32>)
// MHLO:         %[[V2:.*]] = "mhlo.dot_general"(%[[A0]], %[[A1]]) <{dot_dimension_numbers = #mhlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<?x2x4xf32>, tensor<?x4x3xf32>) -> tensor<?x2x3xf32>
// MHLO:         return %[[V2]] : tensor<?x2x3xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x2x4xf32>, %[[A1:.*]]: tensor<?x4x3xf32>)
// LINALG:         %[[V0:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<?x2x3xf32>) -> tensor<?x2x3xf32>
// LINALG:         %[[V1:.*]] = linalg.batch_matmul ins(%[[A0]], %[[A1]] : tensor<?x2x4xf32>, tensor<?x4x3xf32>) outs(%[[V0]] : tensor<?x2x3xf32>) -> tensor<?x2x3xf32>
// LINALG:         return %[[V1]] : tensor<?x2x3xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x2x4xf32>, %[[A1:.*]]: tensor<?x4x3xf32>)
// TOSA:         %[[V2:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V3:.*]] = tosa.matmul %[[A0]], %[[A1]], %[[V2]], %[[V2]] : (tensor<?x2x4xf32>, tensor<?x4x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x2x3xf32>
// TOSA:         return %[[V3]] : tensor<?x2x3xf32>
func.func @dynamic(%a: !torch.vtensor<[?,2,4],f32>, %b: !torch.vtensor<[?,4,3],f32>) -> !torch.vtensor<[?,2,3],f32> {
  %r = torch.aten.bmm %a, %b
      : !torch.vtensor<[?,2,4],f32>, !torch.vtensor<[?,4,3],f32> -> !torch.vtensor<[?,2,3],f32>
  return %r : !torch.vtensor<[?,2,3],f32>
}
