//===- Formats.h - How results are quantized --------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_FORMATS_H
#define ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_FORMATS_H

#include "Quantized.h"

namespace isthmus::quantized_to_tosa {

/// Activations: ops that clamp each number between two known ones.
bool isClamp(mlir::Operation *op);
/// The limits of a clamp; nullopt if they are not known or not in order.
std::optional<std::pair<double, double>> readLimits(mlir::Operation *op);
/// Ops whose result is their first operand.
bool isIdentity(mlir::Operation *op);
/// Views: ops whose results are elements of their first operand. Identities and
/// permutations are among them.
bool isView(mlir::Operation *op);

/// Maxima over windows that have elements: with dilation, a window may hold
/// only padding.
bool isMaximum(mlir::Operation *op);

/// Sums and differences of two tensors, or of a tensor and a number: errors of
/// the operands add up in the result.
bool isSum(mlir::Operation *op);
/// Means over some dims, without a divisor of their own.
bool isMean(mlir::Operation *op);

/// The one format in which all uses quantize a tensor, perhaps after clamps,
/// views and maxima, which are the same before and after quantizing. Nullopt if
/// there is any other use.
std::optional<Format> formatOfAll(mlir::Value real);

/// The least scale by which a tensor is quantized, perhaps after ops that
/// formatOfAll follows, a sum, and means; nullopt if there is any use for which
/// that is not known.
std::optional<double> leastScale(mlir::Value real);

} // namespace isthmus::quantized_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_FORMATS_H
