//===- Einsum.h - Equations in Einstein's notation --------------*- C++ -*-===//

#ifndef ISTHMUS_DIALECT_TORCH_EINSUM_H
#define ISTHMUS_DIALECT_TORCH_EINSUM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace isthmus::torch {

/// "bij,bjk->bik": the dims of each term and of the result have labels. Without
/// "->" the result has the labels that occur once, in alphabetical order.
struct EinsumEquation {
  /// A letter, or dim -1, -2, ... of the ellipsis.
  using Label = int;
  using Labels = llvm::SmallVector<Label>;

  llvm::SmallVector<Labels> terms;
  Labels result;

  /// nullopt, and the reason in `error`, if the equation does not apply to
  /// tensors of these ranks.
  static std::optional<EinsumEquation> parse(llvm::StringRef text,
                                             llvm::ArrayRef<int64_t> ranks,
                                             std::string &error);
};

} // namespace isthmus::torch

#endif // ISTHMUS_DIALECT_TORCH_EINSUM_H
