//===- Elements.h - Bytes of a file as a constant's value -------*- C++ -*-===//

#ifndef ISTHMUS_IMPORTER_ELEMENTS_H
#define ISTHMUS_IMPORTER_ELEMENTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>

namespace isthmus {

/// Bytes of a file, which stays mapped while `owner` is referenced.
struct Bytes {
  llvm::StringRef data;
  std::shared_ptr<llvm::MemoryBuffer> owner;
};

/// The bits of one element in a file: a bool has a byte.
int64_t getStoredBits(mlir::Type elementType);

/// The product of `dims`; nullopt if one is negative or the product overflows.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> dims);

/// The same, but also nullopt if the bytes of that many elements of up to 128
/// bits overflow 64 bits.
std::optional<int64_t> countStorableElements(llvm::ArrayRef<int64_t> dims);

/// The constant of these elements, each in whole bytes, in the number that the
/// type has. It is dense, or above `maxInlineBytes` a dense_resource called
/// `name` over the bytes, without a copy.
mlir::ElementsAttr getElements(mlir::RankedTensorType type, const Bytes &bytes,
                               llvm::StringRef name, int64_t maxInlineBytes);

/// A dense_resource called `name` over the bytes, without a copy. Integers of 2
/// or 4 bits share bytes, the first in the lowest bits.
mlir::ElementsAttr getResource(mlir::RankedTensorType type, const Bytes &bytes,
                               llvm::StringRef name);

} // namespace isthmus

#endif // ISTHMUS_IMPORTER_ELEMENTS_H
