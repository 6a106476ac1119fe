// RUN: %if mhlo %{ isthmus-opt %s --convert-torch-to-mhlo --cse | FileCheck %s --check-prefix=MHLO %}
// RUN: %if linalg %{ isthmus-opt %s --convert-torch-to-linalg --canonicalize --cse | FileCheck %s --check-prefix=LINALG %}
// RUN: %if tosa %{ isthmus-opt %s --convert-torch-to-tosa --cse | FileCheck %s --check-prefix=TOSA %}

// The sum over each window, divided by the number of input elements in it. That
// number is the sum of ones over the window.
// MHLO-LABEL: func.func @without_padding
// MHLO-SAME:    (%[[X:.*]]: tensor<?x3x8x8xf32>)
// MHLO:         %[[ZERO:.*]] = mhlo.constant dense<0.000000e+00> : tensor<f32>
// MHLO:         %[[SUMS:.*]] = "mhlo.reduce_window"(%[[X]], %[[ZERO]]) <{padding = dense<{{\[\[}}0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>, {{.*}}window_dimensions = dense<[1, 1, 3, 3]> : tensor<4xi64>, window_strides = dense<[1, 1, 2, 2]>
// MHLO:           mhlo.add
// MHLO:         %[[ONES:.*]] = mhlo.constant dense<1.000000e+00> : tensor<1x1x8x8xf32>
// MHLO:         %[[COUNTS:.*]] = "mhlo.reduce_window"(%[[ONES]], %[[ZERO]]) <{padding = dense<{{\[\[}}0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>, {{.*}}window_dimensions = dense<[1, 1, 3, 3]> : tensor<4xi64>, window_strides = dense<[1, 1, 2, 2]>
// MHLO:           mhlo.add
// MHLO:         %[[DIVISORS:.*]] = "mhlo.dynamic_broadcast_in_dim"(%[[COUNTS]],
// MHLO:         %[[R:.*]] = mhlo.divide %[[SUMS]], %[[DIVISORS]]
// MHLO:         return %[[R]] : tensor<?x3x4x4xf32>
//
// The sum over each window, divided by (rows inside) * (columns inside). Each is
// min(start + 3, 8) - max(start, 0), with start = 2 * i - 1.
// LINALG-LABEL: func.func @without_padding
// LINALG-SAME:    (%[[X:.*]]: tensor<?x3x8x8xf32>)
// LINALG:         %[[PADDED:.*]] = tensor.pad %[[X]] low[0, 0, 1, 1] high[0, 0, 1, 1]
// LINALG:         %[[SUMS:.*]] = linalg.pooling_nchw_sum {{.*}}strides = dense<2> : vector<2xi64>} ins(%[[PADDED]], %{{.*}} : tensor<?x3x10x10xf32>, tensor<3x3xf32>)
// LINALG:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] :
// LINALG-NEXT:    ^bb0(%[[SUM:.*]]: f32, %{{.*}}: f32):
// LINALG:           %[[I:.*]] = linalg.index 2
// LINALG:           %[[TOP:.*]] = arith.maxsi
// LINALG:           %[[BOTTOM:.*]] = arith.minsi
// LINALG:           %[[ROWS:.*]] = arith.subi %[[BOTTOM]], %[[TOP]]
// LINALG:           %[[J:.*]] = linalg.index 3
// LINALG:           %[[LEFT:.*]] = arith.maxsi
// LINALG:           %[[RIGHT:.*]] = arith.minsi
// LINALG:           %[[COLUMNS:.*]] = arith.subi %[[RIGHT]], %[[LEFT]]
// LINALG:           %[[AREA:.*]] = arith.muli %[[ROWS]], %[[COLUMNS]]
// LINALG:           %[[INTEGER:.*]] = arith.index_cast %[[AREA]]
// LINALG:           %[[COUNT:.*]] = arith.sitofp %[[INTEGER]]
// LINALG:           arith.divf %[[SUM]], %[[COUNT]]
// LINALG:         return %[[R]] : tensor<?x3x4x4xf32>
//
// tosa.avg_pool2d does not count padding either. The last row and column of the
// padding are not read and are left out, since TOSA requires that windows fit.
// TOSA-LABEL: func.func @without_padding
// TOSA-SAME:    (%[[X:.*]]: tensor<?x3x8x8xf32>)
// TOSA:         %[[NHWC:.*]] = tosa.transpose %[[X]] {perms = array<i32: 0, 2, 3, 1>}
// TOSA:         %[[MEANS:.*]] = tosa.avg_pool2d %[[NHWC]], {{.*}} {acc_type = f32, kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>}
// TOSA:         %[[R:.*]] = tosa.transpose %[[MEANS]] {perms = array<i32: 0, 3, 1, 2>}
// TOSA:         return %[[R]] : tensor<?x3x4x4xf32>
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
// MHLO-SAME:    (%[[X:.*]]: tensor<1x3x8x8xf32>)
// MHLO:         %[[SUMS:.*]] = "mhlo.reduce_window"(%[[X]], %{{.*}}) <{padding = dense<0> : tensor<4x2xi64>, {{.*}}window_dimensions = dense<[1, 1, 2, 2]> : tensor<4xi64>, window_strides = dense<[1, 1, 2, 2]>
// MHLO:           mhlo.add
// MHLO:         %[[DIVISOR:.*]] = mhlo.constant dense<3.000000e+00>
// MHLO:         %[[R:.*]] = mhlo.divide %[[SUMS]], %[[DIVISOR]]
// MHLO:         return %[[R]] : tensor<1x3x4x4xf32>
//
// LINALG-LABEL: func.func @divisor_override
// LINALG-SAME:    (%[[X:.*]]: tensor<1x3x8x8xf32>)
// LINALG-DAG:     %[[DIVISOR:.*]] = arith.constant 3.000000e+00 : f32
// LINALG:         %[[SUMS:.*]] = linalg.pooling_nchw_sum {{.*}}strides = dense<2> : vector<2xi64>} ins(%[[X]], %{{.*}} : tensor<1x3x8x8xf32>, tensor<2x2xf32>)
// LINALG:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] :
// LINALG-NEXT:    ^bb0(%[[SUM:.*]]: f32, %{{.*}}: f32):
// LINALG:           arith.divf %[[SUM]], %[[DIVISOR]]
// LINALG:         return %[[R]] : tensor<1x3x4x4xf32>
//
// The mean of 4 elements, multiplied by 4 / 3, is their sum / 3.
// TOSA-LABEL: func.func @divisor_override
// TOSA-SAME:    (%[[X:.*]]: tensor<1x3x8x8xf32>)
// TOSA:         %[[NHWC:.*]] = tosa.transpose %[[X]] {perms = array<i32: 0, 2, 3, 1>}
// TOSA:         %[[MEANS:.*]] = tosa.avg_pool2d %[[NHWC]], {{.*}} {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
// TOSA:         %[[RATIO:.*]] = "tosa.const"() <{values = dense<1.33333337>
// TOSA:         %[[SCALED:.*]] = tosa.mul %[[MEANS]], %[[RATIO]],
// TOSA:         %[[R:.*]] = tosa.transpose %[[SCALED]] {perms = array<i32: 0, 3, 1, 2>}
// TOSA:         return %[[R]] : tensor<1x3x4x4xf32>
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
