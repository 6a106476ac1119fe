//===- Powers.h - Powers of single elements ---------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_POWERS_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_POWERS_H

#include "Elements.h"

namespace isthmus::torch_to_linalg {

/// base^exponent, both of the dtype of `e`. Of integers, x^0 = 1, and a
/// negative exponent truncates 1 / x^-n, which is 0 except for x = 1 and x =
/// -1. `isForIree`: whether IREE reads the program.
mlir::Value power(const Elements &e, mlir::Value base, mlir::Value exponent,
                  bool isForIree);

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_POWERS_H
