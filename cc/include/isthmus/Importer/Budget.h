//===- Budget.h - Limits on the expansion of an import ----------*- C++ -*-===//
//
// A small file can expand to a large program: a sparse tensor has large sizes,
// a strided weight repeats one element, functions call functions. Each of these
// may be legitimate, so all expansions of one model share one budget.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_IMPORTER_BUDGET_H
#define ISTHMUS_IMPORTER_BUDGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"
#include <cstdint>
#include <string>

namespace isthmus {

/// The limits for one model of any format.
struct ImportLimits {
  /// Nodes, including those of expanded functions and graphs.
  int64_t nodes = int64_t(1) << 20;
  /// Bytes of data that is larger than its form in the file.
  int64_t bytes = int64_t(1) << 30;
};

/// The remaining budget of one import.
class Budget {
public:
  explicit Budget(const ImportLimits &limits) : limits(limits) {}

  /// Counts one more node; fails, with an error about `subject`, if there are
  /// too many.
  template <typename Subject>
  llvm::LogicalResult takeNode(const Subject &subject) {
    return report(takeNode(), subject);
  }
  /// The same for bytes. `purpose` describes their use: "a sparse tensor made
  /// dense".
  template <typename Subject>
  llvm::LogicalResult takeBytes(int64_t asked, llvm::StringRef purpose,
                                const Subject &subject) {
    return report(takeBytes(asked, purpose), subject);
  }

private:
  // The error message; empty if there is none.
  std::string takeNode();
  std::string takeBytes(int64_t asked, llvm::StringRef purpose);

  template <typename Subject>
  static llvm::LogicalResult report(const std::string &wrong,
                                    const Subject &subject) {
    return wrong.empty() ? llvm::success()
                         : llvm::LogicalResult(subject.error() << wrong);
  }

  const ImportLimits limits;
  int64_t nodes = 0, bytes = 0; // taken
};

} // namespace isthmus

#endif // ISTHMUS_IMPORTER_BUDGET_H
