// REQUIRES: jit
// RUN: isthmus-run %s --print-stage=layout | FileCheck %s

// Between two convolutions the channels stay last: the transposes move through
// the addition and the pad and cancel.

// CHECK-LABEL: func.func @main
// CHECK:         linalg.transpose {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[FIRST:.*]] = linalg.conv_2d_nhwc_hwcf
// CHECK-NOT:     linalg.transpose ins(%[[FIRST]]
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[FIRST]]
// CHECK:         tensor.pad %[[SUM]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK:         %[[SECOND:.*]] = linalg.conv_2d_nhwc_hwcf
// CHECK:         %[[LAST:.*]] = linalg.transpose ins(%[[SECOND]] {{.*}} permutation = [0, 3, 1, 2]
// CHECK:         return %[[LAST]]
func.func @main(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x1x1xf32>, %v: tensor<6x4x3x3xf32>, %b: tensor<4xf32>)
    -> tensor<1x6x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x4x8x8xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>)
      outs(%f0 : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>,
                                        affine_map<(n, c, h, w) -> (n, c, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0, %b : tensor<1x4x8x8xf32>, tensor<4xf32>) outs(%e0 : tensor<1x4x8x8xf32>) {
    ^bb0(%a: f32, %c: f32, %o: f32):
      %s = arith.addf %a, %c : f32
      linalg.yield %s : f32
  } -> tensor<1x4x8x8xf32>
  %2 = tensor.pad %1 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x4x8x8xf32> to tensor<1x4x10x10xf32>
  %e1 = tensor.empty() : tensor<1x6x8x8xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %3 = linalg.conv_2d_nchw_fchw ins(%2, %v : tensor<1x4x10x10xf32>, tensor<6x4x3x3xf32>)
      outs(%f1 : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  return %3 : tensor<1x6x8x8xf32>
}
