//===- Rescale.cpp - Integers with another scale --------------------------===//

#include "Rescale.h"
#include "TosaOps.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::quantized_to_tosa;

namespace {

/// Whether tosa.rescale takes the numbers at this ratio of scales: the
/// specification wants |x| < 2^(shift - 1).
bool canRescale(const Quantized &x, double scale) {
  auto ratio = splitRatio(x.scales.most() / scale);
  return ratio && x.bound < std::ldexp(1, ratio->shift - 1);
}

SmallVector<Ratio> ratiosTo(double scale, const Quantized &x) {
  SmallVector<Ratio> ratios;
  for (size_t i = 0; i < x.scales.size(); ++i)
    ratios.push_back(*splitRatio(x.scales[i] / scale));
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
  return bound < maxBound ? std::optional(bound) : std::nullopt;
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
