//===- ShapeSignature.h - What shapes an op takes, as text ------*- C++ -*-===//
//
// A signature says of an op's operands which ranks they have and which of their
// sizes are equal:
//
//   X[N, C, d...] W[M, _, d...] B[M] strides[#d]
//
//   N        a size: wherever the letter stands, it is the same
//   3, 4H    that size, that multiple of a size
//   _        any size
//   d...     some dims: wherever the name stands, as many of them
//   ...      any number of dims
//   #d       as large as there are dims in d
//   a[]|[1]  either of them
//
// An operand that is not named, or that has no dims behind its name, is free.
// A list of numbers is as a vector of them.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_SUPPORT_SHAPESIGNATURE_H
#define ISTHMUS_SUPPORT_SHAPESIGNATURE_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace isthmus {

/// An operand's sizes, ShapedType::kDynamic where they are not known, and its
/// type, for messages.
struct OperandShape {
  llvm::SmallVector<int64_t, 4> sizes;
  mlir::Type type;
};

class ShapeSignature {
public:
  /// A dim, or a pack of them.
  struct Dim {
    enum class Kind { Any, Size, Count, Pack };
    Kind kind = Kind::Any;
    llvm::StringRef name; // empty: a number, or a pack that nothing refers to
    int64_t factor = 1;   // of a size
  };

  /// The dims of an operand, with at most one pack.
  struct Form {
    llvm::SmallVector<Dim> dims;
    llvm::StringRef text; // "[N, C, d...]"
  };

  struct Operand {
    llvm::StringRef name;
    llvm::SmallVector<Form, 1> forms; // none: it is free
  };

  /// Reads a text, which stays where it is. Nothing if it cannot be read, and
  /// then `error` says why.
  static std::optional<ShapeSignature> parse(llvm::StringRef text,
                                             std::string &error);

  llvm::ArrayRef<Operand> getOperands() const { return operands; }

  /// What is wrong with the shapes of operands: "expected 'W' of rank 3 or
  /// more, got rank 0: 'tensor<f32>'". Nothing if all are as the signature
  /// says, as far as their sizes are known. `shapesOf` gives those of the
  /// operand at a place in the signature: none where it is left out or its rank
  /// is not known, several where it is variadic.
  std::optional<std::string> findWrong(
      llvm::function_ref<llvm::SmallVector<OperandShape, 1>(size_t)> shapesOf)
      const;

private:
  llvm::SmallVector<Operand> operands;
};

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_SHAPESIGNATURE_H
