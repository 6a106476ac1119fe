//===- LoopRecord.h - What is known of a loop that is built again -*- C++ -*-=//
//
// The types that a loop carries are found by trial: its body is emitted until
// they are stable. A loop within is built again each time. If each began its
// own search anew, the work would double with every level; with what it found
// the last time it needs one emission more.
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
  /// Another one at the same place, without what was found.
  explicit LoopRecord(const LoopRecord &other)
      : trials(other.trials), isCopied(other.isCopied) {}

  /// Of the carried values, when it was built last.
  llvm::SmallVector<mlir::Type> types;
  /// Whether a step decides at run time if another follows.
  bool asksAtRunTime = false;
  /// Of how many loops around a step is emitted that will be thrown away.
  unsigned trials = 0;
  /// Whether a loop around is unrolled.
  bool isCopied = false;

  /// The body is about to be emitted.
  void begin() { met.clear(); }
  /// The next loop that `node`, which is in the body, becomes. The body's
  /// emissions meet the same loops in the same order; those of an unrolled one
  /// are as many as it has steps.
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
