//===- ShapeText.h - The sizes of an input as text --------------*- C++ -*-===//
//
// Options of passes, of the C library and of the command give the sizes of an
// input as "x=1x3x224x224".
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_SUPPORT_SHAPETEXT_H
#define ISTHMUS_SUPPORT_SHAPETEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace isthmus {

/// The name of an input and its sizes.
struct ShapeText {
  llvm::StringRef name;
  llvm::SmallVector<int64_t> sizes;
};

/// Reads a name, the last "=" and sizes with "x" between. An input of rank 0
/// has nothing after the "=".
inline std::optional<ShapeText> readShape(llvm::StringRef text) {
  auto [name, sizes] = text.rsplit('=');
  if (name.size() == text.size())
    return std::nullopt;
  ShapeText shape{name, {}};
  llvm::SmallVector<llvm::StringRef> parts;
  sizes.split(parts, 'x', -1, /*KeepEmpty=*/!sizes.empty());
  for (llvm::StringRef part : parts)
    if (part.getAsInteger(10, shape.sizes.emplace_back()) ||
        shape.sizes.back() < 0)
      return std::nullopt;
  return shape;
}

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_SHAPETEXT_H
