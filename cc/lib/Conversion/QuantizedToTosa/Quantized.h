//===- Quantized.h - Real numbers as integers -------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_QUANTIZED_H
#define ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_QUANTIZED_H

#include "isthmus/Dialect/Torch/TorchBuilder.h"
#include <limits>

namespace isthmus::quantized_to_tosa {

/// The real numbers (numbers - zeroPoint) * scale, clamped to [low, high].
struct Quantized {
  mlir::Value numbers; // of si8, ui8 or si32
  int64_t zeroPoint = 0;
  /// One scale, or one for each element of dim `axis`. All are above 0.
  llvm::SmallVector<double> scales;
  int64_t axis = 0;
  /// The largest |numbers - zeroPoint| that is possible.
  double bound = 0;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool hasOneScale() const { return scales.size() == 1; }
  bool isClamped() const { return std::isfinite(low) || std::isfinite(high); }
  bool isOfBytes() const {
    return torch::tensorType(numbers).getDtype().getIntOrFloatBitWidth() == 8;
  }
};

/// How integers stand for reals: clamp(round(x / scale) + zeroPoint, low, high)
/// as `dtype`, which is si8 or ui8.
struct Format {
  double scale;
  int64_t zeroPoint, low, high;
  mlir::Type dtype;

  /// The zero point of the same numbers as si8.
  int64_t signedZeroPoint() const { return zeroPoint - offset(); }
  /// What is subtracted from a number to have it as si8.
  int64_t offset() const { return dtype.isUnsignedInteger() ? 128 : 0; }
};

/// An op that quantizes `x`.
struct Quantization {
  mlir::Value x;
  Format format;
};

/// Numbers known at compile time: one, or one for each element of dim `axis` of
/// a tensor.
struct KnownNumbers {
  llvm::SmallVector<double> values;
  int64_t axis = 0;
};
/// Reads a number, or a literal with at most one dim above 1.
std::optional<KnownNumbers> readNumbers(mlir::Value value);

/// PyTorch's quantize_per_tensor, or ONNX's QuantizeLinear as it is in torch,
/// to 8 bits with a known scale.
std::optional<Quantization> matchQuantize(mlir::Operation *op);

/// PyTorch's dequantize_per_tensor or dequantize_per_channel with known scales,
/// or an integer that becomes a float.
std::optional<Quantized> matchDequantize(mlir::Operation *op);

/// numbers - zero point as si32.
mlir::Value centred(torch::TorchBuilder &b, const Quantized &x);

/// The reals as a tensor of `dtype`.
mlir::Value dequantized(torch::TorchBuilder &b, const Quantized &x,
                        mlir::Type dtype);

} // namespace isthmus::quantized_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_QUANTIZED_H
