// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// MHLO-LABEL: func.func @counts_padding
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x3x8xf32>)
// MHLO:         %[[V1:.*]] = mhlo.constant dense<0.000000e+00> : tensor<f32>
// MHLO:         %[[V2:.*]] = "mhlo.reduce_window"(%[[A0]], %[[V1]]) <{padding = dense<{{\[\[}}0, 0], [0, 0], [1, 1]]> : tensor<3x2xi64>, window_dilations = dense<1> : tensor<3xi64>, window_dimensions = dense<[1, 1, 2]> : tensor<3xi64>, window_strides = dense<[1, 1, 2]> : tensor<3xi64>}> ({
// MHLO:         ^bb0(%[[A3:.*]]: tensor<f32>, %[[A4:.*]]: tensor<f32>):
// MHLO:         %[[V5:.*]] = mhlo.add %[[A3]], %[[A4]] : tensor<f32>
// MHLO:         mhlo.return %[[V5]] : tensor<f32>
// MHLO:         }) : (tensor<?x3x8xf32>, tensor<f32>) -> tensor<?x3x5xf32>
// MHLO:         %[[V6:.*]] = "mhlo.get_dimension_size"(%[[V2]]) <{dimension = 0 : i64}> : (tensor<?x3x5xf32>) -> tensor<i32>
// MHLO:         %[[V7:.*]] = mhlo.convert %[[V6]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V8:.*]] = mhlo.constant dense<2.000000e+00> : tensor<f32>
// MHLO:         %[[V9:.*]] = mhlo.reshape %[[V7]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V10:.*]] = mhlo.constant dense<[3, 5]> : tensor<2xi64>
// MHLO:         %[[V11:.*]] = "mhlo.concatenate"(%[[V9]], %[[V10]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
// MHLO:         %[[V12:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[V8]], %[[V11]]) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>, tensor<3xi64>) -> tensor<?x3x5xf32>
// MHLO:         %[[V13:.*]] = mhlo.divide %[[V2]], %[[V12]] : tensor<?x3x5xf32>
// MHLO:         return %[[V13]] : tensor<?x3x5xf32>
//
// LINALG-LABEL: func.func @counts_padding
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x3x8xf32>)
// LINALG:         %[[V0:.*]] = tensor.pad %[[A0]] low[0, 0, 1] high[0, 0, 1] {
// LINALG:         ^bb0(%[[V1:.*]]: index, %[[V2:.*]]: index, %[[V3:.*]]: index):
// LINALG:           tensor.yield %{{.*}} : f32
// LINALG:         } : tensor<?x3x8xf32> to tensor<?x3x10xf32>
// LINALG:         %[[V4:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<?x3x5xf32>) -> tensor<?x3x5xf32>
// LINALG:         %[[V5:.*]] = linalg.pooling_ncw_sum {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>} ins(%[[V0]], %{{.*}} : tensor<?x3x10xf32>, tensor<2xf32>) outs(%[[V4]] : tensor<?x3x5xf32>) -> tensor<?x3x5xf32>
// LINALG:         %[[V6:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP]]], iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[V5]] : tensor<?x3x5xf32>) outs(%{{.*}} : tensor<?x3x5xf32>) {
// LINALG:         ^bb0(%[[V7:.*]]: f32, %[[V8:.*]]: f32):
// LINALG:           %[[V9:.*]] = arith.divf %[[V7]], %{{.*}} : f32
// LINALG:           linalg.yield %[[V9]] : f32
// LINALG:         } -> tensor<?x3x5xf32>
// LINALG:         return %[[V6]] : tensor<?x3x5xf32>
//
// TOSA-LABEL: func.func @counts_padding
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x3x8xf32>)
// TOSA:         %[[V1:.*]] = tosa.const_shape  {values = dense<[-1, 3, 1, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V2:.*]] = tosa.reshape %[[A0]], %[[V1]] : (tensor<?x3x8xf32>, !tosa.shape<4>) -> tensor<?x3x1x8xf32>
// TOSA:         %[[V3:.*]] = tosa.transpose %[[V2]] {perms = array<i32: 0, 2, 3, 1>} : (tensor<?x3x1x8xf32>) -> tensor<?x1x8x3xf32>
// TOSA:         %[[V4:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V5:.*]] = tosa.const_shape  {values = dense<[-1, 8, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V6:.*]] = tosa.reshape %[[V3]], %[[V5]] : (tensor<?x1x8x3xf32>, !tosa.shape<3>) -> tensor<?x8x3xf32>
// TOSA:         %[[V7:.*]] = tosa.const_shape  {values = dense<[0, 0, 1, 1, 0, 0]> : tensor<6xindex>} : () -> !tosa.shape<6>
// TOSA:         %[[V8:.*]] = tosa.pad %[[V6]], %[[V7]], %[[V4]] : (tensor<?x8x3xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<?x10x3xf32>
// TOSA:         %[[V9:.*]] = tosa.const_shape  {values = dense<[-1, 1, 10, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V10:.*]] = tosa.reshape %[[V8]], %[[V9]] : (tensor<?x10x3xf32>, !tosa.shape<4>) -> tensor<?x1x10x3xf32>
// TOSA:         %[[V11:.*]] = tosa.avg_pool2d %[[V10]], %[[V4]], %[[V4]] {acc_type = f32, kernel = array<i64: 1, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 2>} : (tensor<?x1x10x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x1x5x3xf32>
// TOSA:         %[[V12:.*]] = tosa.transpose %[[V11]] {perms = array<i32: 0, 3, 1, 2>} : (tensor<?x1x5x3xf32>) -> tensor<?x3x1x5xf32>
// TOSA:         %[[V13:.*]] = tosa.const_shape  {values = dense<[-1, 3, 5]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V14:.*]] = tosa.reshape %[[V12]], %[[V13]] : (tensor<?x3x1x5xf32>, !tosa.shape<3>) -> tensor<?x3x5xf32>
// TOSA:         return %[[V14]] : tensor<?x3x5xf32>
func.func @counts_padding(%a: !torch.vtensor<[?,3,8],f32>) -> !torch.vtensor<[?,3,5],f32> {
  %int2 = torch.constant.int 2
  %list = torch.prim.ListConstruct %int2 : (!torch.int) -> !torch.list<int>
  %list_0 = torch.prim.ListConstruct %int2 : (!torch.int) -> !torch.list<int>
  %int1 = torch.constant.int 1
  %list_1 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %true = torch.constant.bool true
  %r = torch.aten.avg_pool1d %a, %list, %list_0, %list_1, %false, %true
      : !torch.vtensor<[?,3,8],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.bool -> !torch.vtensor<[?,3,5],f32>
  return %r : !torch.vtensor<[?,3,5],f32>
}
