//===- Rescale.cpp - Integers with another scale --------------------------===//
//
//   tosa.rescale: saturate((x - input_zp) * multiplier >> shift) + output_zp
//
// with a multiplier of 31 bits. Casts connect it with the torch ops; the
// conversion of torch to TOSA removes them.
//
//===----------------------------------------------------------------------===//

#include "Rescale.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/TorchConversion.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::quantized_to_tosa;

namespace {

/// ratio = multiplier * 2^-shift
struct Ratio {
  int32_t multiplier;
  int8_t shift;
};

constexpr int minShift = 2, maxShift = 62;

/// Nullopt if the ratio is too large.
std::optional<Ratio> split(double ratio) {
  int exponent;
  double fraction = std::frexp(ratio, &exponent); // in [0.5, 1)
  int64_t multiplier = std::llround(std::ldexp(fraction, 31));
  if (multiplier == int64_t(1) << 31) {
    multiplier >>= 1;
    ++exponent;
  }
  int shift = 31 - exponent;
  if (shift < minShift)
    return std::nullopt;
  if (shift > maxShift) {
    multiplier = shift - maxShift > 31 ? 0 : multiplier >> (shift - maxShift);
    shift = maxShift;
  }
  return Ratio{static_cast<int32_t>(multiplier), static_cast<int8_t>(shift)};
}

template <typename T>
Value constant(OpBuilder &builder, Location loc, ArrayRef<T> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                    builder.getIntegerType(8 * sizeof(T)));
  return tosa::ConstOp::create(builder, loc, type,
                               DenseElementsAttr::get(type, values));
}

/// A zero point of a tensor's element type.
Value zeroPoint(OpBuilder &builder, Location loc, int64_t number,
                Type element) {
  auto type = RankedTensorType::get({1}, element);
  return tosa::ConstOp::create(
      builder, loc, type,
      DenseElementsAttr::get(type, builder.getIntegerAttr(element, number)));
}

Type builtinElement(Type dtype) {
  return IntegerType::get(dtype.getContext(), dtype.getIntOrFloatBitWidth());
}

/// Numbers of si8 or si32 as `dtype`, which is one of them.
Value rescale(torch::TorchBuilder &b, Value numbers, int64_t inputZero,
              ArrayRef<Ratio> ratios, int64_t axis, int64_t outputZero,
              Type dtype) {
  OpBuilder &builder = b.getBuilder();
  Location loc = b.getLoc();
  int64_t rank = torch::tensorType(numbers).getRank();
  auto order = llvm::to_vector(llvm::seq<int64_t>(rank));
  bool isPerChannel = ratios.size() > 1;
  bool isMoved = isPerChannel && axis != rank - 1;
  if (isMoved) { // the channels of tosa.rescale are the last dim
    order.erase(order.begin() + axis);
    order.push_back(axis);
    numbers = b.permute(numbers, order);
  }
  torch::ValueTensorType type = torch::tensorType(numbers);
  Type from = builtinElement(type.getDtype()), to = builtinElement(dtype);
  SmallVector<int32_t> multipliers;
  SmallVector<int8_t> shifts;
  for (const Ratio &ratio : ratios) {
    multipliers.push_back(ratio.multiplier);
    shifts.push_back(ratio.shift);
  }
  Value x = torch_c::ToBuiltinTensorOp::create(
      builder, loc, RankedTensorType::get(type.getSizes(), from), numbers);
  Value y = tosa::RescaleOp::create(
      builder, loc, RankedTensorType::get(type.getSizes(), to), x,
      constant<int32_t>(builder, loc, multipliers),
      constant<int8_t>(builder, loc, shifts),
      zeroPoint(builder, loc, inputZero, from),
      zeroPoint(builder, loc, outputZero, to), /*scale32=*/true,
      tosa::RoundingMode::SINGLE_ROUND, isPerChannel,
      /*input_unsigned=*/false, /*output_unsigned=*/false);
  Value result = torch_c::FromBuiltinTensorOp::create(
      builder, loc,
      torch::ValueTensorType::get(b.getContext(), type.getSizes(), dtype), y);
  if (!isMoved)
    return result;
  SmallVector<int64_t> inverse(rank);
  for (auto [to, from] : llvm::enumerate(order))
    inverse[from] = to;
  return b.permute(result, inverse);
}

/// Whether tosa.rescale takes the numbers at this ratio of scales: the
/// specification wants |x| < 2^(shift - 1).
bool canRescale(const Quantized &x, double scale) {
  auto ratio = split(x.scales.most() / scale);
  return ratio && x.bound < std::ldexp(1, ratio->shift - 1);
}

SmallVector<Ratio> ratiosTo(double scale, const Quantized &x) {
  SmallVector<Ratio> ratios;
  for (size_t i = 0; i < x.scales.size(); ++i)
    ratios.push_back(*split(x.scales[i] / scale));
  return ratios;
}

/// Whether the numbers are those of a format, but for its dtype.
bool isInFormat(const Quantized &x, const Format &format) {
  return x.isOfBytes() && x.scales.isOne() && x.scales[0] == format.scale &&
         x.zeroPoint == format.zeroPoint - signedOffset(format.dtype);
}

/// `real` in units of a scale, to the nearest, within limits.
double inUnits(double real, double scale, double least, double most) {
  return std::clamp(std::nearbyint(real / scale), least, most);
}

} // namespace

std::optional<Quantized> quantized_to_tosa::requantize(torch::TorchBuilder &b,
                                                       const Quantized &x,
                                                       const Format &format) {
  int64_t offset = signedOffset(format.dtype);
  Quantized y;
  y.zeroPoint = format.zeroPoint - offset;
  y.scales = Scales(format.scale);
  y.bound = boundOfBytes(si8(b), y.zeroPoint);
  if (isInFormat(x, format))
    y.numbers = x.numbers;
  else if (canRescale(x, format.scale))
    y.numbers = rescale(b, x.numbers, x.zeroPoint, ratiosTo(format.scale, x),
                        x.axis, y.zeroPoint, si8(b));
  else
    return std::nullopt;
  auto limit = [&](double real) {
    return static_cast<int64_t>(inUnits(real, format.scale,
                                        format.low - format.zeroPoint,
                                        format.high - format.zeroPoint) +
                                y.zeroPoint);
  };
  int64_t low = limit(x.low), high = limit(x.high);
  if (low > -128 || high < 127)
    y.numbers = b.create<torch::AtenClampOp>(y.numbers, b.constant(low),
                                             b.constant(high));
  return y;
}

std::optional<double> quantized_to_tosa::wideBound(const Quantized &x,
                                                   double scale) {
  if (!canRescale(x, scale))
    return std::nullopt;
  double bound = std::ceil(x.bound * x.scales.most() / scale);
  for (double limit : {x.low, x.high})
    if (std::isfinite(limit))
      bound = std::max(bound, std::ceil(std::abs(limit) / scale));
  return bound < 0x1p30 ? std::optional(bound) : std::nullopt;
}

Quantized quantized_to_tosa::rescaleWide(torch::TorchBuilder &b,
                                         const Quantized &x, double scale) {
  Quantized y;
  y.bound = *wideBound(x, scale);
  y.scales = Scales(scale);
  y.numbers = rescale(b, x.numbers, x.zeroPoint, ratiosTo(scale, x), x.axis,
                      /*outputZero=*/0, si32(b));
  if (x.isClamped()) {
    auto limit = [&](double real) {
      return b.constant(
          static_cast<int64_t>(inUnits(real, scale, -y.bound, y.bound)));
    };
    y.numbers =
        b.create<torch::AtenClampOp>(y.numbers, limit(x.low), limit(x.high));
  }
  return y;
}
