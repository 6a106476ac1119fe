// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4x3xf32>)
// MHLO:         %[[V2:.*]] = "mhlo.dot_general"(%[[A0]], %[[A1]]) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
// MHLO:         return %[[V2]] : tensor<?x3xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4x3xf32>)
// LINALG:         %[[V0:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<?x3xf32>) -> tensor<?x3xf32>
// LINALG:         %[[V1:.*]] = linalg.matmul ins(%[[A0]], %[[A1]] : tensor<?x4xf32>, tensor<4x3xf32>) outs(%[[V0]] : tensor<?x3xf32>) -> tensor<?x3xf32>
// LINALG:         return %[[V1]] : tensor<?x3xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x4xf32>, %[[A1:.*]]: tensor<4x3xf32>)
// TOSA:         %[[V2:.*]] = tosa.const_shape  {values = dense<[1, -1, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V3:.*]] = tosa.reshape %[[A0]], %[[V2]] : (tensor<?x4xf32>, !tosa.shape<3>) -> tensor<1x?x4xf32>
// TOSA:         %[[V4:.*]] = tosa.const_shape  {values = dense<[1, 4, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V5:.*]] = tosa.reshape %[[A1]], %[[V4]] : (tensor<4x3xf32>, !tosa.shape<3>) -> tensor<1x4x3xf32>
// TOSA:         %[[V6:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V7:.*]] = tosa.matmul %[[V3]], %[[V5]], %[[V6]], %[[V6]] : (tensor<1x?x4xf32>, tensor<1x4x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x3xf32>
// TOSA:         %[[V8:.*]] = tosa.const_shape  {values = dense<[-1, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V9:.*]] = tosa.reshape %[[V7]], %[[V8]] : (tensor<1x?x3xf32>, !tosa.shape<2>) -> tensor<?x3xf32>
// TOSA:         return %[[V9]] : tensor<?x3xf32>
func.func @dynamic(%a: !torch.vtensor<[?,4],f32>, %b: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[?,3],f32> {
  %r = torch.aten.mm %a, %b
      : !torch.vtensor<[?,4],f32>, !torch.vtensor<[4,3],f32> -> !torch.vtensor<[?,3],f32>
  return %r : !torch.vtensor<[?,3],f32>
}
