// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @known_sizes
// MHLO-SAME:    (%[[A0:.*]]: tensor<2x3x4xf32>)
// MHLO:         %[[V1:.*]] = mhlo.reshape %[[A0]] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
// MHLO:         return %[[V1]] : tensor<6x4xf32>
//
// LINALG-LABEL: func.func @known_sizes
// LINALG-SAME:    (%[[A0:.*]]: tensor<2x3x4xf32>)
// LINALG:         %[[V0:.*]] = tensor.collapse_shape %[[A0]] {{\[}}[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
// LINALG:         return %[[V0]] : tensor<6x4xf32>
//
// TOSA-LABEL: func.func @known_sizes
// TOSA-SAME:    (%[[A0:.*]]: tensor<2x3x4xf32>)
// TOSA:         %[[V1:.*]] = tosa.const_shape  {values = dense<[6, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V2:.*]] = tosa.reshape %[[A0]], %[[V1]] : (tensor<2x3x4xf32>, !tosa.shape<2>) -> tensor<6x4xf32>
// TOSA:         return %[[V2]] : tensor<6x4xf32>
func.func @known_sizes(%a: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[6,4],f32> {
  %int6 = torch.constant.int 6
  %int_1 = torch.constant.int -1
  %list = torch.prim.ListConstruct %int6, %int_1 : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.view %a, %list
      : !torch.vtensor<[2,3,4],f32>, !torch.list<int> -> !torch.vtensor<[6,4],f32>
  return %r : !torch.vtensor<[6,4],f32>
}

// MHLO-LABEL: func.func @unknown_size
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3x4xf32>)
// MHLO:         %[[V1:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x3x4xf32>) -> tensor<i32>
// MHLO:         %[[V2:.*]] = mhlo.convert %[[V1]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V3:.*]] = mhlo.constant dense<3> : tensor<i64>
// MHLO:         %[[V4:.*]] = mhlo.multiply %[[V2]], %[[V3]] : tensor<i64>
// MHLO:         %[[V5:.*]] = mhlo.reshape %[[V4]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V6:.*]] = mhlo.constant dense<4> : tensor<1xi64>
// MHLO:         %[[V7:.*]] = "mhlo.concatenate"(%[[V5]], %[[V6]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
// MHLO:         %[[V8:.*]] = mhlo.dynamic_reshape %[[A0]], %[[V7]] : (tensor<?x3x4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
// MHLO:         return %[[V8]] : tensor<?x4xf32>
//
// LINALG-LABEL: func.func @unknown_size
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3x4xf32>)
// LINALG:         %[[V0:.*]] = tensor.collapse_shape %[[A0]] {{\[}}[0, 1], [2]] : tensor<?x3x4xf32> into tensor<?x4xf32>
// LINALG:         return %[[V0]] : tensor<?x4xf32>
//
// TOSA-LABEL: func.func @unknown_size
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3x4xf32>)
// TOSA:         %[[V1:.*]] = tosa.const_shape  {values = dense<[-1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
// TOSA:         %[[V2:.*]] = tosa.reshape %[[A0]], %[[V1]] : (tensor<?x3x4xf32>, !tosa.shape<2>) -> tensor<?x4xf32>
// TOSA:         return %[[V2]] : tensor<?x4xf32>
func.func @unknown_size(%a: !torch.vtensor<[?,3,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %int_1 = torch.constant.int -1
  %int4 = torch.constant.int 4
  %list = torch.prim.ListConstruct %int_1, %int4 : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.view %a, %list
      : !torch.vtensor<[?,3,4],f32>, !torch.list<int> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}
