//===- QuantizedToTosa.cpp - Quantized layers on integers -----------------===//

#include "Arithmetic.h"
#include "isthmus/Conversion/Passes.h"
#include "isthmus/Dialect/Torch/OpNames.h"
#include "isthmus/Dialect/Torch/TorchConversion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace isthmus {
#define GEN_PASS_DEF_QUANTIZEDTORCHTOTOSA
#include "isthmus/Conversion/Passes.h.inc"
} // namespace isthmus

using namespace mlir;
using namespace isthmus;
using namespace isthmus::quantized_to_tosa;

namespace {

void eraseDeadOps(Operation *root) {
  root->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (op != root && isOpTriviallyDead(op))
      op->erase();
  });
}

struct QuantizedTorchToTosa
    : isthmus::impl::QuantizedTorchToTosaBase<QuantizedTorchToTosa> {
  using QuantizedTorchToTosaBase::QuantizedTorchToTosaBase;

  void runOnOperation() override {
    Operation *root = getOperation();
    SmallVector<std::string> names(legalOps.begin(), legalOps.end());
    FailureOr<llvm::StringSet<>> kept = torch::resolveOpNames(root, names);
    if (failed(kept))
      return signalPassFailure();
    // Most programs have no quantized layers.
    WalkResult found = root->walk([](Operation *op) {
      return Arithmetic::mayBeQuantized(op) ? WalkResult::interrupt()
                                            : WalkResult::advance();
    });
    if (!found.wasInterrupted())
      return;
    SmallVector<Operation *> ops;
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!kept->contains(op->getName().getStringRef()))
        ops.push_back(op);
    });
    Arithmetic arithmetic;
    for (Operation *op : ops)
      arithmetic.visit(op);
    arithmetic.replaceProducts();
    eraseDeadOps(root);
  }
};

} // namespace
