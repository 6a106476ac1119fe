//===- Signatures.h - The signatures of PyTorch's ops -----------*- C++ -*-===//
//
// Facts of PyTorch's operator registry, which tools/refresh_schemas writes to
// third_party/torch.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_TORCH_SIGNATURES_H
#define ISTHMUS_DIALECT_TORCH_SIGNATURES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace isthmus::torch {

struct SignatureArgument {
  llvm::StringLiteral name;
  /// As PyTorch spells it: "Optional[List[int]]".
  llvm::StringLiteral type;
  /// JSON: null, a scalar, a string or a list; empty if there is no default.
  llvm::StringLiteral defaultValue;
};

/// The arguments of an op ("aten.add.Tensor"); nullopt if the dialect has no
/// class for it.
std::optional<llvm::ArrayRef<SignatureArgument>>
findSignature(llvm::StringRef op);

/// Whether the schema of an op says that its result may share the memory of its
/// first argument: "Tensor(a) self -> Tensor(a)". The op need not have a class.
bool isView(llvm::StringRef op);

} // namespace isthmus::torch

#endif // ISTHMUS_DIALECT_TORCH_SIGNATURES_H
