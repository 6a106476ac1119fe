// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// MHLO-LABEL: func.func @dynamic
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3x8x8xf32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<0xFF800000> : tensor<f32>
// MHLO:         %[[V2:.*]] = "mhlo.reduce_window"(%[[A0]], %[[V1]]) <{padding = dense<{{\[\[}}0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>, window_dilations = dense<1> : tensor<4xi64>, window_dimensions = dense<[1, 1, 3, 3]> : tensor<4xi64>, window_strides = dense<[1, 1, 2, 2]> : tensor<4xi64>}> ({
// MHLO:         ^bb0(%[[A3:.*]]: tensor<f32>, %[[A4:.*]]: tensor<f32>):
// MHLO:         %[[V5:.*]] = mhlo.maximum %[[A3]], %[[A4]] : tensor<f32>
// MHLO:         mhlo.return %[[V5]] : tensor<f32>
// MHLO:         }) : (tensor<?x3x8x8xf32>, tensor<f32>) -> tensor<?x3x4x4xf32>
// MHLO:         return %[[V2]] : tensor<?x3x4x4xf32>
//
// LINALG-LABEL: func.func @dynamic
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3x8x8xf32>)
// LINALG:         %[[V0:.*]] = tensor.pad %[[A0]] low[0, 0, 1, 1] high[0, 0, 1, 1] {
// LINALG:         ^bb0(%[[V1:.*]]: index, %[[V2:.*]]: index, %[[V3:.*]]: index, %[[V4:.*]]: index):
// LINALG:           tensor.yield %{{.*}} : f32
// LINALG:         } : tensor<?x3x8x8xf32> to tensor<?x3x10x10xf32>
// LINALG:         %[[V5:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<?x3x4x4xf32>) -> tensor<?x3x4x4xf32>
// LINALG:         %[[V6:.*]] = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%[[V0]], %{{.*}} : tensor<?x3x10x10xf32>, tensor<3x3xf32>) outs(%[[V5]] : tensor<?x3x4x4xf32>) -> tensor<?x3x4x4xf32>
// LINALG:         return %[[V6]] : tensor<?x3x4x4xf32>
//
// TOSA-LABEL: func.func @dynamic
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3x8x8xf32>)
// TOSA:         %[[V1:.*]] = tosa.transpose %[[A0]] {perms = array<i32: 0, 2, 3, 1>} : (tensor<?x3x8x8xf32>) -> tensor<?x8x8x3xf32>
// TOSA:         %[[V2:.*]] = tosa.max_pool2d %[[V1]] {kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>} : (tensor<?x8x8x3xf32>) -> tensor<?x4x4x3xf32>
// TOSA:         %[[V3:.*]] = tosa.transpose %[[V2]] {perms = array<i32: 0, 3, 1, 2>} : (tensor<?x4x4x3xf32>) -> tensor<?x3x4x4xf32>
// TOSA:         return %[[V3]] : tensor<?x3x4x4xf32>
func.func @dynamic(%a: !torch.vtensor<[?,3,8,8],f32>) -> !torch.vtensor<[?,3,4,4],f32> {
  %int3 = torch.constant.int 3
  %list = torch.prim.ListConstruct %int3, %int3 : (!torch.int, !torch.int) -> !torch.list<int>
  %int2 = torch.constant.int 2
  %list_0 = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %int1 = torch.constant.int 1
  %list_1 = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %list_2 = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %r = torch.aten.max_pool2d %a, %list, %list_0, %list_1, %list_2, %false
      : !torch.vtensor<[?,3,8,8],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?,3,4,4],f32>
  return %r : !torch.vtensor<[?,3,4,4],f32>
}

// MHLO-LABEL: func.func @ceil_mode
// MHLO-SAME:    (%[[A0:.*]]: tensor<1x3x8x8xf32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<0xFF800000> : tensor<f32>
// MHLO:         %[[V2:.*]] = "mhlo.reduce_window"(%[[A0]], %[[V1]]) <{padding = dense<{{\[\[}}0, 0], [0, 0], [0, 1], [0, 1]]> : tensor<4x2xi64>, window_dilations = dense<1> : tensor<4xi64>, window_dimensions = dense<[1, 1, 3, 3]> : tensor<4xi64>, window_strides = dense<[1, 1, 2, 2]> : tensor<4xi64>}> ({
// MHLO:         ^bb0(%[[A3:.*]]: tensor<f32>, %[[A4:.*]]: tensor<f32>):
// MHLO:         %[[V5:.*]] = mhlo.maximum %[[A3]], %[[A4]] : tensor<f32>
// MHLO:         mhlo.return %[[V5]] : tensor<f32>
// MHLO:         }) : (tensor<1x3x8x8xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
// MHLO:         return %[[V2]] : tensor<1x3x4x4xf32>
//
// LINALG-LABEL: func.func @ceil_mode
// LINALG-SAME:    (%[[A0:.*]]: tensor<1x3x8x8xf32>)
// LINALG:         %[[V0:.*]] = tensor.pad %[[A0]] low[0, 0, 0, 0] high[0, 0, 1, 1] {
// LINALG:         ^bb0(%[[V1:.*]]: index, %[[V2:.*]]: index, %[[V3:.*]]: index, %[[V4:.*]]: index):
// LINALG:           tensor.yield %{{.*}} : f32
// LINALG:         } : tensor<1x3x8x8xf32> to tensor<1x3x9x9xf32>
// LINALG:         %[[V5:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
// LINALG:         %[[V6:.*]] = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%[[V0]], %{{.*}} : tensor<1x3x9x9xf32>, tensor<3x3xf32>) outs(%[[V5]] : tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
// LINALG:         return %[[V6]] : tensor<1x3x4x4xf32>
//
// TOSA-LABEL: func.func @ceil_mode
// TOSA-SAME:    (%[[A0:.*]]: tensor<1x3x8x8xf32>)
// TOSA:         %[[V1:.*]] = tosa.transpose %[[A0]] {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x3x8x8xf32>) -> tensor<1x8x8x3xf32>
// TOSA:         %[[V2:.*]] = tosa.max_pool2d %[[V1]] {kernel = array<i64: 3, 3>, pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>
// TOSA:         %[[V3:.*]] = tosa.transpose %[[V2]] {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x4x4x3xf32>) -> tensor<1x3x4x4xf32>
// TOSA:         return %[[V3]] : tensor<1x3x4x4xf32>
func.func @ceil_mode(%a: !torch.vtensor<[1,3,8,8],f32>) -> !torch.vtensor<[1,3,4,4],f32> {
  %int3 = torch.constant.int 3
  %list = torch.prim.ListConstruct %int3, %int3 : (!torch.int, !torch.int) -> !torch.list<int>
  %int2 = torch.constant.int 2
  %list_0 = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %int0 = torch.constant.int 0
  %list_1 = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  %int1 = torch.constant.int 1
  %list_2 = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %true = torch.constant.bool true
  %r = torch.aten.max_pool2d %a, %list, %list_0, %list_1, %list_2, %true
      : !torch.vtensor<[1,3,8,8],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,3,4,4],f32>
  return %r : !torch.vtensor<[1,3,4,4],f32>
}
