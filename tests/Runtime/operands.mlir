// REQUIRES: jit
// RUN: isthmus-run %s --print-stage=tiles | FileCheck %s

// How a product reads a matrix that is an argument.

// A task for all rows lays out its columns.
// CHECK-LABEL: func.func @main
// CHECK:         scf.forall (%[[COLUMN:.*]]) =
// CHECK:           %[[OWN:.*]] = tensor.extract_slice %arg1[%[[COLUMN]], 0] [{{[0-9]+}}, 128]
// CHECK:           %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[OWN]]
// CHECK:           linalg.generic {{.*}} ins(%arg0, %[[COPY]]
// CHECK-NOT:     = scf.forall
func.func @main(%x: tensor<64x128xf32>, %w: tensor<512x128xf32>) -> tensor<64x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x512xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>,
                                        affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x128xf32>, tensor<512x128xf32>) outs(%f : tensor<64x512xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
  } -> tensor<64x512xf32>
  return %r : tensor<64x512xf32>
}

// For many rows the matrix is laid out before, in panels.
// CHECK-LABEL: func.func @many
// CHECK:         %[[SPLIT:.*]] = tensor.expand_shape %arg1 {{\[\[}}0, 1], [2]]
// CHECK:         %[[PANELS:.*]] = scf.forall
// CHECK:           tensor.extract_slice %[[SPLIT]]
// CHECK:         scf.forall
// CHECK:           tensor.extract_slice %[[PANELS]]
func.func @many(%x: tensor<1024x128xf32>, %w: tensor<512x128xf32>) -> tensor<1024x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x512xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>,
                                        affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1024x128xf32>, tensor<512x128xf32>) outs(%f : tensor<1024x512xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
  } -> tensor<1024x512xf32>
  return %r : tensor<1024x512xf32>
}

// Two rows are dot products with what lies in memory.
// CHECK-LABEL: func.func @two
// CHECK:         scf.forall (%[[COLUMN:.*]]) =
// CHECK-NEXT:      %[[OWN:.*]] = tensor.extract_slice %arg1[%[[COLUMN]], 0]
// CHECK:           linalg.generic {{.*}} ins(%arg0, %[[OWN]]
// CHECK-NOT:     = scf.forall
func.func @two(%x: tensor<2x128xf32>, %w: tensor<512x128xf32>) -> tensor<2x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x512xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x512xf32>) -> tensor<2x512xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>,
                                        affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x128xf32>, tensor<512x128xf32>) outs(%f : tensor<2x512xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
  } -> tensor<2x512xf32>
  return %r : tensor<2x512xf32>
}

// The rows of the left operand become adjacent.
// CHECK-LABEL: func.func @left
// CHECK:         %[[ROWS:.*]] = scf.forall
// CHECK:           tensor.extract_slice %arg0
// CHECK:         %[[PANELS:.*]] = scf.forall
// CHECK:           tensor.extract_slice
// CHECK:         scf.forall
// CHECK:           tensor.extract_slice %[[ROWS]]
// CHECK:           tensor.extract_slice %[[PANELS]]
func.func @left(%x: tensor<128x1024xf32>, %w: tensor<128x512xf32>) -> tensor<1024x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x512xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>,
                                        affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<128x1024xf32>, tensor<128x512xf32>) outs(%f : tensor<1024x512xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
  } -> tensor<1024x512xf32>
  return %r : tensor<1024x512xf32>
}

// What fits into the cache stays where it is.
// CHECK-LABEL: func.func @small
// CHECK:         = scf.forall
// CHECK:           tensor.extract_slice %arg1
// CHECK-NOT:     = scf.forall
func.func @small(%x: tensor<1024x64xf32>, %w: tensor<64x64xf32>) -> tensor<1024x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1024x64xf32>) -> tensor<1024x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
                                        affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1024x64xf32>, tensor<64x64xf32>) outs(%f : tensor<1024x64xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
  } -> tensor<1024x64xf32>
  return %r : tensor<1024x64xf32>
}
