//===- Constants.h - Constants outside of the code ------------------------===//

#ifndef ISTHMUS_LIB_RUNTIME_CONSTANTS_H
#define ISTHMUS_LIB_RUNTIME_CONSTANTS_H

#include "isthmus/Runtime/Jit.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

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
  /// Keeps memory as long as the table.
  const void *keep(std::shared_ptr<void> memory) {
    return owned.emplace_back(std::move(memory)).get();
  }
  const void *lookup(llvm::StringRef symbol) const;
  /// Frees the memory of symbols that the code does not use: a weight that is
  /// read from its panels.
  void freeUnused(mlir::ModuleOp code);

private:
  std::vector<std::shared_ptr<void>> owned;
};

/// Tensors over memory, which a module has as external `memref.global`s.
class ConstantTensors {
public:
  ConstantTensors(mlir::ModuleOp module, ConstantTable &table)
      : module(module), symbols(module), table(table) {}

  /// A buffer or a tensor over `data`, at the start of `block`.
  mlir::Value bufferOver(const void *data, mlir::RankedTensorType type,
                         mlir::Block &block, mlir::Location loc);
  mlir::Value tensorOver(const void *data, mlir::RankedTensorType type,
                         mlir::Block &block, mlir::Location loc);

private:
  mlir::memref::GlobalOp
  globalOver(const void *data, mlir::RankedTensorType type, mlir::Location loc);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  ConstantTable &table;
  llvm::DenseMap<std::pair<const void *, mlir::Type>, mlir::memref::GlobalOp>
      globals;
};

/// Replaces large constants by tensors over external `memref.global`s, and
/// records in `table` where the bytes of each one are. Compile time then
/// depends on the ops of a model, not on the size of its weights.
mlir::LogicalResult hoistConstants(mlir::ModuleOp module,
                                   const JitOptions &options,
                                   ConstantTable &table);

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_CONSTANTS_H
