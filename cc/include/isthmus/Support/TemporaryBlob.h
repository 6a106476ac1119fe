//===- TemporaryBlob.h - Large temporary data of the compiler ---*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_TEMPORARYBLOB_H
#define ISTHMUS_SUPPORT_TEMPORARYBLOB_H

#include "mlir/IR/AsmState.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace isthmus {

/// A blob that is written front to back. A large blob goes to an unnamed
/// temporary file, so that it need not stay in memory. A small blob, or one for
/// which no such file can be created, is on the heap.
class TemporaryBlob {
public:
  explicit TemporaryBlob(size_t size);
  ~TemporaryBlob();

  void append(llvm::ArrayRef<char> bytes);

  /// The `size` appended bytes; nullopt if the system failed to store them.
  std::optional<mlir::AsmResourceBlob> take();

private:
  size_t size;
  int file = -1;
  bool hasFailed = false;
  llvm::SmallVector<char, 0> heap;
};

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_TEMPORARYBLOB_H
