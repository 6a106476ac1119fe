//===- KnownNumbers.h - Numbers known at compile time -----------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_KNOWNNUMBERS_H
#define ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_KNOWNNUMBERS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace isthmus::quantized_to_tosa {

/// One number, or one for each element of a dim of a tensor.
struct KnownNumbers {
  /// One value if all are equal.
  llvm::SmallVector<double> values;
  /// The size of the dim: ops broadcast to it, however many values there are.
  int64_t size = 1;
  /// The dim, counted from the end: 1 is the last one. As ops broadcast, it is
  /// the same for operands of other ranks.
  int64_t fromEnd = 1;

  bool isOne() const { return values.size() == 1; }
  double operator[](size_t i) const { return values[isOne() ? 0 : i]; }
};

/// Reads a number, or a literal with at most one dim above 1 that views,
/// conversions to wider dtypes, or one product of two of them may follow.
std::optional<KnownNumbers> readNumbers(mlir::Value value);

/// A number, or a tensor of one element.
std::optional<double> readNumber(mlir::Value value);

/// An integer of at most 32 bits, or a tensor whose elements are all equal; 0
/// for none.
std::optional<int64_t> readInteger(mlir::Value value);

} // namespace isthmus::quantized_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_KNOWNNUMBERS_H
