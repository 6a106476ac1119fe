//===- Budget.h - What a small file may grow into ---------------*- C++ -*-===//
//
// A file can say much with few bytes: a sparse tensor has any sizes, a weight
// is one element again and again, a function is called by functions. Each by
// itself may be meant; all that one model asks for comes out of one budget.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_IMPORTER_BUDGET_H
#define ISTHMUS_IMPORTER_BUDGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"
#include <cstdint>
#include <string>

namespace isthmus {

/// The bounds for one model, of any format.
struct ImportLimits {
  /// Nodes, with those of functions and graphs that are expanded.
  int64_t nodes = int64_t(1) << 20;
  /// Bytes that are made of fewer in the file.
  int64_t bytes = int64_t(1) << 30;
};

/// What one import has left.
class Budget {
public:
  explicit Budget(const ImportLimits &limits) : limits(limits) {}

  /// One node more; fails, with an error about `subject`, when there are too
  /// many.
  template <typename Subject>
  llvm::LogicalResult takeNode(const Subject &subject) {
    return report(takeNode(), subject);
  }
  /// The same for bytes. `purpose` says what they are for: "a sparse tensor
  /// made dense".
  template <typename Subject>
  llvm::LogicalResult takeBytes(int64_t asked, llvm::StringRef purpose,
                                const Subject &subject) {
    return report(takeBytes(asked, purpose), subject);
  }

private:
  // What is wrong; empty if nothing is.
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
