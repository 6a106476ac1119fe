// REQUIRES: jit
// RUN: isthmus-run %s --print-stage=layout | FileCheck %s --check-prefix=LAYOUT
// RUN: isthmus-run %s --print-stage=tiles | FileCheck %s --check-prefix=TILES

// With a batch of any size, transposes cancel as they do for a known batch, and
// an op that was fused into a loop is not computed again to get its size.

// LAYOUT-LABEL: func.func @main
// LAYOUT:         %[[FIRST:.*]] = linalg.conv_2d_nhwc_hwcf
// LAYOUT:         tensor.pad %[[FIRST]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// LAYOUT:         linalg.conv_2d_nhwc_hwcf

// TILES-LABEL: func.func @main
// TILES-SAME:    (%[[X:[a-z0-9]+]]: tensor<?x4x32x32xf32>
// TILES:         tensor.dim %[[X]]
// TILES-COUNT-2: "reduction"]
// TILES-NOT:     "reduction"]
// TILES:         return
func.func @main(%x: tensor<?x4x32x32xf32>, %w: tensor<64x4x1x1xf32>, %v: tensor<64x64x3x3xf32>) -> tensor<?x64x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4x32x32xf32>
  %e = tensor.empty(%n) : tensor<?x64x32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64x32x32xf32>) -> tensor<?x64x32x32xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<?x4x32x32xf32>, tensor<64x4x1x1xf32>)
      outs(%f : tensor<?x64x32x32xf32>) -> tensor<?x64x32x32xf32>
  %1 = tensor.pad %0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<?x64x32x32xf32> to tensor<?x64x34x34xf32>
  %2 = linalg.conv_2d_nchw_fchw ins(%1, %v : tensor<?x64x34x34xf32>, tensor<64x64x3x3xf32>)
      outs(%f : tensor<?x64x32x32xf32>) -> tensor<?x64x32x32xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%2 : tensor<?x64x32x32xf32>) outs(%e : tensor<?x64x32x32xf32>) {
    ^bb0(%a: f32, %o: f32):
      %m = arith.maximumf %a, %zero : f32
      linalg.yield %m : f32
  } -> tensor<?x64x32x32xf32>
  return %3 : tensor<?x64x32x32xf32>
}
