// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// MHLO-LABEL: func.func @without_padding
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3x8x8xf32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<0.000000e+00> : tensor<f32>
// MHLO:         %[[V2:.*]] = "mhlo.reduce_window"(%[[A0]], %[[V1]]) <{padding = dense<{{\[\[}}0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>, window_dilations = dense<1> : tensor<4xi64>, window_dimensions = dense<[1, 1, 3, 3]> : tensor<4xi64>, window_strides = dense<[1, 1, 2, 2]> : tensor<4xi64>}> ({
// MHLO:         ^bb0(%[[A3:.*]]: tensor<f32>, %[[A4:.*]]: tensor<f32>):
// MHLO:         %[[V5:.*]] = mhlo.add %[[A3]], %[[A4]] : tensor<f32>
// MHLO:         mhlo.return %[[V5]] : tensor<f32>
// MHLO:         }) : (tensor<?x3x8x8xf32>, tensor<f32>) -> tensor<?x3x4x4xf32>
// MHLO:         %[[V6:.*]] = mhlo.constant dense<1.000000e+00> : tensor<1x1x8x8xf32>
// MHLO:         %[[V7:.*]] = "mhlo.reduce_window"(%[[V6]], %[[V1]]) <{padding = dense<{{\[\[}}0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>, window_dilations = dense<1> : tensor<4xi64>, window_dimensions = dense<[1, 1, 3, 3]> : tensor<4xi64>, window_strides = dense<[1, 1, 2, 2]> : tensor<4xi64>}> ({
// MHLO:         ^bb0(%[[A8:.*]]: tensor<f32>, %[[A9:.*]]: tensor<f32>):
// MHLO:         %[[V5]] = mhlo.add %[[A8]], %[[A9]] : tensor<f32>
// MHLO:         mhlo.return %[[V5]] : tensor<f32>
// MHLO:         }) : (tensor<1x1x8x8xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
// MHLO:         %[[V10:.*]] = "mhlo.get_dimension_size"(%[[V2]]) <{dimension = 0 : i64}> : (tensor<?x3x4x4xf32>) -> tensor<i32>
// MHLO:         %[[V11:.*]] = mhlo.convert %[[V10]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V12:.*]] = mhlo.reshape %[[V11]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V13:.*]] = mhlo.constant dense<[3, 4, 4]> : tensor<3xi64>
// MHLO:         %[[V14:.*]] = "mhlo.concatenate"(%[[V12]], %[[V13]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<3xi64>) -> tensor<4xi64>
// MHLO:         %[[V15:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[V7]], %[[V14]]) <{broadcast_dimensions = dense<[0, 1, 2, 3]> : tensor<4xi64>}> : (tensor<1x1x4x4xf32>, tensor<4xi64>) -> tensor<?x3x4x4xf32>
// MHLO:         %[[V16:.*]] = mhlo.divide %[[V2]], %[[V15]] : tensor<?x3x4x4xf32>
// MHLO:         return %[[V16]] : tensor<?x3x4x4xf32>
//
// LINALG-LABEL: func.func @without_padding
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3x8x8xf32>)
// LINALG:         %[[V0:.*]] = tensor.pad %[[A0]] low[0, 0, 1, 1] high[0, 0, 1, 1] {
// LINALG:         ^bb0(%[[V1:.*]]: index, %[[V2:.*]]: index, %[[V3:.*]]: index, %[[V4:.*]]: index):
// LINALG:           tensor.yield %{{.*}} : f32
// LINALG:         } : tensor<?x3x8x8xf32> to tensor<?x3x10x10xf32>
// LINALG:         %[[V5:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<?x3x4x4xf32>) -> tensor<?x3x4x4xf32>
// LINALG:         %[[V6:.*]] = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%[[V0]], %{{.*}} : tensor<?x3x10x10xf32>, tensor<3x3xf32>) outs(%[[V5]] : tensor<?x3x4x4xf32>) -> tensor<?x3x4x4xf32>
// LINALG:         %[[V7:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[V6]] : tensor<?x3x4x4xf32>) outs(%{{.*}} : tensor<?x3x4x4xf32>) {
// LINALG:         ^bb0(%[[V8:.*]]: f32, %[[V9:.*]]: f32):
// LINALG:           %[[V10:.*]] = linalg.index 2 : index
// LINALG:           %[[V11:.*]] = arith.muli %[[V10]], %{{.*}} : index
// LINALG:           %[[V12:.*]] = arith.subi %[[V11]], %{{.*}} : index
// LINALG:           %[[V13:.*]] = arith.addi %[[V11]], %{{.*}} : index
// LINALG:           %[[V14:.*]] = arith.maxsi %[[V12]], %{{.*}} : index
// LINALG:           %[[V15:.*]] = arith.minsi %[[V13]], %{{.*}} : index
// LINALG:           %[[V16:.*]] = arith.subi %[[V15]], %[[V14]] : index
// LINALG:           %[[V17:.*]] = linalg.index 3 : index
// LINALG:           %[[V18:.*]] = arith.muli %[[V17]], %{{.*}} : index
// LINALG:           %[[V19:.*]] = arith.subi %[[V18]], %{{.*}} : index
// LINALG:           %[[V20:.*]] = arith.addi %[[V18]], %{{.*}} : index
// LINALG:           %[[V21:.*]] = arith.maxsi %[[V19]], %{{.*}} : index
// LINALG:           %[[V22:.*]] = arith.minsi %[[V20]], %{{.*}} : index
// LINALG:           %[[V23:.*]] = arith.subi %[[V22]], %[[V21]] : index
// LINALG:           %[[V24:.*]] = arith.muli %[[V16]], %[[V23]] : index
// LINALG:           %[[V25:.*]] = arith.index_cast %[[V24]] : index to i64
// LINALG:           %[[V26:.*]] = arith.sitofp %[[V25]] : i64 to f32
// LINALG:           %[[V27:.*]] = arith.divf %[[V8]], %[[V26]] : f32
// LINALG:           linalg.yield %[[V27]] : f32
// LINALG:         } -> tensor<?x3x4x4xf32>
// LINALG:         return %[[V7]] : tensor<?x3x4x4xf32>
//
// TOSA-LABEL: func.func @without_padding
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3x8x8xf32>)
// TOSA:         %[[V1:.*]] = tosa.transpose %[[A0]] {perms = array<i32: 0, 2, 3, 1>} : (tensor<?x3x8x8xf32>) -> tensor<?x8x8x3xf32>
// TOSA:         %[[V2:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V3:.*]] = tosa.avg_pool2d %[[V1]], %[[V2]], %[[V2]] {acc_type = f32, kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>} : (tensor<?x8x8x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x4x4x3xf32>
// TOSA:         %[[V4:.*]] = tosa.transpose %[[V3]] {perms = array<i32: 0, 3, 1, 2>} : (tensor<?x4x4x3xf32>) -> tensor<?x3x4x4xf32>
// TOSA:         return %[[V4]] : tensor<?x3x4x4xf32>
func.func @without_padding(%a: !torch.vtensor<[?,3,8,8],f32>) -> !torch.vtensor<[?,3,4,4],f32> {
  %int3 = torch.constant.int 3
  %list = torch.prim.ListConstruct %int3, %int3 : (!torch.int, !torch.int) -> !torch.list<int>
  %int2 = torch.constant.int 2
  %list_0 = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %int1 = torch.constant.int 1
  %list_1 = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %none = torch.constant.none
  %r = torch.aten.avg_pool2d %a, %list, %list_0, %list_1, %false, %false, %none
      : !torch.vtensor<[?,3,8,8],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[?,3,4,4],f32>
  return %r : !torch.vtensor<[?,3,4,4],f32>
}

// MHLO-LABEL: func.func @divisor_override
// MHLO-SAME:    (%[[A0:.*]]: tensor<1x3x8x8xf32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<0.000000e+00> : tensor<f32>
// MHLO:         %[[V2:.*]] = "mhlo.reduce_window"(%[[A0]], %[[V1]]) <{padding = dense<0> : tensor<4x2xi64>, window_dilations = dense<1> : tensor<4xi64>, window_dimensions = dense<[1, 1, 2, 2]> : tensor<4xi64>, window_strides = dense<[1, 1, 2, 2]> : tensor<4xi64>}> ({
// MHLO:         ^bb0(%[[A3:.*]]: tensor<f32>, %[[A4:.*]]: tensor<f32>):
// MHLO:         %[[V5:.*]] = mhlo.add %[[A3]], %[[A4]] : tensor<f32>
// MHLO:         mhlo.return %[[V5]] : tensor<f32>
// MHLO:         }) : (tensor<1x3x8x8xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
// MHLO:         %[[V6:.*]] = mhlo.constant dense<3.000000e+00> : tensor<1x3x4x4xf32>
// MHLO:         %[[V7:.*]] = mhlo.divide %[[V2]], %[[V6]] : tensor<1x3x4x4xf32>
// MHLO:         return %[[V7]] : tensor<1x3x4x4xf32>
//
// LINALG-LABEL: func.func @divisor_override
// LINALG-SAME:    (%[[A0:.*]]: tensor<1x3x8x8xf32>)
// LINALG:         %[[V0:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
// LINALG:         %[[V1:.*]] = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%[[A0]], %{{.*}} : tensor<1x3x8x8xf32>, tensor<2x2xf32>) outs(%[[V0]] : tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
// LINALG:         %[[V2:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[V1]] : tensor<1x3x4x4xf32>) outs(%{{.*}} : tensor<1x3x4x4xf32>) {
// LINALG:         ^bb0(%[[V3:.*]]: f32, %[[V4:.*]]: f32):
// LINALG:           %[[V5:.*]] = arith.divf %[[V3]], %{{.*}} : f32
// LINALG:           linalg.yield %[[V5]] : f32
// LINALG:         } -> tensor<1x3x4x4xf32>
// LINALG:         return %[[V2]] : tensor<1x3x4x4xf32>
//
// TOSA-LABEL: func.func @divisor_override
// TOSA-SAME:    (%[[A0:.*]]: tensor<1x3x8x8xf32>)
// TOSA:         %[[V1:.*]] = tosa.transpose %[[A0]] {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x3x8x8xf32>) -> tensor<1x8x8x3xf32>
// TOSA:         %[[V2:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V3:.*]] = tosa.avg_pool2d %[[V1]], %[[V2]], %[[V2]] {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
// TOSA:         %[[V4:.*]] = "tosa.const"() <{values = dense<1.33333337> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
// TOSA:         %[[V5:.*]] = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
// TOSA:         %[[V6:.*]] = tosa.mul %[[V3]], %[[V4]], %[[V5]] : (tensor<1x4x4x3xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x4x4x3xf32>
// TOSA:         %[[V7:.*]] = tosa.transpose %[[V6]] {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x4x4x3xf32>) -> tensor<1x3x4x4xf32>
// TOSA:         return %[[V7]] : tensor<1x3x4x4xf32>
func.func @divisor_override(%a: !torch.vtensor<[1,3,8,8],f32>) -> !torch.vtensor<[1,3,4,4],f32> {
  %int2 = torch.constant.int 2
  %list = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %list_0 = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %int0 = torch.constant.int 0
  %list_1 = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %true = torch.constant.bool true
  %int3 = torch.constant.int 3
  %r = torch.aten.avg_pool2d %a, %list, %list_0, %list_1, %false, %true, %int3
      : !torch.vtensor<[1,3,8,8],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool, !torch.int -> !torch.vtensor<[1,3,4,4],f32>
  return %r : !torch.vtensor<[1,3,4,4],f32>
}
