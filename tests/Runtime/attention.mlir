// REQUIRES: jit
// RUN: isthmus-run %s --print-stage=tiles | FileCheck %s

// The products of an attention have one dim for the batch and the heads, and
// its softmax has two. All of it is one loop: the scores of some queries stay in
// the cache.

// CHECK-LABEL: func.func @main
// CHECK:         = scf.forall ({{.*}}) = (0, 0, 0) to (2, 4, 1024) step (1, 1, 64)
// CHECK:           linalg.generic {{.*}} outs({{.*}} : tensor<1x1x64x1024xf32>)
// CHECK:             arith.mulf
// CHECK:             arith.maxnumf
// CHECK:             math.exp
// CHECK:             arith.divf
// CHECK:             arith.mulf
// CHECK:           tensor.parallel_insert_slice {{.*}} : tensor<1x1x64x16xf32> into tensor<2x4x1024x16xf32>
// CHECK-NOT:     scf.forall (
// CHECK:         return
func.func @main(%query: tensor<2x4x1024x16xf32>, %key: tensor<2x4x16x1024xf32>, %value: tensor<2x4x1024x16xf32>)
    -> tensor<2x4x1024x16xf32> {
  %zero = arith.constant 0.0 : f32
  %q = tensor.collapse_shape %query [[0, 1], [2], [3]] : tensor<2x4x1024x16xf32> into tensor<8x1024x16xf32>
  %k = tensor.collapse_shape %key [[0, 1], [2], [3]] : tensor<2x4x16x1024xf32> into tensor<8x16x1024xf32>
  %v = tensor.collapse_shape %value [[0, 1], [2], [3]] : tensor<2x4x1024x16xf32> into tensor<8x1024x16xf32>
  %e0 = tensor.empty() : tensor<8x1024x1024xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8x1024x1024xf32>) -> tensor<8x1024x1024xf32>
  %products = linalg.batch_matmul ins(%q, %k : tensor<8x1024x16xf32>, tensor<8x16x1024xf32>)
      outs(%f0 : tensor<8x1024x1024xf32>) -> tensor<8x1024x1024xf32>
  %scores = tensor.expand_shape %products [[0, 1], [2], [3]] output_shape [2, 4, 1024, 1024]
      : tensor<8x1024x1024xf32> into tensor<2x4x1024x1024xf32>
  %e1 = tensor.empty() : tensor<2x4x1024x1024xf32>
  %weights = linalg.softmax dimension(3) ins(%scores : tensor<2x4x1024x1024xf32>)
      outs(%e1 : tensor<2x4x1024x1024xf32>) -> tensor<2x4x1024x1024xf32>
  %w = tensor.collapse_shape %weights [[0, 1], [2], [3]] : tensor<2x4x1024x1024xf32> into tensor<8x1024x1024xf32>
  %e2 = tensor.empty() : tensor<8x1024x16xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<8x1024x16xf32>) -> tensor<8x1024x16xf32>
  %sums = linalg.batch_matmul ins(%w, %v : tensor<8x1024x1024xf32>, tensor<8x1024x16xf32>)
      outs(%f2 : tensor<8x1024x16xf32>) -> tensor<8x1024x16xf32>
  %r = tensor.expand_shape %sums [[0, 1], [2], [3]] output_shape [2, 4, 1024, 16]
      : tensor<8x1024x16xf32> into tensor<2x4x1024x16xf32>
  return %r : tensor<2x4x1024x16xf32>
}
