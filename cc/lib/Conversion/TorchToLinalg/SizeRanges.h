//===- SizeRanges.h - Ranges of sizes at run time ---------------*- C++ -*-===//
//
// A size may be computed from elements of a model's constants or inputs, so it
// may be any number. A property that follows from the operations that compute a
// value, or from assertions before it, needs no check.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_TORCHTOLINALG_SIZERANGES_H
#define ISTHMUS_CONVERSION_TORCHTOLINALG_SIZERANGES_H

#include "mlir/IR/Builders.h"

namespace isthmus::torch_to_linalg {

/// No memory holds a tensor of more elements, so no dim of a nonempty tensor is
/// larger.
constexpr int64_t kMostElements = int64_t(1) << 40;

/// True if an index is provably in [least, most] at the current insertion
/// point.
bool isWithin(mlir::Value index, int64_t least, int64_t most,
              mlir::OpBuilder &builder);

/// True if a sum, difference or product of two indices provably fits 64 bits.
bool isSumExact(mlir::Value a, mlir::Value b, mlir::OpBuilder &builder);
bool isDifferenceExact(mlir::Value a, mlir::Value b, mlir::OpBuilder &builder);
bool isProductExact(mlir::Value a, mlir::Value b, mlir::OpBuilder &builder);

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_CONVERSION_TORCHTOLINALG_SIZERANGES_H
