//===- Quantized.h - Real numbers as integers -------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_QUANTIZED_H
#define ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_QUANTIZED_H

#include "Scales.h"
#include "isthmus/Dialect/Torch/TorchBuilder.h"

namespace isthmus::quantized_to_tosa {

/// Accumulators stay below this.
constexpr double maxBound = 0x1p30;

/// The real numbers (numbers - zeroPoint) * scale, clamped to [low, high].
struct Quantized {
  mlir::Value numbers;   // of si8, or of si32 with a zero point of 0
  int64_t zeroPoint = 0; // an si8
  /// One scale, or one for each element of dim `axis`.
  Scales scales = Scales(1);
  int64_t axis = 0;
  /// The largest |numbers - zeroPoint| that is possible.
  double bound = 0;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool isClamped() const { return std::isfinite(low) || std::isfinite(high); }
  bool isOfBytes() const {
    return torch::tensorType(numbers).getDtype().isSignedInteger(8);
  }
};

/// How integers stand for reals: clamp(round(x / scale) + zeroPoint, low, high)
/// as `dtype`, which is si8 or ui8. The zero point is between 0 and 255, or
/// -128 and 127, as are the limits.
struct Format {
  double scale;
  int64_t zeroPoint, low, high;
  mlir::Type dtype;

  bool operator==(const Format &other) const {
    return scale == other.scale && zeroPoint == other.zeroPoint &&
           low == other.low && high == other.high && dtype == other.dtype;
  }
};

/// The least number of a dtype of 8 bits; the largest is 255 more.
inline int64_t leastOf(mlir::Type dtype) {
  return dtype.isUnsignedInteger() ? 0 : -128;
}

/// The largest |number - zero point| of a dtype of 8 bits.
inline int64_t boundOfBytes(mlir::Type dtype, int64_t zeroPoint) {
  int64_t first = leastOf(dtype), last = first + 255;
  return std::max(zeroPoint - first, last - zeroPoint);
}

/// What is subtracted from a number of a dtype of 8 bits to have it as si8.
inline int64_t signedOffset(mlir::Type dtype) {
  return dtype.isUnsignedInteger() ? 128 : 0;
}

/// An op that quantizes `x`.
struct Quantization {
  mlir::Value x;
  Format format;
};

/// PyTorch's quantize_per_tensor, or ONNX's QuantizeLinear as it is in torch,
/// to 8 bits with a known scale.
std::optional<Quantization> matchQuantize(mlir::Operation *op);

/// The numbers of an op that dequantizes, as the program has them: of si8, ui8
/// or si32. Matches PyTorch's dequantize_per_tensor and dequantize_per_channel
/// with known scales, and integers that become floats.
std::optional<Quantized> matchDequantize(mlir::Operation *op);

/// Integers of si8, ui8 or si32 that a program converts to wider ones, and the
/// zero point that it subtracts there. The bound is not set.
std::optional<Quantized> readIntegers(mlir::Value x);

/// The number of products that are added for an element of a convolution, a
/// linear layer or a product of matrices; nullopt if it is not known.
std::optional<double> countProducts(mlir::Operation *op);
/// Whether a convolution is transposed, or may be.
bool isTransposed(mlir::Operation *convolution);

mlir::Type si8(torch::TorchBuilder &b);
mlir::Type si32(torch::TorchBuilder &b);

/// Numbers of ui8 minus 128 as si8.
mlir::Value asSigned(torch::TorchBuilder &b, mlir::Value numbers);
/// The inverse of asSigned.
mlir::Value asUnsigned(torch::TorchBuilder &b, mlir::Value numbers,
                       mlir::Type dtype);

/// numbers - zero point as si32.
mlir::Value centred(torch::TorchBuilder &b, const Quantized &x);

} // namespace isthmus::quantized_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_QUANTIZED_H
