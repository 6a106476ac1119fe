//===- Loops.h - torch.prim.If and torch.prim.Loop --------------*- C++ -*-===//
//
// The result types of both follow from the values that their regions yield, so
// the regions are built first. If yielded types differ in a size, that size is
// left open; if they differ in rank or dtype, no common type exists.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_LOOPS_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_LOOPS_H

#include "Gathering.h"
#include <functional>

namespace isthmus::onnx_to_torch {

/// A region that is emitted before it is certain to be kept. When it is
/// dropped, the NodeBuilder forgets its values, because later values may have
/// the same addresses.
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

/// Emits one branch and returns its results.
using Branch = llvm::function_ref<mlir::FailureOr<Values>()>;

/// The results of one branch or the other, selected by a !torch.bool.
mlir::FailureOr<Values> buildIf(NodeBuilder &b, mlir::Value condition,
                                Branch thenBranch, Branch elseBranch);

/// The values that a step of a loop yields.
struct Step {
  mlir::Value shouldContinue; // !torch.bool; null: true
  Values carried;
  Values outputs; // gathered according to their Gatherings
};

/// Emits a step from its number, a !torch.int, and the carried values.
using LoopBody =
    llvm::function_ref<mlir::FailureOr<Step>(mlir::Value, mlir::ValueRange)>;

/// Emits a loop of at most `tripCount` steps, as long as the condition holds.
/// Returns the carried values after the last step, then the gathered outputs.
/// A known number of at most `maxUnrolled` steps that does not depend on a
/// condition becomes straight-line code, unless the loop is inside an unrolled
/// loop and copies of its steps, of `nodes` nodes, would be too many. A null
/// condition is true.
mlir::FailureOr<Values> buildLoop(NodeBuilder &b, mlir::Value tripCount,
                                  mlir::Value condition, mlir::ValueRange init,
                                  LoopBody body,
                                  llvm::ArrayRef<Gathering> gatherings = {},
                                  int64_t nodes = 0);

constexpr int64_t maxUnrolled = 64;

/// The number of nodes in the body of a loop.
int64_t countNodes(mlir::Region &body);

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_LOOPS_H
