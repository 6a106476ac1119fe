//===- ShapeSignature.h - Operand shapes of an op, as text ------*- C++ -*-===//
//
// A signature defines the ranks of an op's operands and which of their sizes
// are equal:
//
//   X[N, C, d...] W[M, _, d...] B[M] strides[#d]
//
//   N        a size: equal at every use of the letter
//   3, 4H    this size, this multiple of a size
//   _        any size
//   d...     some dims: the same number at every use of the name
//   ...      any number of dims
//   #d       the number of dims in d
//   a[]|[1]  either form
//
// An operand that is not named, or has no dims after its name, is
// unconstrained. A list of numbers counts as a vector.
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

/// An operand's sizes, with ShapedType::kDynamic for unknown ones, and its
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
    llvm::StringRef name; // empty: a number, or an unnamed pack
    int64_t factor = 1;   // of a size
  };

  /// The dims of an operand, with at most one pack.
  struct Form {
    llvm::SmallVector<Dim> dims;
    llvm::StringRef text; // "[N, C, d...]"
  };

  struct Operand {
    llvm::StringRef name;
    llvm::SmallVector<Form, 1> forms; // empty: unconstrained
  };

  /// Parses a text, which must outlive the result. nullopt if it is invalid;
  /// `error` then has the reason.
  static std::optional<ShapeSignature> parse(llvm::StringRef text,
                                             std::string &error);

  llvm::ArrayRef<Operand> getOperands() const { return operands; }

  /// An error about the shapes of operands: "expected 'W' of rank 3 or more,
  /// got rank 0: 'tensor<f32>'". nullopt if all known sizes match the
  /// signature. `shapesOf` returns the shapes of the operand at a position in
  /// the signature: none if it is omitted or its rank is unknown, several if it
  /// is variadic.
  std::optional<std::string> findWrong(
      llvm::function_ref<llvm::SmallVector<OperandShape, 1>(size_t)> shapesOf)
      const;

private:
  llvm::SmallVector<Operand> operands;
};

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_SHAPESIGNATURE_H
