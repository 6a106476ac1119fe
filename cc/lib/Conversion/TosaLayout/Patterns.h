//===- Patterns.h - The parts of tosa-simplify-layout -----------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TOSALAYOUT_PATTERNS_H
#define ISTHMUS_LIB_CONVERSION_TOSALAYOUT_PATTERNS_H

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/PatternMatch.h"

namespace isthmus::tosa_layout {

/// Turns products with the transpose of a weight into convolutions with the
/// weight.
void populateLinearToConvolution(mlir::RewritePatternSet &patterns);
/// Moves transposes from the operands of an op to its result.
void populateSinkTransposes(mlir::RewritePatternSet &patterns);
/// Drops a tile whose consumer broadcasts anyway.
void populateDropTiles(mlir::RewritePatternSet &patterns);
/// Folds transposes and reshapes of constants.
void populateFoldConstants(mlir::RewritePatternSet &patterns);

/// The tensor operands that broadcast together in a pointwise op: all but the
/// zero points of a negation and the shift of a product. Empty for other ops.
mlir::MutableArrayRef<mlir::OpOperand> pointwiseOperands(mlir::Operation *op);

} // namespace isthmus::tosa_layout

#endif // ISTHMUS_LIB_CONVERSION_TOSALAYOUT_PATTERNS_H
