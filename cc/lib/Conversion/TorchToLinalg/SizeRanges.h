//===- SizeRanges.h - What sizes can be at run time -------------*- C++ -*-===//
//
// A size may come from the numbers of a model or of its inputs, which may be
// any. What follows from the operations that compute a value, and from the
// assertions before it, needs no check.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_TORCHTOLINALG_SIZERANGES_H
#define ISTHMUS_CONVERSION_TORCHTOLINALG_SIZERANGES_H

#include "mlir/IR/Builders.h"

namespace isthmus::torch_to_linalg {

/// No memory holds a tensor of more elements, and so none has a larger dim.
constexpr int64_t kMostElements = int64_t(1) << 40;

/// Whether an index is surely at least `least` and at most `most` wherever what
/// is built now runs.
bool isWithin(mlir::Value index, int64_t least, int64_t most,
              mlir::OpBuilder &builder);

/// Whether a sum, a difference and a product of two indices surely fit 64 bits.
bool isSumExact(mlir::Value a, mlir::Value b, mlir::OpBuilder &builder);
bool isDifferenceExact(mlir::Value a, mlir::Value b, mlir::OpBuilder &builder);
bool isProductExact(mlir::Value a, mlir::Value b, mlir::OpBuilder &builder);

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_CONVERSION_TORCHTOLINALG_SIZERANGES_H
