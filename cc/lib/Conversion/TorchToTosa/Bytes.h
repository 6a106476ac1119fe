//===- Bytes.h - Integers as the i8 that TOSA multiplies --------*- C++ -*-===//
//
// TOSA's products of integers are of i8, from which a zero point is taken off
// first. Quantized numbers less their own zero point are of 9 bits at most, and
// so are those, or the sum of two such.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_BYTES_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_BYTES_H

#include "TosaBuilder.h"

namespace isthmus::torch_to_tosa {

/// The numbers x - zeroPoint.
struct Bytes {
  mlir::Value x; // of i8
  int64_t zeroPoint;
};

/// Byte tensors whose sum is `x`, of integers: one or two. None if what
/// computes `x` does not say that its numbers are at most 510 apart.
llvm::SmallVector<Bytes, 2> asBytes(TosaBuilder &b, mlir::Value x);

} // namespace isthmus::torch_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_BYTES_H
