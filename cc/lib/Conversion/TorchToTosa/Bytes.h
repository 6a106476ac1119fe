//===- Bytes.h - Integers as the i8 that TOSA multiplies --------*- C++ -*-===//
//
// TOSA multiplies integers of i8, and takes a zero point off them first. That
// is what quantized numbers are, less a zero point of their own; where that is
// not known while compiling, their difference has 9 bits and is the sum of two
// such.
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

/// Byte tensors, one or two, whose sum is the tensor `x` of integers. None if
/// what computes `x` does not say that its numbers are at most 510 apart.
llvm::SmallVector<Bytes, 2> asBytes(TosaBuilder &b, mlir::Value x);

} // namespace isthmus::torch_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_BYTES_H
