//===- ResidentMemory.h - Large data that need not stay resident ----------===//

#ifndef ISTHMUS_SUPPORT_RESIDENTMEMORY_H
#define ISTHMUS_SUPPORT_RESIDENTMEMORY_H

#include "mlir/IR/AsmState.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace isthmus {

/// Makes the pages within `data`, which are about to be read or written,
/// resident in one step, where each would be a fault of its own.
void acquirePages(llvm::ArrayRef<char> data);
void acquirePages(llvm::MutableArrayRef<char> data);

/// Lets the system take back the pages within `data`. Nothing is lost, whatever
/// the memory is: what a file holds is read again when it is wanted again.
void releasePages(llvm::ArrayRef<char> data);

/// A blob of `size` bytes, aligned to 64, that `fill` writes once. A large one
/// lies in a temporary file without a name, so that its pages can leave memory;
/// where no such file can be made, and for small ones, it lies on the heap.
mlir::AsmResourceBlob
allocateReleasable(size_t size,
                   llvm::function_ref<void(llvm::MutableArrayRef<char>)> fill);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_RESIDENTMEMORY_H
