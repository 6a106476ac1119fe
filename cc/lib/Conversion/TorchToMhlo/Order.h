//===- Order.h - PyTorch's order of elements --------------------*- C++ -*-===//
//
// NaN is greater than every number in sort and topk, and is the result of
// argmax, argmin and max_pool if present.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_ORDER_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_ORDER_H

#include "HloBuilder.h"

namespace isthmus::torch_to_mhlo {

/// Whether lhs comes before rhs when sorting.
mlir::Value comesBefore(HloBuilder &b, bool descending, mlir::Value lhs,
                        mlir::Value rhs);

/// Body of a reduction of (value, position) pairs: selects the pair with the
/// greater (GT) or lesser (LT) value; NaN wins, and among equals the first
/// position.
llvm::SmallVector<mlir::Value> chooseFirst(HloBuilder &b,
                                           hlo::ComparisonDirection direction,
                                           mlir::ValueRange args);

} // namespace isthmus::torch_to_mhlo

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_ORDER_H
