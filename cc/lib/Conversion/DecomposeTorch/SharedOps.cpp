//===- SharedOps.cpp - Core ops in torch-mlir's vocabulary ----------------===//
//
// torch-mlir's dialect has most core ops, with the same names and operands. Ops
// with another form there are rewritten to that form.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Conversion/Passes.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/SortingComposites.h"
#include "isthmus/Dialect/Torch/SortingOps.h"
#include "isthmus/Dialect/Torch/TorchBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

namespace isthmus {
#define GEN_PASS_DEF_USESHAREDTORCHOPS
#include "isthmus/Conversion/Passes.h.inc"
} // namespace isthmus

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

/// A sort may always be a stable one.
static ValueRange sortStable(AtenSortStableOp op, TorchBuilder &b) {
  return b.create<AtenSortOp>(op.getSelf(), op.getDim(), op.getDescending())
      ->getResults();
}

/// A Scalar cannot be a bool in that dialect: uses an int, and the dtype makes
/// it a bool.
static ValueRange fullOfBool(AtenFullOp op, TorchBuilder &b) {
  if (!isBool(op.getFillValue().getType()))
    return {};
  return b
      .create<AtenFullOp>(op.getSize(),
                          b.fold<AtenIntBoolOp>(op.getFillValue()),
                          b.dtype(tensorType(op).getDtype()), op.getLayout(),
                          op.getDevice(), op.getPinMemory())
      ->getResults();
}

static ValueRange tensorOfBool(PrimNumToTensorScalarOp op, TorchBuilder &b) {
  if (!isBool(op.getA().getType()))
    return {};
  Value number =
      b.create<PrimNumToTensorScalarOp>(b.fold<AtenIntBoolOp>(op.getA()));
  return b.convert(number, tensorType(op).getDtype())
      .getDefiningOp()
      ->getResults();
}

namespace {
struct UseSharedTorchOps
    : isthmus::impl::UseSharedTorchOpsBase<UseSharedTorchOps> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      OpBuilder builder(op);
      TorchBuilder b(builder, op->getLoc());
      ValueRange shared =
          llvm::TypeSwitch<Operation *, ValueRange>(op)
              .Case([&](AtenFullOp full) { return fullOfBool(full, b); })
              .Case([&](AtenSortStableOp sort) { return sortStable(sort, b); })
              .Case([&](PrimNumToTensorScalarOp number) {
                return tensorOfBool(number, b);
              })
              .Default([](Operation *) { return ValueRange(); });
      if (shared.empty())
        return;
      for (auto [value, result] : llvm::zip_equal(shared, op->getResults()))
        value.setType(result.getType());
      op->replaceAllUsesWith(shared);
      op->erase();
    });
  }
};
} // namespace
