// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// MHLO:         %[[V1:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x3xf32>) -> tensor<i32>
// MHLO:         %[[V2:.*]] = mhlo.convert %[[V1]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V3:.*]] = mhlo.reshape %[[V2]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V4:.*]] = mhlo.constant dense<[1, 3]> : tensor<2xi64>
// MHLO:         %[[V5:.*]] = "mhlo.concatenate"(%[[V3]], %[[V4]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
// MHLO:         %[[V6:.*]] = mhlo.dynamic_reshape %[[A0]], %[[V5]] : (tensor<?x3xf32>, tensor<3xi64>) -> tensor<?x1x3xf32>
// MHLO:         return %[[V6]] : tensor<?x1x3xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// LINALG:         %[[V0:.*]] = tensor.expand_shape %[[A0]] {{\[}}[0, 1], [2]] output_shape [%{{.*}}, 1, 3] : tensor<?x3xf32> into tensor<?x1x3xf32>
// LINALG:         return %[[V0]] : tensor<?x1x3xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3xf32>)
// TOSA:         %[[V1:.*]] = tosa.const_shape  {values = dense<[-1, 1, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V2:.*]] = tosa.reshape %[[A0]], %[[V1]] : (tensor<?x3xf32>, !tosa.shape<3>) -> tensor<?x1x3xf32>
// TOSA:         return %[[V2]] : tensor<?x1x3xf32>
func.func @dynamic(%a: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,1,3],f32> {
  %int_2 = torch.constant.int -2
  %r = torch.aten.unsqueeze %a, %int_2
      : !torch.vtensor<[?,3],f32>, !torch.int -> !torch.vtensor<[?,1,3],f32>
  return %r : !torch.vtensor<[?,1,3],f32>
}
