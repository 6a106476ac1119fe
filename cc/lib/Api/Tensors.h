//===- Tensors.h - Tensors of signatures ------------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_API_TENSORS_H
#define ISTHMUS_LIB_API_TENSORS_H

#include "mlir/IR/BuiltinTypes.h"
#include <string>
#include <vector>

namespace isthmus {

/// The builtin tensor with the shape of a tensor. Null for another type, and
/// for one of unknown dtype.
mlir::TensorType tensorOf(mlir::Type type);

/// Sizes as text, with the names from "0:batch,2:length".
std::vector<std::string> sizesOf(mlir::TensorType type,
                                 llvm::StringRef dimParams);

} // namespace isthmus

#endif // ISTHMUS_LIB_API_TENSORS_H
