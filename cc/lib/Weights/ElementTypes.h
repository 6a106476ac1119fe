//===- ElementTypes.h - Element types of weights ----------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_WEIGHTS_ELEMENTTYPES_H
#define ISTHMUS_LIB_WEIGHTS_ELEMENTTYPES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace isthmus::weights {

/// An element type and its names.
struct ElementType {
  /// The name in MLIR.
  llvm::StringRef name;
  /// The name in safetensors; empty if it has none, and then bytes are stored.
  llvm::StringRef safetensors;
  unsigned bits;
};

/// Finds the element type of this name; null if weights cannot have it.
const ElementType *findElementType(llvm::StringRef name);
const ElementType *findSafetensorsType(llvm::StringRef name);

/// The bytes of a packed, row-major tensor; nothing if it exceeds any file.
std::optional<uint64_t> countBytes(const ElementType &type,
                                   llvm::ArrayRef<int64_t> shape);

} // namespace isthmus::weights

#endif // ISTHMUS_LIB_WEIGHTS_ELEMENTTYPES_H
