//===- Nonzero.h - Positions of elements that are not zero ------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_NONZERO_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_NONZERO_H

#include "LinalgBuilder.h"

namespace isthmus::torch_to_linalg {

/// Positions [count, rank] of the nonzero elements, in row-major order.
mlir::Value nonzero(LinalgBuilder &b, mlir::Value self, mlir::Type dtype);

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_NONZERO_H
