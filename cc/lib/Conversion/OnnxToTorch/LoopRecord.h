//===- LoopRecord.h - Results of earlier builds of a loop -------*- C++ -*-===//
//
// The types of carried values are found by trial: the loop's body is emitted
// until they are stable. An inner loop is rebuilt each time. If each search
// started anew, the work would double with every nesting level; starting from
// its last result, it needs only one more emission.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_LOOPRECORD_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_LOOPRECORD_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace isthmus {

class LoopRecord {
public:
  LoopRecord() = default;
  /// Another record at the same place, without its results.
  explicit LoopRecord(const LoopRecord &other)
      : trials(other.trials), isCopied(other.isCopied) {}

  /// The types of the carried values in the last build.
  llvm::SmallVector<mlir::Type> types;
  /// Whether a step decides at run time if another follows.
  bool asksAtRunTime = false;
  /// The number of enclosing loops whose current step is a trial that will be
  /// discarded.
  unsigned trials = 0;
  /// Whether an enclosing loop is unrolled.
  bool isCopied = false;

  /// To be called before the body is emitted.
  void begin() { met.clear(); }
  /// The record of the next loop for `node`, which is in the body. Every
  /// emission of the body meets the same loops in the same order; an unrolled
  /// body meets them once per step.
  LoopRecord &next(mlir::Operation *node) {
    auto &loop = inner[{node, met[node]++}];
    if (!loop)
      loop = std::make_unique<LoopRecord>(*this);
    return *loop;
  }

private:
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>,
                 std::unique_ptr<LoopRecord>>
      inner;
  llvm::DenseMap<mlir::Operation *, unsigned> met;
};

} // namespace isthmus

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_LOOPRECORD_H
