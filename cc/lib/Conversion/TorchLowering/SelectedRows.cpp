//===- SelectedRows.cpp - select at a place known at run time -------------===//

#include "SelectedRows.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/TorchBuilder.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

/// Whether an int counts from the start of a dim: p + int(p < 0) * size, as
/// aten.select is decomposed. An index_select takes no other places.
static bool isFromStart(Value place) {
  auto sum = place.getDefiningOp<AtenAddIntOp>();
  auto added = sum ? sum.getB().getDefiningOp<AtenMulIntOp>() : nullptr;
  auto isNegative =
      added ? added.getA().getDefiningOp<AtenIntBoolOp>() : nullptr;
  auto less =
      isNegative ? isNegative.getA().getDefiningOp<AtenLtIntOp>() : nullptr;
  return less && less.getA() == sum.getA() && matchInt(less.getB()) == 0;
}

/// Whether a slice is [i, i + 1) along `dim`, with an i that is not known.
static bool isOfOneRow(AtenSliceTensorOp slice, int64_t &dim) {
  auto at = matchInt(slice.getDim());
  auto end = slice.getEnd().getDefiningOp<AtenAddIntOp>();
  ValueTensorType type = tensorType(slice.getSelf());
  if (!at || !end || !type.hasRank() || end.getA() != slice.getStart() ||
      matchInt(end.getB()) != 1 || matchInt(slice.getStep()) != 1 ||
      !isFromStart(slice.getStart()))
    return false;
  dim = normalDim(*at, type.getRank());
  return true;
}

void isthmus::selectRowsByIndex(Operation *root) {
  root->walk([](PrimsSqueezeOp squeeze) {
    auto slice = squeeze.getA().getDefiningOp<AtenSliceTensorOp>();
    auto dims = matchInts(squeeze.getDimensions());
    int64_t dim = 0;
    if (!slice || !dims || !isOfOneRow(slice, dim))
      return;
    int64_t rank = tensorType(slice.getSelf()).getRank();
    if (llvm::none_of(*dims, [&](int64_t other) {
          return normalDim(other, rank) == dim;
        }))
      return;
    OpBuilder builder(squeeze);
    TorchBuilder b(builder, slice.getLoc());
    Value index = b.create<PrimNumToTensorScalarOp>(slice.getStart());
    squeeze.getAMutable().assign(
        b.create<AtenIndexSelectOp>(slice.getSelf(), b.constant(dim), index));
    if (slice.use_empty())
      slice.erase();
  });
}
