//===- Constants.h - Constants outside of the code ------------------------===//

#ifndef ISTHMUS_LIB_RUNTIME_CONSTANTS_H
#define ISTHMUS_LIB_RUNTIME_CONSTANTS_H

#include "isthmus/Runtime/Jit.h"

#include "mlir/IR/BuiltinOps.h"

namespace isthmus {

/// Constants with at most this many elements stay in the code, where they can
/// be folded.
constexpr int64_t kSmallConstant = 64;

/// The memory behind the external symbols of a compiled module.
struct ConstantTable {
  struct Entry {
    std::string symbol;
    const void *data;
  };
  std::vector<Entry> entries;

  /// Memory for a constant whose bytes in the module differ from those that the
  /// code reads: a packed weight, an i1 tensor. Null if the allocation fails.
  void *allocate(size_t size);
  /// Memory initialized by `fill`, or the memory with the same key of another
  /// live program, which both then share. Null if the allocation fails.
  void *allocateShared(llvm::ArrayRef<uint64_t> key, size_t size,
                       llvm::function_ref<void(void *)> fill);
  const void *lookup(llvm::StringRef symbol) const;

private:
  std::vector<std::shared_ptr<void>> owned;
};

/// Replaces large constants by tensors over external `memref.global`s, and
/// records in `table` where the bytes of each one are. Compile time then
/// depends on the ops of a model, not on the size of its weights.
mlir::LogicalResult hoistConstants(mlir::ModuleOp module,
                                   const JitOptions &options,
                                   ConstantTable &table);

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_CONSTANTS_H
