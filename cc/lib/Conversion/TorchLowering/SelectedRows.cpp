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

/// The loop whose iterations, from 0, an int counts.
static PrimLoopOp loopCountedBy(Value number) {
  auto argument = dyn_cast<BlockArgument>(number);
  return argument && argument.getArgNumber() == 0
             ? dyn_cast<PrimLoopOp>(argument.getOwner()->getParentOp())
             : nullptr;
}

/// Whether an int is (n - 1) - i, with i from 0 to n - 1.
static bool countsDown(Value number) {
  auto place = number.getDefiningOp<AtenSubIntOp>();
  auto last = place ? place.getA().getDefiningOp<AtenSubIntOp>() : nullptr;
  PrimLoopOp loop = place ? loopCountedBy(place.getB()) : nullptr;
  return last && loop && last.getA() == loop.getMaxTripCount() &&
         matchInt(last.getB()) == 1;
}

/// Whether an int is p + int(p < 0) * size, as aten.select is decomposed.
static bool isPlaceOfSelect(Value number) {
  auto sum = number.getDefiningOp<AtenAddIntOp>();
  auto added = sum ? sum.getB().getDefiningOp<AtenMulIntOp>() : nullptr;
  auto isNegative =
      added ? added.getA().getDefiningOp<AtenIntBoolOp>() : nullptr;
  auto less =
      isNegative ? isNegative.getA().getDefiningOp<AtenLtIntOp>() : nullptr;
  return less && less.getA() == sum.getA() && matchInt(less.getB()) == 0;
}

/// Whether an int counts from the start of a dim, as the places of an
/// index_select do. A slice's may count from the end.
static bool isFromStart(Value place) {
  return loopCountedBy(place) || countsDown(place) || isPlaceOfSelect(place);
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

/// Whether an op can only take a slice that has one element along `dim`: it
/// removes the dim, or its result has as many elements as such a slice.
static bool takesOneRow(Operation *op, AtenSliceTensorOp slice, int64_t dim) {
  ValueTensorType type = tensorType(slice);
  if (auto squeeze = dyn_cast<PrimsSqueezeOp>(op)) {
    auto dims = matchInts(squeeze.getDimensions());
    return dims && llvm::any_of(*dims, [&](int64_t other) {
             return normalDim(other, type.getRank()) == dim;
           });
  }
  auto view = dyn_cast<AtenViewOp>(op);
  if (!view || !tensorType(view).hasStaticShape())
    return false;
  SmallVector<int64_t> sizes(type.getSizes());
  sizes[dim] = 1;
  return llvm::none_of(sizes, ShapedType::isDynamic) &&
         ShapedType::getNumElements(sizes) ==
             ShapedType::getNumElements(tensorType(view).getSizes()) &&
         ShapedType::getNumElements(sizes) > 0;
}

void isthmus::selectRowsByIndex(Operation *root) {
  root->walk([](Operation *op) {
    auto slice = isa<PrimsSqueezeOp, AtenViewOp>(op)
                     ? op->getOperand(0).getDefiningOp<AtenSliceTensorOp>()
                     : nullptr;
    int64_t dim = 0;
    if (!slice || !isOfOneRow(slice, dim) || !takesOneRow(op, slice, dim))
      return;
    OpBuilder builder(op);
    TorchBuilder b(builder, slice.getLoc());
    Value index = b.create<PrimNumToTensorScalarOp>(slice.getStart());
    op->setOperand(0, b.create<AtenIndexSelectOp>(slice.getSelf(),
                                                  b.constant(dim), index));
    if (slice.use_empty())
      slice.erase();
  });
}
