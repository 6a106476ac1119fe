//===- Order.h - PyTorch's order of elements --------------------*- C++ -*-===//
//
// NaN counts as greater than every number in sort and topk, and as the answer
// of argmax, argmin and max_pool alike.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_ORDER_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_ORDER_H

#include "HloBuilder.h"

namespace isthmus::torch_to_mhlo {

/// Whether lhs comes before rhs when sorting.
mlir::Value comesBefore(HloBuilder &b, bool descending, mlir::Value lhs,
                        mlir::Value rhs);

/// Body of a reduction of (value, place) pairs: the pair whose value is greater
/// (GT) or less (LT), NaN before all; of equal values the first place.
llvm::SmallVector<mlir::Value> chooseFirst(HloBuilder &b,
                                           hlo::ComparisonDirection direction,
                                           mlir::ValueRange args);

} // namespace isthmus::torch_to_mhlo

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_ORDER_H
