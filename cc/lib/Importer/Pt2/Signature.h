//===- Signature.h - The arguments of registered torch ops ------*- C++ -*-===//
//
// An exported program omits arguments that have their default value, and passes
// scalars of more kinds than the op accepts: both need the op's signature.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_IMPORTER_PT2_SIGNATURE_H
#define ISTHMUS_LIB_IMPORTER_PT2_SIGNATURE_H

#include "Schema.h"
#include "llvm/ADT/SmallVector.h"

namespace isthmus::pt2 {

/// The type of an argument as PyTorch spells it: "Optional[List[int]]".
struct ArgumentType {
  llvm::StringRef text;

  /// The type inside "Optional[…]", or the type itself.
  ArgumentType required() const { return {contained("Optional[")}; }
  bool isOptional() const { return text.starts_with("Optional["); }
  bool isList() const { return text.starts_with("List["); }
  ArgumentType element() const { return {contained("List[")}; }
  bool operator==(llvm::StringRef other) const { return text == other; }

private:
  llvm::StringRef contained(llvm::StringRef outer) const {
    llvm::StringRef inner = text;
    if (inner.consume_front(outer))
      inner.consume_back("]");
    return inner;
  }
};

struct FormalArgument {
  llvm::StringRef name;
  ArgumentType type;
  std::optional<schema::Argument> defaultValue;
};

/// The arguments of an op ("aten.add.Tensor"); nothing if the dialect has no
/// class for it.
std::optional<llvm::SmallVector<FormalArgument>>
findSignature(llvm::StringRef op);

/// Gives the positional arguments of a call their names in the signature of its
/// target, if that is known.
void nameArguments(schema::Node &call);

/// "aten.add.Tensor" of "torch.ops.aten.add.Tensor"; "default" is not an
/// overload.
llvm::StringRef getOp(llvm::StringRef target);

} // namespace isthmus::pt2

#endif // ISTHMUS_LIB_IMPORTER_PT2_SIGNATURE_H
