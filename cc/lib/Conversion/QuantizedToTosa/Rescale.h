//===- Rescale.h - Integers with another scale ------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_RESCALE_H
#define ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_RESCALE_H

#include "Quantized.h"

namespace isthmus::quantized_to_tosa {

/// Whether tosa.rescale can multiply numbers of this bound by these ratios.
bool canRescale(double bound, llvm::ArrayRef<double> ratios);

/// The reals as si8 numbers of a format, by tosa.rescale, which rounds halves
/// up; nullopt if it cannot express the ratio of the scales.
std::optional<Quantized> requantize(torch::TorchBuilder &b, const Quantized &x,
                                    const Format &format);

/// The reals as si32 numbers of one scale without a zero point. canRescale is
/// true for the ratios.
Quantized rescaleWide(torch::TorchBuilder &b, const Quantized &x, double scale);

/// The same numbers as si8: those of ui8 minus 128.
Quantized asSigned(torch::TorchBuilder &b, const Quantized &x);

} // namespace isthmus::quantized_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_RESCALE_H
