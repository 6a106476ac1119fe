// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @dilated
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3x8xf32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<0xFF800000> : tensor<f32>
// MHLO:         %[[V2:.*]] = "mhlo.reduce_window"(%[[A0]], %[[V1]]) <{padding = dense<{{\[\[}}0, 0], [0, 0], [1, 1]]> : tensor<3x2xi64>, window_dilations = dense<[1, 1, 2]> : tensor<3xi64>, window_dimensions = dense<[1, 1, 2]> : tensor<3xi64>, window_strides = dense<1> : tensor<3xi64>}> ({
// MHLO:         ^bb0(%[[A3:.*]]: tensor<f32>, %[[A4:.*]]: tensor<f32>):
// MHLO:         %[[V5:.*]] = mhlo.maximum %[[A3]], %[[A4]] : tensor<f32>
// MHLO:         mhlo.return %[[V5]] : tensor<f32>
// MHLO:         }) : (tensor<?x3x8xf32>, tensor<f32>) -> tensor<?x3x8xf32>
// MHLO:         return %[[V2]] : tensor<?x3x8xf32>
//
// LINALG-LABEL: func.func @dilated
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3x8xf32>)
// LINALG:         %[[V0:.*]] = tensor.pad %[[A0]] low[0, 0, 1] high[0, 0, 1] {
// LINALG:         ^bb0(%[[V1:.*]]: index, %[[V2:.*]]: index, %[[V3:.*]]: index):
// LINALG:           tensor.yield %{{.*}} : f32
// LINALG:         } : tensor<?x3x8xf32> to tensor<?x3x10xf32>
// LINALG:         %[[V4:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<?x3x8xf32>) -> tensor<?x3x8xf32>
// LINALG:         %[[V5:.*]] = linalg.pooling_ncw_max {dilations = dense<2> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%[[V0]], %{{.*}} : tensor<?x3x10xf32>, tensor<2xf32>) outs(%[[V4]] : tensor<?x3x8xf32>) -> tensor<?x3x8xf32>
// LINALG:         return %[[V5]] : tensor<?x3x8xf32>
//
// TOSA-LABEL: func.func @dilated
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3x8xf32>)
// TOSA:         %[[V1:.*]] = tosa.const_shape  {values = dense<[-1, 3, 1, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V2:.*]] = tosa.reshape %[[A0]], %[[V1]] : (tensor<?x3x8xf32>, !tosa.shape<4>) -> tensor<?x3x1x8xf32>
// TOSA:         %[[V3:.*]] = tosa.transpose %[[V2]] {perms = array<i32: 0, 2, 3, 1>} : (tensor<?x3x1x8xf32>) -> tensor<?x1x8x3xf32>
// TOSA:         %[[V4:.*]] = "tosa.const"() <{values = dense<0xFF800000> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V5:.*]] = tosa.const_shape  {values = dense<[-1, 8, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V6:.*]] = tosa.reshape %[[V3]], %[[V5]] : (tensor<?x1x8x3xf32>, !tosa.shape<3>) -> tensor<?x8x3xf32>
// TOSA:         %[[V7:.*]] = tosa.const_shape  {values = dense<[0, 0, 1, 1, 0, 0]> : tensor<6xindex>} : () -> !tosa.shape<6>
// TOSA:         %[[V8:.*]] = tosa.pad %[[V6]], %[[V7]], %[[V4]] : (tensor<?x8x3xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<?x10x3xf32>
// TOSA:         %[[V9:.*]] = tosa.const_shape  {values = dense<[-1, 1, 10, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V10:.*]] = tosa.reshape %[[V8]], %[[V9]] : (tensor<?x10x3xf32>, !tosa.shape<4>) -> tensor<?x1x10x3xf32>
// TOSA:         %[[V11:.*]] = tosa.const_shape  {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V12:.*]] = tosa.const_shape  {values = dense<[-1, 1, 8, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V13:.*]] = tosa.slice %[[V10]], %[[V11]], %[[V12]] : (tensor<?x1x10x3xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<?x1x8x3xf32>
// TOSA:         %[[V14:.*]] = tosa.const_shape  {values = dense<[0, 0, 2, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V15:.*]] = tosa.slice %[[V10]], %[[V14]], %[[V12]] : (tensor<?x1x10x3xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<?x1x8x3xf32>
// TOSA:         %[[V16:.*]] = tosa.maximum %[[V13]], %[[V15]] : (tensor<?x1x8x3xf32>, tensor<?x1x8x3xf32>) -> tensor<?x1x8x3xf32>
// TOSA:         %[[V17:.*]] = tosa.transpose %[[V16]] {perms = array<i32: 0, 3, 1, 2>} : (tensor<?x1x8x3xf32>) -> tensor<?x3x1x8xf32>
// TOSA:         %[[V18:.*]] = tosa.const_shape  {values = dense<[-1, 3, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V19:.*]] = tosa.reshape %[[V17]], %[[V18]] : (tensor<?x3x1x8xf32>, !tosa.shape<3>) -> tensor<?x3x8xf32>
// TOSA:         return %[[V19]] : tensor<?x3x8xf32>
func.func @dilated(%a: !torch.vtensor<[?,3,8],f32>) -> !torch.vtensor<[?,3,8],f32> {
  %int2 = torch.constant.int 2
  %list = torch.prim.ListConstruct %int2 : (!torch.int) -> !torch.list<int>
  %int1 = torch.constant.int 1
  %list_0 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %list_1 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %list_2 = torch.prim.ListConstruct %int2 : (!torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %r = torch.aten.max_pool1d %a, %list, %list_0, %list_1, %list_2, %false
      : !torch.vtensor<[?,3,8],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?,3,8],f32>
  return %r : !torch.vtensor<[?,3,8],f32>
}
