// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// LINALG-DAG: #[[$MAP:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
// LINALG-DAG: #[[$MAP1:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// LINALG-DAG: #[[$MAP2:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3 + d5)>
// LINALG-DAG: #[[$MAP3:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d4, d5)>
// LINALG-DAG: #[[$MAP4:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>

// MHLO-LABEL: func.func @grouped_dilated_bias
// MHLO-SAME:    (%[[X:.*]]: tensor<?x4x8x8xf32>, %[[W:.*]]: tensor<6x2x3x3xf32>, %[[B:.*]]: tensor<6xf32>)
// MHLO:         %[[SUMS:.*]] = "mhlo.convolution"(%[[X]], %[[W]]) <{batch_group_count = 1 : i64, dimension_numbers = #mhlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, feature_group_count = 2 : i64, lhs_dilation = dense<1> : tensor<2xi64>, padding = dense<1> : tensor<2x2xi64>, rhs_dilation = dense<2> : tensor<2xi64>, window_strides = dense<2> : tensor<2xi64>}>
// MHLO:         %[[BIAS:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[B]], %{{.*}}) <{broadcast_dimensions = dense<1> : tensor<1xi64>}>
// MHLO:         %[[R:.*]] = mhlo.add %[[SUMS]], %[[BIAS]]
// MHLO:         return %[[R]] : tensor<?x6x3x3xf32>
//
// Groups have a dim of their own in all three tensors. Sums start at the bias.
// LINALG-LABEL: func.func @grouped_dilated_bias
// LINALG-SAME:    (%[[X:.*]]: tensor<?x4x8x8xf32>, %[[W:.*]]: tensor<6x2x3x3xf32>, %[[B:.*]]: tensor<6xf32>)
// LINALG:         %[[PADDED:.*]] = tensor.pad %[[X]] low[0, 0, 1, 1] high[0, 0, 1, 1]
// LINALG:         %[[CHANNELS:.*]] = tensor.expand_shape %[[B]] {{.*}} into tensor<6x1x1xf32>
// LINALG:         %[[BIAS:.*]] = linalg.generic {indexing_maps = [#[[$MAP]], #[[$MAP1]]]{{.*}} ins(%[[CHANNELS]] :
// LINALG:         %[[INPUT:.*]] = tensor.expand_shape %[[PADDED]] {{.*}} into tensor<?x2x2x10x10xf32>
// LINALG:         %[[FILTER:.*]] = tensor.expand_shape %[[W]] {{.*}} into tensor<2x3x2x3x3xf32>
// LINALG:         %[[START:.*]] = tensor.expand_shape %[[BIAS]] {{.*}} into tensor<?x2x3x3x3xf32>
// LINALG:         %[[SUMS:.*]] = linalg.conv_2d_ngchw_gfchw {dilations = dense<2> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%[[INPUT]], %[[FILTER]] : {{.*}}) outs(%[[START]] :
// LINALG:         %[[R:.*]] = tensor.collapse_shape %[[SUMS]] {{.*}} into tensor<?x6x3x3xf32>
// LINALG:         return %[[R]] : tensor<?x6x3x3xf32>
//
// One convolution per group, channels last. The last row and column of padding
// are not read and are left out, since TOSA requires that windows fit.
// TOSA-LABEL: func.func @grouped_dilated_bias
// TOSA-SAME:    (%[[X:.*]]: tensor<?x4x8x8xf32>, %[[W:.*]]: tensor<6x2x3x3xf32>, %[[B:.*]]: tensor<6xf32>)
// TOSA:         %[[NHWC:.*]] = tosa.transpose %[[X]] {perms = array<i32: 0, 2, 3, 1>}
// TOSA:         %[[X0:.*]] = tosa.slice %[[NHWC]], %{{.*}} -> tensor<?x8x8x2xf32>
// TOSA:         %[[W0:.*]] = tosa.slice %[[W]], %{{.*}} -> tensor<3x2x3x3xf32>
// TOSA:         %[[B0:.*]] = tosa.slice %[[B]], %{{.*}} -> tensor<3xf32>
// TOSA:         %[[OHWI0:.*]] = tosa.transpose %[[W0]] {perms = array<i32: 0, 2, 3, 1>}
// TOSA:         %[[R0:.*]] = tosa.conv2d %[[X0]], %[[OHWI0]], %[[B0]], {{.*}} {acc_type = f32, dilation = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>}
// TOSA:         %[[FROM:.*]] = tosa.const_shape {{.*}}dense<[0, 0, 0, 2]>
// TOSA:         %[[X1:.*]] = tosa.slice %[[NHWC]], %[[FROM]],
// TOSA:         %[[FROM_W:.*]] = tosa.const_shape {{.*}}dense<[3, 0, 0, 0]>
// TOSA:         %[[W1:.*]] = tosa.slice %[[W]], %[[FROM_W]],
// TOSA:         %[[B1:.*]] = tosa.slice %[[B]],
// TOSA:         %[[OHWI1:.*]] = tosa.transpose %[[W1]] {perms = array<i32: 0, 2, 3, 1>}
// TOSA:         %[[R1:.*]] = tosa.conv2d %[[X1]], %[[OHWI1]], %[[B1]], {{.*}} pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>
// TOSA:         %[[BOTH:.*]] = tosa.concat %[[R0]], %[[R1]] {axis = 3 : i32}
// TOSA:         %[[R:.*]] = tosa.transpose %[[BOTH]] {perms = array<i32: 0, 3, 1, 2>}
// TOSA:         return %[[R]] : tensor<?x6x3x3xf32>
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

// The input is spread by the stride, and the kernel is reversed. The padding in
// front is dilation * (kernel - 1) - padding; behind, output_padding is added.
// MHLO-LABEL: func.func @transposed
// MHLO-SAME:    (%[[X:.*]]: tensor<1x4x5xf32>, %[[W:.*]]: tensor<4x3x3xf32>)
// MHLO:         %[[REVERSED:.*]] = "mhlo.reverse"(%[[W]]) <{dimensions = dense<2> : tensor<1xi64>}>
// MHLO:         %[[GROUPS:.*]] = mhlo.reshape %[[REVERSED]] : (tensor<4x3x3xf32>) -> tensor<2x2x3x3xf32>
// MHLO:         %[[OUTER:.*]] = "mhlo.transpose"(%[[GROUPS]]) <{permutation = dense<[1, 0, 2, 3]>
// MHLO:         %[[FILTER:.*]] = mhlo.reshape %[[OUTER]] : (tensor<2x2x3x3xf32>) -> tensor<2x6x3xf32>
// MHLO:         %[[R:.*]] = "mhlo.convolution"(%[[X]], %[[FILTER]]) <{batch_group_count = 1 : i64, dimension_numbers = #mhlo.conv<[b, f, 0]x[i, o, 0]->[b, f, 0]>, feature_group_count = 2 : i64, lhs_dilation = dense<2> : tensor<1xi64>, padding = dense<{{\[\[}}1, 2]]> : tensor<1x2xi64>, rhs_dilation = dense<1> : tensor<1xi64>, window_strides = dense<1> : tensor<1xi64>}>
// MHLO:         return %[[R]] : tensor<1x6x10xf32>
//
// LINALG-LABEL: func.func @transposed
// LINALG-SAME:    (%[[X:.*]]: tensor<1x4x5xf32>, %[[W:.*]]: tensor<4x3x3xf32>)
// LINALG:         %[[FLIPPED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<6x2x3xf32>)
// LINALG:           tensor.extract %[[W]]
// LINALG:         %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<1x4x12xf32>
// LINALG:         %[[PADDED:.*]] = tensor.insert_slice %[[X]] into %[[ZEROS]][0, 0, 1] [1, 4, 5] [1, 1, 2]
// LINALG:         %[[INPUT:.*]] = tensor.expand_shape %[[PADDED]] {{.*}} into tensor<1x2x2x12xf32>
// LINALG:         %[[FILTER:.*]] = tensor.expand_shape %[[FLIPPED]] {{.*}} into tensor<2x3x2x3xf32>
// LINALG:         %[[SUMS:.*]] = linalg.generic {indexing_maps = [#[[$MAP2]], #[[$MAP3]], #[[$MAP4]]]{{.*}} ins(%[[INPUT]], %[[FILTER]] :
// LINALG:         %[[R:.*]] = tensor.collapse_shape %[[SUMS]] {{.*}} into tensor<1x6x10xf32>
// LINALG:         return %[[R]] : tensor<1x6x10xf32>
//
// One per group, with a height of 1. For the padding, the result loses one column
// in front; behind, padding and output_padding cancel.
// TOSA-LABEL: func.func @transposed
// TOSA-SAME:    (%[[X:.*]]: tensor<1x4x5xf32>, %[[W:.*]]: tensor<4x3x3xf32>)
// TOSA:         %[[PLANES:.*]] = tosa.reshape %[[X]], %{{.*}} -> tensor<1x4x1x5xf32>
// TOSA:         %[[KERNELS:.*]] = tosa.reshape %[[W]], %{{.*}} -> tensor<4x3x1x3xf32>
// TOSA:         %[[NHWC:.*]] = tosa.transpose %[[PLANES]] {perms = array<i32: 0, 2, 3, 1>}
// TOSA:         %[[X0:.*]] = tosa.slice %[[NHWC]], %{{.*}} -> tensor<1x1x5x2xf32>
// TOSA:         %[[W0:.*]] = tosa.slice %[[KERNELS]], %{{.*}} -> tensor<2x3x1x3xf32>
// TOSA:         %[[OHWI0:.*]] = tosa.transpose %[[W0]] {perms = array<i32: 1, 2, 3, 0>}
// TOSA:         %[[R0:.*]] = tosa.transpose_conv2d %[[X0]], %[[OHWI0]], {{.*}} out_pad = array<i64: 0, 0, -1, 0>, stride = array<i64: 1, 2>
// TOSA:         %[[FROM:.*]] = tosa.const_shape {{.*}}dense<[0, 0, 0, 2]>
// TOSA:         %[[X1:.*]] = tosa.slice %[[NHWC]], %[[FROM]],
// TOSA:         %[[FROM_W:.*]] = tosa.const_shape {{.*}}dense<[2, 0, 0, 0]>
// TOSA:         %[[W1:.*]] = tosa.slice %[[KERNELS]], %[[FROM_W]],
// TOSA:         %[[OHWI1:.*]] = tosa.transpose %[[W1]] {perms = array<i32: 1, 2, 3, 0>}
// TOSA:         %[[R1:.*]] = tosa.transpose_conv2d %[[X1]], %[[OHWI1]], {{.*}} out_pad = array<i64: 0, 0, -1, 0>, stride = array<i64: 1, 2>
// TOSA:         %[[BOTH:.*]] = tosa.concat %[[R0]], %[[R1]] {axis = 3 : i32}
// TOSA:         %[[NCHW:.*]] = tosa.transpose %[[BOTH]] {perms = array<i32: 0, 3, 1, 2>}
// TOSA:         %[[R:.*]] = tosa.reshape %[[NCHW]],
// TOSA:         return %[[R]] : tensor<1x6x10xf32>
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
