//===- Rescale.h - Integers with another scale ------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_RESCALE_H
#define ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_RESCALE_H

#include "Quantized.h"

namespace isthmus::quantized_to_tosa {

/// The reals in a format, as si8; halves round up. Nullopt if tosa.rescale
/// cannot express the ratio of the scales.
std::optional<Quantized> requantize(torch::TorchBuilder &b, const Quantized &x,
                                    const Format &format);

/// The bound of rescaleWide's numbers; nullopt if it is not below maxBound, or
/// tosa.rescale cannot express the ratio.
std::optional<double> wideBound(const Quantized &x, double scale);

/// The reals as si32 numbers of one scale, for which wideBound knows a bound.
Quantized rescaleWide(torch::TorchBuilder &b, const Quantized &x, double scale);

} // namespace isthmus::quantized_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_RESCALE_H
