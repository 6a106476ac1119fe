//===- TemporaryBlob.h - Large data made while compiling --------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_TEMPORARYBLOB_H
#define ISTHMUS_SUPPORT_TEMPORARYBLOB_H

#include "mlir/IR/AsmState.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace isthmus {

/// A blob that is written front to back. A large one goes to a temporary file
/// without a name, so that it need not stay in memory; where no such file can
/// be made, and for small ones, it lies on the heap.
class TemporaryBlob {
public:
  explicit TemporaryBlob(size_t size);
  ~TemporaryBlob();

  void append(llvm::ArrayRef<char> bytes);

  /// What was appended, `size` bytes; nothing if the system failed to keep it.
  std::optional<mlir::AsmResourceBlob> take();

private:
  size_t size;
  int file = -1;
  bool hasFailed = false;
  llvm::SmallVector<char, 0> heap;
};

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_TEMPORARYBLOB_H
