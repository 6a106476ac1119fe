//===- UnitDims.cpp - Slices that drop some of their dims of size 1 -------===//
//
// A slice of sizes [1, 8, 1] may have the type [1, 8]. The op on tensors finds
// which dim was dropped by the sizes, but memref.subview by the strides: if
// these are known only at run time, it takes the first dim of size 1, and so
// mixes up the sizes of the others. A slice of all dims, and a reshape that
// says which dims go, are the same for both.
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace isthmus;

/// Returns the dims that each dim of the slice's type stands for.
template <typename Slice>
static SmallVector<ReassociationIndices> groupDims(Slice op) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices leading;
  for (unsigned dim = 0; dim < dropped.size(); ++dim) {
    if (!dropped[dim])
      groups.push_back(std::exchange(leading, {}));
    (groups.empty() ? leading : groups.back()).push_back(dim);
  }
  return groups;
}

template <typename Slice>
static bool keepsSomeUnitDims(Slice op) {
  unsigned dropped = op.getDroppedDims().count();
  return dropped && llvm::count(op.getStaticSizes(), 1) > dropped;
}

template <typename Slice>
static RankedTensorType typeOfAllDims(Slice op, RankedTensorType reduced) {
  return RankedTensorType::get(op.getStaticSizes(), reduced.getElementType());
}

static void reshapeResult(tensor::ExtractSliceOp op) {
  OpBuilder b(op);
  Value slice = tensor::ExtractSliceOp::create(
      b, op.getLoc(), typeOfAllDims(op, op.getType()), op.getSource(),
      op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides());
  op.replaceAllUsesWith(tensor::CollapseShapeOp::create(
                            b, op.getLoc(), op.getType(), slice, groupDims(op))
                            .getResult());
  op.erase();
}

/// `before` is where the reshape may stand.
template <typename Slice>
static void reshapeSource(Slice op, Operation *before) {
  OpBuilder b(before);
  op.getSourceMutable().assign(tensor::ExpandShapeOp::create(
      b, op.getLoc(), typeOfAllDims(op, op.getSourceType()), op.getSource(),
      groupDims(op), op.getMixedSizes()));
}

void isthmus::keepUnitDims(ModuleOp module) {
  module.walk([](Operation *op) {
    if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op)) {
      if (keepsSomeUnitDims(extract))
        reshapeResult(extract);
    } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      if (keepsSomeUnitDims(insert))
        reshapeSource(insert, insert);
    } else if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op)) {
      if (keepsSomeUnitDims(insert))
        reshapeSource(insert, insert->getParentOp());
    }
  });
}
