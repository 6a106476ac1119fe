//===- ElementTypes.h - What weights are made of ----------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_WEIGHTS_ELEMENTTYPES_H
#define ISTHMUS_LIB_WEIGHTS_ELEMENTTYPES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace isthmus::weights {

/// An element type by its names.
struct ElementType {
  /// As MLIR spells it.
  llvm::StringRef name;
  /// As safetensors does; empty if it has none, and then stores bytes.
  llvm::StringRef safetensors;
  unsigned bits;
};

/// Every element type that a weight may have; null if it may not.
const ElementType *findElementType(llvm::StringRef name);
const ElementType *findSafetensorsType(llvm::StringRef name);

/// The bytes of a packed, row-major tensor; nothing if no file is that large.
std::optional<uint64_t> countBytes(const ElementType &type,
                                   llvm::ArrayRef<int64_t> shape);

} // namespace isthmus::weights

#endif // ISTHMUS_LIB_WEIGHTS_ELEMENTTYPES_H
