//===- Bytes.h - Integers as the i8 operands of TOSA products ---*- C++ -*-===//
//
// TOSA multiplies i8 integers after subtracting a zero point. Quantized numbers
// have this form, with a zero point of their own; if that is not known at
// compile time, their difference has 9 bits and is the sum of two i8 numbers.
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

/// One or two byte tensors whose sum is the integer tensor `x`. Empty if the
/// ops that compute `x` do not bound its range to 510.
llvm::SmallVector<Bytes, 2> asBytes(TosaBuilder &b, mlir::Value x);

} // namespace isthmus::torch_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_BYTES_H
