//===- Loops.h - torch.prim.If and torch.prim.Loop --------------*- C++ -*-===//
//
// Both have results whose types follow from what their regions yield, so the
// regions come first. Where yielded types differ in a size, that size is left
// open; where they differ in rank or dtype, no type serves both.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_LOOPS_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_LOOPS_H

#include "Gathering.h"
#include <functional>

namespace isthmus::onnx_to_torch {

/// A region that is emitted before it is sure to be kept. What a NodeBuilder
/// knows of its values goes with it, as later ones may lie at their addresses.
class DraftRegion {
public:
  explicit DraftRegion(NodeBuilder &b) : b(b) {}
  ~DraftRegion() { clear(); }

  void clear() {
    b.forget(region);
    region.getBlocks().clear();
  }
  mlir::Region &get() { return region; }

private:
  NodeBuilder &b;
  mlir::Region region;
};

/// Emits one branch and gives its results.
using Branch = llvm::function_ref<mlir::FailureOr<Values>()>;

/// The results of one branch or the other, by a !torch.bool.
mlir::FailureOr<Values> buildIf(NodeBuilder &b, mlir::Value condition,
                                Branch thenBranch, Branch elseBranch);

/// What a step of a loop leaves behind.
struct Step {
  mlir::Value shouldContinue; // !torch.bool; null: true
  Values carried;
  Values outputs; // that are gathered, each as its Gathering says
};

/// Emits a step from its number, a !torch.int, and the carried values.
using LoopBody =
    llvm::function_ref<mlir::FailureOr<Step>(mlir::Value, mlir::ValueRange)>;

/// At most `tripCount` steps, as long as the condition holds; the carried
/// values after the last one, then what was gathered. A known number of at most
/// `maxUnrolled` steps that does not depend on a condition becomes
/// straight-line code, unless it stands in one that did and its steps, of
/// `nodes` nodes, would be too many. A null condition is true.
mlir::FailureOr<Values> buildLoop(NodeBuilder &b, mlir::Value tripCount,
                                  mlir::Value condition, mlir::ValueRange init,
                                  LoopBody body,
                                  llvm::ArrayRef<Gathering> gatherings = {},
                                  int64_t nodes = 0);

constexpr int64_t maxUnrolled = 64;

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_LOOPS_H
