// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// LINALG-DAG: #[[$MAP2:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// LINALG-DAG: #[[$MAP3:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3 + d5)>
// LINALG-DAG: #[[$MAP4:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d4, d5)>
// LINALG-DAG: #[[$MAP5:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>

// MHLO-LABEL: func.func @grouped_dilated_bias
// MHLO-SAME:    (%[[A0:.*]]: tensor<?x4x8x8xf32>, %[[A1:.*]]: tensor<6x2x3x3xf32>, %[[A2:.*]]: tensor<6xf32>)
// MHLO:         %[[V3:.*]] = "mhlo.convolution"(%[[A0]], %[[A1]]) <{batch_group_count = 1 : i64, dimension_numbers = #mhlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, feature_group_count = 2 : i64, lhs_dilation = dense<1> : tensor<2xi64>, padding = dense<1> : tensor<2x2xi64>, rhs_dilation = dense<2> : tensor<2xi64>, window_strides = dense<2> : tensor<2xi64>}> : (tensor<?x4x8x8xf32>, tensor<6x2x3x3xf32>) -> tensor<?x6x3x3xf32>
// MHLO:         %[[V4:.*]] = "mhlo.get_dimension_size"(%[[V3]]) <{dimension = 0 : i64}> : (tensor<?x6x3x3xf32>) -> tensor<i32>
// MHLO:         %[[V5:.*]] = mhlo.convert %[[V4]] : (tensor<i32>) -> tensor<i64>
// MHLO:         %[[V6:.*]] = mhlo.reshape %[[V5]] : (tensor<i64>) -> tensor<1xi64>
// MHLO:         %[[V7:.*]] = mhlo.constant dense<[6, 3, 3]> : tensor<3xi64>
// MHLO:         %[[V8:.*]] = "mhlo.concatenate"(%[[V6]], %[[V7]]) <{dimension = 0 : i64}> : (tensor<1xi64>, tensor<3xi64>) -> tensor<4xi64>
// MHLO:         %[[V9:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[A2]], %[[V8]]) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<6xf32>, tensor<4xi64>) -> tensor<?x6x3x3xf32>
// MHLO:         %[[V10:.*]] = mhlo.add %[[V3]], %[[V9]] : tensor<?x6x3x3xf32>
// MHLO:         return %[[V10]] : tensor<?x6x3x3xf32>
//
// LINALG-LABEL: func.func @grouped_dilated_bias
// LINALG-SAME:    (%[[A0:.*]]: tensor<?x4x8x8xf32>, %[[A1:.*]]: tensor<6x2x3x3xf32>, %[[A2:.*]]: tensor<6xf32>)
// LINALG:         %[[V0:.*]] = tensor.pad %[[A0]] low[0, 0, 1, 1] high[0, 0, 1, 1] {
// LINALG:         ^bb0(%[[V1:.*]]: index, %[[V2:.*]]: index, %[[V3:.*]]: index, %[[V4:.*]]: index):
// LINALG:           tensor.yield %{{.*}} : f32
// LINALG:         } : tensor<?x4x8x8xf32> to tensor<?x4x10x10xf32>
// LINALG:         %[[V5:.*]] = tensor.expand_shape %[[A2]] {{\[}}[0, 1, 2]] output_shape [6, 1, 1] : tensor<6xf32> into tensor<6x1x1xf32>
// LINALG:         %[[V6:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]]], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[V5]] : tensor<6x1x1xf32>) outs(%{{.*}} : tensor<?x6x3x3xf32>) {
// LINALG:         ^bb0(%[[V7:.*]]: f32, %[[V8:.*]]: f32):
// LINALG:           linalg.yield %[[V7]] : f32
// LINALG:         } -> tensor<?x6x3x3xf32>
// LINALG:         %[[V9:.*]] = tensor.expand_shape %[[V0]] {{\[}}[0], [1, 2], [3], [4]] output_shape [%{{.*}}, 2, 2, 10, 10] : tensor<?x4x10x10xf32> into tensor<?x2x2x10x10xf32>
// LINALG:         %[[V10:.*]] = tensor.expand_shape %[[A1]] {{\[}}[0, 1], [2], [3], [4]] output_shape [2, 3, 2, 3, 3] : tensor<6x2x3x3xf32> into tensor<2x3x2x3x3xf32>
// LINALG:         %[[V11:.*]] = tensor.expand_shape %[[V6]] {{\[}}[0], [1, 2], [3], [4]] output_shape [%{{.*}}, 2, 3, 3, 3] : tensor<?x6x3x3xf32> into tensor<?x2x3x3x3xf32>
// LINALG:         %[[V12:.*]] = linalg.conv_2d_ngchw_gfchw {dilations = dense<2> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%[[V9]], %[[V10]] : tensor<?x2x2x10x10xf32>, tensor<2x3x2x3x3xf32>) outs(%[[V11]] : tensor<?x2x3x3x3xf32>) -> tensor<?x2x3x3x3xf32>
// LINALG:         %[[V13:.*]] = tensor.collapse_shape %[[V12]] {{\[}}[0], [1, 2], [3], [4]] : tensor<?x2x3x3x3xf32> into tensor<?x6x3x3xf32>
// LINALG:         return %[[V13]] : tensor<?x6x3x3xf32>
//
// TOSA-LABEL: func.func @grouped_dilated_bias
// TOSA-SAME:    (%[[A0:.*]]: tensor<?x4x8x8xf32>, %[[A1:.*]]: tensor<6x2x3x3xf32>, %[[A2:.*]]: tensor<6xf32>)
// TOSA:         %[[V3:.*]] = tosa.transpose %[[A0]] {perms = array<i32: 0, 2, 3, 1>} : (tensor<?x4x8x8xf32>) -> tensor<?x8x8x4xf32>
// TOSA:         %[[V4:.*]] = tosa.const_shape  {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V5:.*]] = tosa.const_shape  {values = dense<[-1, 8, 8, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V6:.*]] = tosa.slice %[[V3]], %[[V4]], %[[V5]] : (tensor<?x8x8x4xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<?x8x8x2xf32>
// TOSA:         %[[V7:.*]] = tosa.const_shape  {values = dense<[3, 2, 3, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V8:.*]] = tosa.slice %[[A1]], %[[V4]], %[[V7]] : (tensor<6x2x3x3xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<3x2x3x3xf32>
// TOSA:         %[[V9:.*]] = tosa.const_shape  {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
// TOSA:         %[[V10:.*]] = tosa.const_shape  {values = dense<3> : tensor<1xindex>} : () -> !tosa.shape<1>
// TOSA:         %[[V11:.*]] = tosa.slice %[[A2]], %[[V9]], %[[V10]] : (tensor<6xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<3xf32>
// TOSA:         %[[V12:.*]] = tosa.transpose %[[V8]] {perms = array<i32: 0, 2, 3, 1>} : (tensor<3x2x3x3xf32>) -> tensor<3x3x3x2xf32>
// TOSA:         %[[V13:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V14:.*]] = tosa.conv2d %[[V6]], %[[V12]], %[[V11]], %[[V13]], %[[V13]] {acc_type = f32, dilation = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>} : (tensor<?x8x8x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x3x3x3xf32>
// TOSA:         %[[V15:.*]] = tosa.const_shape  {values = dense<[0, 0, 0, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V16:.*]] = tosa.slice %[[V3]], %[[V15]], %[[V5]] : (tensor<?x8x8x4xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<?x8x8x2xf32>
// TOSA:         %[[V17:.*]] = tosa.const_shape  {values = dense<[3, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V18:.*]] = tosa.slice %[[A1]], %[[V17]], %[[V7]] : (tensor<6x2x3x3xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<3x2x3x3xf32>
// TOSA:         %[[V19:.*]] = tosa.slice %[[A2]], %[[V10]], %[[V10]] : (tensor<6xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<3xf32>
// TOSA:         %[[V20:.*]] = tosa.transpose %[[V18]] {perms = array<i32: 0, 2, 3, 1>} : (tensor<3x2x3x3xf32>) -> tensor<3x3x3x2xf32>
// TOSA:         %[[V21:.*]] = tosa.conv2d %[[V16]], %[[V20]], %[[V19]], %[[V13]], %[[V13]] {acc_type = f32, dilation = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>} : (tensor<?x8x8x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x3x3x3xf32>
// TOSA:         %[[V22:.*]] = tosa.concat %[[V14]], %[[V21]] {axis = 3 : i32} : (tensor<?x3x3x3xf32>, tensor<?x3x3x3xf32>) -> tensor<?x3x3x6xf32>
// TOSA:         %[[V23:.*]] = tosa.transpose %[[V22]] {perms = array<i32: 0, 3, 1, 2>} : (tensor<?x3x3x6xf32>) -> tensor<?x6x3x3xf32>
// TOSA:         return %[[V23]] : tensor<?x6x3x3xf32>
func.func @grouped_dilated_bias(%a: !torch.vtensor<[?,4,8,8],f32>, %b: !torch.vtensor<[6,2,3,3],f32>, %c: !torch.vtensor<[6],f32>) -> !torch.vtensor<[?,6,3,3],f32> {
  %int2 = torch.constant.int 2
  %list = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %int1 = torch.constant.int 1
  %list_0 = torch.prim.ListConstruct %int1, %int1 : (!torch.int, !torch.int) -> !torch.list<int>
  %list_1 = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !torch.list<int>
  %false = torch.constant.bool false
  %int0 = torch.constant.int 0
  %list_2 = torch.prim.ListConstruct %int0, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.convolution %a, %b, %c, %list, %list_0, %list_1, %false, %list_2, %int2
      : !torch.vtensor<[?,4,8,8],f32>, !torch.vtensor<[6,2,3,3],f32>, !torch.vtensor<[6],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[?,6,3,3],f32>
  return %r : !torch.vtensor<[?,6,3,3],f32>
}

// MHLO-LABEL: func.func @transposed
// MHLO-SAME:    (%[[A0:.*]]: tensor<1x4x5xf32>, %[[A1:.*]]: tensor<4x3x3xf32>)
// MHLO:         %[[V2:.*]] = "mhlo.reverse"(%[[A1]]) <{dimensions = dense<2> : tensor<1xi64>}> : (tensor<4x3x3xf32>) -> tensor<4x3x3xf32>
// MHLO:         %[[V3:.*]] = mhlo.reshape %[[V2]] : (tensor<4x3x3xf32>) -> tensor<2x2x3x3xf32>
// MHLO:         %[[V4:.*]] = "mhlo.transpose"(%[[V3]]) <{permutation = dense<[1, 0, 2, 3]> : tensor<4xi64>}> : (tensor<2x2x3x3xf32>) -> tensor<2x2x3x3xf32>
// MHLO:         %[[V5:.*]] = mhlo.reshape %[[V4]] : (tensor<2x2x3x3xf32>) -> tensor<2x6x3xf32>
// MHLO:         %[[V6:.*]] = "mhlo.convolution"(%[[A0]], %[[V5]]) <{batch_group_count = 1 : i64, dimension_numbers = #mhlo.conv<[b, f, 0]x[i, o, 0]->[b, f, 0]>, feature_group_count = 2 : i64, lhs_dilation = dense<2> : tensor<1xi64>, padding = dense<{{\[\[}}1, 2]]> : tensor<1x2xi64>, rhs_dilation = dense<1> : tensor<1xi64>, window_strides = dense<1> : tensor<1xi64>}> : (tensor<1x4x5xf32>, tensor<2x6x3xf32>) -> tensor<1x6x10xf32>
// MHLO:         return %[[V6]] : tensor<1x6x10xf32>
//
// LINALG-LABEL: func.func @transposed
// LINALG-SAME:    (%[[A0:.*]]: tensor<1x4x5xf32>, %[[A1:.*]]: tensor<4x3x3xf32>)
// LINALG:         %[[V0:.*]] = linalg.generic {indexing_maps = [#[[$MAP2]]], iterator_types = ["parallel", "parallel", "parallel"]} outs(%{{.*}} : tensor<6x2x3xf32>) {
// LINALG:           %[[V1:.*]] = tensor.extract %[[A1]][%{{.*}}, %{{.*}}, %{{.*}}] : tensor<4x3x3xf32>
// LINALG:         %[[V2:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<1x4x9xf32>) -> tensor<1x4x9xf32>
// LINALG:         %[[V3:.*]] = tensor.insert_slice %[[A0]] into %[[V2]][0, 0, 0] [1, 4, 5] [1, 1, 2] : tensor<1x4x5xf32> into tensor<1x4x9xf32>
// LINALG:         %[[V4:.*]] = tensor.pad %[[V3]] low[0, 0, 1] high[0, 0, 2] {
// LINALG:         %[[V5:.*]] = tensor.expand_shape %[[V4]] {{\[}}[0], [1, 2], [3]] output_shape [1, 2, 2, 12] : tensor<1x4x12xf32> into tensor<1x2x2x12xf32>
// LINALG:         %[[V6:.*]] = tensor.expand_shape %[[V0]] {{\[}}[0, 1], [2], [3]] output_shape [2, 3, 2, 3] : tensor<6x2x3xf32> into tensor<2x3x2x3xf32>
// LINALG:         %[[V7:.*]] = tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2], [3]] output_shape [1, 2, 3, 10] : tensor<1x6x10xf32> into tensor<1x2x3x10xf32>
// LINALG:         %[[V8:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[V7]] : tensor<1x2x3x10xf32>) -> tensor<1x2x3x10xf32>
// LINALG:         %[[V9:.*]] = linalg.generic {indexing_maps = [#[[$MAP3]], #[[$MAP4]], #[[$MAP5]]], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%[[V5]], %[[V6]] : tensor<1x2x2x12xf32>, tensor<2x3x2x3xf32>) outs(%[[V8]] : tensor<1x2x3x10xf32>) {
// LINALG:         %[[V10:.*]] = tensor.collapse_shape %[[V9]] {{\[}}[0], [1, 2], [3]] : tensor<1x2x3x10xf32> into tensor<1x6x10xf32>
// LINALG:         return %[[V10]] : tensor<1x6x10xf32>
//
// TOSA-LABEL: func.func @transposed
// TOSA-SAME:    (%[[A0:.*]]: tensor<1x4x5xf32>, %[[A1:.*]]: tensor<4x3x3xf32>)
// TOSA:         %[[V2:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<6xf32>}> : () -> tensor<6xf32>
// TOSA:         %[[V3:.*]] = tosa.const_shape  {values = dense<[1, 4, 1, 5]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V4:.*]] = tosa.reshape %[[A0]], %[[V3]] : (tensor<1x4x5xf32>, !tosa.shape<4>) -> tensor<1x4x1x5xf32>
// TOSA:         %[[V5:.*]] = tosa.const_shape  {values = dense<[4, 3, 1, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V6:.*]] = tosa.reshape %[[A1]], %[[V5]] : (tensor<4x3x3xf32>, !tosa.shape<4>) -> tensor<4x3x1x3xf32>
// TOSA:         %[[V7:.*]] = tosa.transpose %[[V4]] {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x4x1x5xf32>) -> tensor<1x1x5x4xf32>
// TOSA:         %[[V8:.*]] = tosa.const_shape  {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V9:.*]] = tosa.const_shape  {values = dense<[1, 1, 5, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V10:.*]] = tosa.slice %[[V7]], %[[V8]], %[[V9]] : (tensor<1x1x5x4xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x1x5x2xf32>
// TOSA:         %[[V11:.*]] = tosa.const_shape  {values = dense<[2, 3, 1, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V12:.*]] = tosa.slice %[[V6]], %[[V8]], %[[V11]] : (tensor<4x3x1x3xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x3x1x3xf32>
// TOSA:         %[[V13:.*]] = tosa.const_shape  {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
// TOSA:         %[[V14:.*]] = tosa.const_shape  {values = dense<3> : tensor<1xindex>} : () -> !tosa.shape<1>
// TOSA:         %[[V15:.*]] = tosa.slice %[[V2]], %[[V13]], %[[V14]] : (tensor<6xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<3xf32>
// TOSA:         %[[V16:.*]] = tosa.transpose %[[V12]] {perms = array<i32: 1, 2, 3, 0>} : (tensor<2x3x1x3xf32>) -> tensor<3x1x3x2xf32>
// TOSA:         %[[V17:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
// TOSA:         %[[V18:.*]] = tosa.transpose_conv2d %[[V10]], %[[V16]], %[[V15]], %[[V17]], %[[V17]] {acc_type = f32, out_pad = array<i64: 0, 0, -1, 0>, stride = array<i64: 1, 2>} : (tensor<1x1x5x2xf32>, tensor<3x1x3x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x10x3xf32>
// TOSA:         %[[V19:.*]] = tosa.const_shape  {values = dense<[0, 0, 0, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V20:.*]] = tosa.slice %[[V7]], %[[V19]], %[[V9]] : (tensor<1x1x5x4xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x1x5x2xf32>
// TOSA:         %[[V21:.*]] = tosa.const_shape  {values = dense<[2, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
// TOSA:         %[[V22:.*]] = tosa.slice %[[V6]], %[[V21]], %[[V11]] : (tensor<4x3x1x3xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x3x1x3xf32>
// TOSA:         %[[V23:.*]] = tosa.slice %[[V2]], %[[V14]], %[[V14]] : (tensor<6xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<3xf32>
// TOSA:         %[[V24:.*]] = tosa.transpose %[[V22]] {perms = array<i32: 1, 2, 3, 0>} : (tensor<2x3x1x3xf32>) -> tensor<3x1x3x2xf32>
// TOSA:         %[[V25:.*]] = tosa.transpose_conv2d %[[V20]], %[[V24]], %[[V23]], %[[V17]], %[[V17]] {acc_type = f32, out_pad = array<i64: 0, 0, -1, 0>, stride = array<i64: 1, 2>} : (tensor<1x1x5x2xf32>, tensor<3x1x3x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x10x3xf32>
// TOSA:         %[[V26:.*]] = tosa.concat %[[V18]], %[[V25]] {axis = 3 : i32} : (tensor<1x1x10x3xf32>, tensor<1x1x10x3xf32>) -> tensor<1x1x10x6xf32>
// TOSA:         %[[V27:.*]] = tosa.transpose %[[V26]] {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x1x10x6xf32>) -> tensor<1x6x1x10xf32>
// TOSA:         %[[V28:.*]] = tosa.const_shape  {values = dense<[1, 6, 10]> : tensor<3xindex>} : () -> !tosa.shape<3>
// TOSA:         %[[V29:.*]] = tosa.reshape %[[V27]], %[[V28]] : (tensor<1x6x1x10xf32>, !tosa.shape<3>) -> tensor<1x6x10xf32>
// TOSA:         return %[[V29]] : tensor<1x6x10xf32>
func.func @transposed(%a: !torch.vtensor<[1,4,5],f32>, %b: !torch.vtensor<[4,3,3],f32>) -> !torch.vtensor<[1,6,10],f32> {
  %none = torch.constant.none
  %int2 = torch.constant.int 2
  %list = torch.prim.ListConstruct %int2 : (!torch.int) -> !torch.list<int>
  %int1 = torch.constant.int 1
  %list_0 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %list_1 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %true = torch.constant.bool true
  %list_2 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %r = torch.aten.convolution %a, %b, %none, %list, %list_0, %list_1, %true, %list_2, %int2
      : !torch.vtensor<[1,4,5],f32>, !torch.vtensor<[4,3,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[1,6,10],f32>
  return %r : !torch.vtensor<[1,6,10],f32>
}
