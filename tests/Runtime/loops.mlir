// REQUIRES: jit
// RUN: isthmus-run %s --print-stage=tiles | FileCheck %s --check-prefix=TILES
// RUN: isthmus-run %s --print-stage=loops | FileCheck %s --check-prefix=LOOPS

// A product and the ops after it become one loop over tiles. Equal layers share
// one function, which is called with the buffers of each layer.

// TILES-LABEL: func.func @main
// TILES:         scf.forall (
// TILES:           linalg.fill
// TILES:           linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// TILES:           linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// TILES:         scf.forall (
// TILES-NOT:     scf.forall (

// LOOPS-LABEL: func.func @main
// LOOPS:         call @[[LOOP:[a-z.]+]](
// LOOPS:         call @[[LOOP]](
// LOOPS:       func.func private @[[LOOP]]
// LOOPS-NOT:     memref.copy
// LOOPS-NOT:   func.func private
#row = affine_map<(i, j) -> (i, j)>
func.func private @layer(%x: tensor<64x256xf32>, %w: tensor<256x256xf32>) -> tensor<64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x256xf32>, tensor<256x256xf32>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  %r = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.maximumf %a, %zero : f32
      linalg.yield %s : f32
  } -> tensor<64x256xf32>
  return %r : tensor<64x256xf32>
}

func.func @main(%x: tensor<64x256xf32>, %w: tensor<256x256xf32>, %v: tensor<256x256xf32>) -> tensor<64x256xf32> {
  %0 = call @layer(%x, %w) : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %1 = call @layer(%0, %v) : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  return %1 : tensor<64x256xf32>
}
