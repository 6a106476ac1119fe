//===- Elements.h - Bytes of a file as a constant's value -------*- C++ -*-===//

#ifndef ISTHMUS_IMPORTER_ELEMENTS_H
#define ISTHMUS_IMPORTER_ELEMENTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>

namespace isthmus {

/// Bytes of a file, which stays mapped while somebody holds `owner`.
struct Bytes {
  llvm::StringRef data;
  std::shared_ptr<llvm::MemoryBuffer> owner;
};

/// The bits of one element in a file: a bool has a byte.
int64_t getStoredBits(mlir::Type elementType);

/// The product of `dims`; nothing if one is negative or it overflows.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> dims);

/// The same, but nothing also when that many elements of up to 128 bits have
/// more bytes than 64 bits can count.
std::optional<int64_t> countStorableElements(llvm::ArrayRef<int64_t> dims);

/// The constant of these elements, each in whole bytes and as many as the type
/// has: dense, or above `maxInlineBytes` a dense_resource over the bytes where
/// they are, called `name`.
mlir::ElementsAttr getElements(mlir::RankedTensorType type, const Bytes &bytes,
                               llvm::StringRef name, int64_t maxInlineBytes);

/// A dense_resource over the bytes where they are, called `name`. Integers of 2
/// or 4 bits share bytes, the first in the lowest bits.
mlir::ElementsAttr getResource(mlir::RankedTensorType type, const Bytes &bytes,
                               llvm::StringRef name);

} // namespace isthmus

#endif // ISTHMUS_IMPORTER_ELEMENTS_H
