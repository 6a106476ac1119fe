// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x1x1xf32>)
// MHLO:         %[[V1:.*]] = "mhlo.get_dimension_size"(%[[A0]]) <{dimension = 0 : i64}> : (tensor<?x1x1xf32>) -> tensor<i32>
// MHLO:         %[[V2:.*]] = mhlo.convert %[[V1]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V3:.*]] = mhlo.reshape %[[V2]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V4:.*]] = mhlo.dynamic_reshape %[[A0]], %[[V3]] : (tensor<?x1x1xf32>, tensor<1xi64>) -> tensor<?xf32>
// MHLO:         return %[[V4]] : tensor<?xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x1x1xf32>)
// LINALG:         %[[V0:.*]] = tensor.collapse_shape %[[A0]] {{\[}}[0, 1, 2]] : tensor<?x1x1xf32> into tensor<?xf32>
// LINALG:         return %[[V0]] : tensor<?xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x1x1xf32>)
// TOSA:         %[[V1:.*]] = tosa.const_shape  {values = dense<-1> : tensor<1xindex>} : () -> !tosa.shape<1>
// TOSA:         %[[V2:.*]] = tosa.reshape %[[A0]], %[[V1]] : (tensor<?x1x1xf32>, !tosa.shape<1>) -> tensor<?xf32>
// TOSA:         return %[[V2]] : tensor<?xf32>
func.func @dynamic(%a: !torch.vtensor<[?,1,1],f32>) -> !torch.vtensor<[?],f32> {
  %int1 = torch.constant.int 1
  %int_1 = torch.constant.int -1
  %list = torch.prim.ListConstruct %int1, %int_1 : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.prims.squeeze %a, %list
      : !torch.vtensor<[?,1,1],f32>, !torch.list<int> -> !torch.vtensor<[?],f32>
  return %r : !torch.vtensor<[?],f32>
}

// MHLO-LABEL: func.func @several
// MHLO-SAME:    (%[[A0:.*]]: tensor<1x2x1xf32>)
// MHLO:         %[[V1:.*]] = mhlo.reshape %[[A0]] : (tensor<1x2x1xf32>) -> tensor<2xf32>
// MHLO:         return %[[V1]] : tensor<2xf32>
//
// LINALG-LABEL: func.func @several
// LINALG-SAME:    (%[[A0:.*]]: tensor<1x2x1xf32>)
// LINALG:         %[[V0:.*]] = tensor.collapse_shape %[[A0]] {{\[}}[0, 1, 2]] : tensor<1x2x1xf32> into tensor<2xf32>
// LINALG:         return %[[V0]] : tensor<2xf32>
//
// TOSA-LABEL: func.func @several
// TOSA-SAME:    (%[[A0:.*]]: tensor<1x2x1xf32>)
// TOSA:         %[[V1:.*]] = tosa.const_shape  {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
// TOSA:         %[[V2:.*]] = tosa.reshape %[[A0]], %[[V1]] : (tensor<1x2x1xf32>, !tosa.shape<1>) -> tensor<2xf32>
// TOSA:         return %[[V2]] : tensor<2xf32>
func.func @several(%a: !torch.vtensor<[1,2,1],f32>) -> !torch.vtensor<[2],f32> {
  %int0 = torch.constant.int 0
  %int2 = torch.constant.int 2
  %list = torch.prim.ListConstruct %int0, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.prims.squeeze %a, %list
      : !torch.vtensor<[1,2,1],f32>, !torch.list<int> -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}
