//===- Constants.h - Constants that stay where they are -------------------===//

#ifndef ISTHMUS_LIB_RUNTIME_CONSTANTS_H
#define ISTHMUS_LIB_RUNTIME_CONSTANTS_H

#include "isthmus/Runtime/Jit.h"

#include "mlir/IR/BuiltinOps.h"

namespace isthmus {

/// Constants of no more elements go into the code, where they can be folded.
constexpr int64_t kSmallConstant = 64;

/// The memory behind the external symbols of a compiled module.
struct ConstantTable {
  struct Entry {
    std::string symbol;
    const void *data;
  };
  std::vector<Entry> entries;

  /// Memory for a constant that is not in the module as code reads it: a
  /// packed weight, an i1 tensor. Null where there is none.
  void *allocate(size_t size);
  /// Memory that `fill` fills, unless a program that lives has memory of the
  /// same key: that is of both then. Null where there is none.
  void *allocateShared(llvm::ArrayRef<uint64_t> key, size_t size,
                       llvm::function_ref<void(void *)> fill);
  const void *lookup(llvm::StringRef symbol) const;

private:
  std::vector<std::shared_ptr<void>> owned;
};

/// Replaces large constants by tensors over external `memref.global`s, and
/// remembers in `table` where each one's bytes lie. Code for a model then takes
/// as long to compile as its ops, however many weights they have.
mlir::LogicalResult hoistConstants(mlir::ModuleOp module,
                                   const JitOptions &options,
                                   ConstantTable &table);

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_CONSTANTS_H
