//===- Resampling.cpp - Type rules of resampling --------------------------===//
//
// One function per rule that a registry line names. Sizes are ints; a size
// known only at run time is ShapedType::kDynamic.
//
//===----------------------------------------------------------------------===//

#include "../WholeNumber.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/TypeInference.h"
#include <cmath>

using namespace mlir;

namespace isthmus::torch::rules {

/// The dims after the channels take the sizes in operand 1. If operand 1 is
/// none, they are scaled: floor(size * factor).
static LogicalResult resized(TypeInference &op, unsigned factorsIndex) {
  ValueTensorType type = op.tensor(0);
  if (!type.hasRank() || type.getRank() < 3)
    return op.giveUnranked(type.getDtype());
  SmallVector<int64_t> sizes(type.getSizes().take_front(2));
  size_t spatial = type.getRank() - 2;
  if (!op.isNone(1)) {
    auto asked = op.integers(1);
    if (!asked)
      return op.giveUnranked(type.getDtype());
    if (asked->size() != spatial)
      return op.fail("expected " + Twine(spatial) + " sizes, got " +
                     shapeText(*asked));
    llvm::append_range(sizes, *asked);
    return op.give(sizes, type.getDtype());
  }
  auto factors = op.elements(factorsIndex);
  if (!factors)
    return op.giveUnranked(type.getDtype());
  if (factors->size() != spatial)
    return op.fail("expected " + Twine(spatial) + " scale factors, got " +
                   Twine(factors->size()));
  for (auto [size, value] :
       llvm::zip_equal(type.getSizes().drop_front(2), *factors)) {
    std::optional<double> factor = matchNumber(value);
    std::optional<int64_t> scaled;
    if (factor && !ShapedType::isDynamic(size))
      scaled = wholeNumber(std::floor(static_cast<double>(size) * *factor));
    sizes.push_back(scaled.value_or(ShapedType::kDynamic));
  }
  return op.give(sizes, type.getDtype());
}

/// aten.upsample_nearest2d.vec(input, output_size?, scale_factors?)
LogicalResult upsample(TypeInference &op) { return resized(op, 2); }

/// aten.upsample_bilinear2d.vec(input, output_size?, align_corners,
/// scale_factors?), aten._upsample_bilinear2d_aa(input, output_size,
/// align_corners, scales_h?, scales_w?)
LogicalResult upsample_aligned(TypeInference &op) { return resized(op, 3); }

/// aten.grid_sampler_2d(input [N,C,H,W], grid [N,h,w,2], ...): [N,C,h,w].
LogicalResult grid_sampler(TypeInference &op) {
  ValueTensorType type = op.tensor(0), grid = op.tensor(1);
  if (!type.hasRank() || !grid.hasRank() || type.getRank() < 2 ||
      grid.getRank() != type.getRank())
    return op.giveUnranked(type.getDtype());
  SmallVector<int64_t> sizes(type.getSizes().take_front(2));
  llvm::append_range(sizes, grid.getSizes().drop_front().drop_back());
  return op.give(sizes, type.getDtype());
}

/// aten.affine_grid_generator(theta [N,2,3], size [N,C,H,W], align_corners):
/// [N,H,W,2]; in three dims [N,D,H,W,3].
LogicalResult affine_grid(TypeInference &op) {
  ValueTensorType theta = op.tensor(0);
  auto sizes = op.integers(1);
  if (!sizes)
    return op.giveUnranked(theta.getDtype());
  if (sizes->size() != 4 && sizes->size() != 5)
    return op.fail("expected 4 or 5 sizes, got " + shapeText(*sizes));
  SmallVector<int64_t> grid(*sizes);
  grid.erase(grid.begin() + 1);
  grid.push_back(static_cast<int64_t>(sizes->size()) - 2);
  return op.give(grid, theta.getDtype());
}

} // namespace isthmus::torch::rules
