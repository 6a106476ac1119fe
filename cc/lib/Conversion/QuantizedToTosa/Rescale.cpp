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

/// The ratio of each scale to `scale`; nullopt if one is out of range.
std::optional<SmallVector<Ratio>> ratiosTo(double scale, const Quantized &x) {
  SmallVector<Ratio> ratios;
  for (double each : x.scales) {
    auto ratio = split(each / scale);
    // The specification bounds the numbers: |x| < 2^(shift - 1).
    if (!ratio || x.bound >= std::ldexp(1, ratio->shift - 1))
      return std::nullopt;
    ratios.push_back(*ratio);
  }
  return ratios;
}

/// Numbers that rescale takes, and their zero point there.
std::pair<Value, int64_t> input(torch::TorchBuilder &b, const Quantized &x) {
  if (torch::tensorType(x.numbers).getDtype().isSignedInteger(8))
    return {x.numbers, x.zeroPoint};
  return {centred(b, x), 0};
}

/// Whether the numbers are those of a format, but for its dtype.
bool isInFormat(const Quantized &x, const Format &format) {
  if (!x.isOfBytes() || !x.hasOneScale() || x.scales[0] != format.scale)
    return false;
  bool isUnsigned = torch::tensorType(x.numbers).getDtype().isUnsignedInteger();
  return x.zeroPoint - (isUnsigned ? 128 : 0) == format.signedZeroPoint();
}

Type signedType(torch::TorchBuilder &b, unsigned width) {
  return IntegerType::get(b.getContext(), width, IntegerType::Signed);
}

} // namespace

bool quantized_to_tosa::canRescale(double bound, ArrayRef<double> ratios) {
  return llvm::all_of(ratios, [&](double each) {
    auto ratio = split(each);
    return ratio && bound < std::ldexp(1, ratio->shift - 1);
  });
}

Quantized quantized_to_tosa::asSigned(torch::TorchBuilder &b,
                                      const Quantized &x) {
  if (!torch::tensorType(x.numbers).getDtype().isUnsignedInteger())
    return x;
  Quantized y = x;
  Type si32 = signedType(b, 32);
  y.numbers = b.convert(
      b.sub(b.convert(x.numbers, si32), b.scalarTensor(int64_t(128), si32)),
      signedType(b, 8));
  y.zeroPoint -= 128;
  return y;
}

std::optional<Quantized> quantized_to_tosa::requantize(torch::TorchBuilder &b,
                                                       const Quantized &x,
                                                       const Format &format) {
  Quantized y;
  y.zeroPoint = format.signedZeroPoint();
  y.scales = {format.scale};
  y.bound = std::max(y.zeroPoint + 128, 127 - y.zeroPoint);
  if (isInFormat(x, format)) {
    y.numbers = asSigned(b, x).numbers;
  } else {
    auto ratios = ratiosTo(format.scale, x);
    if (!ratios)
      return std::nullopt;
    auto [numbers, inputZero] = input(b, x);
    y.numbers = rescale(b, numbers, inputZero, *ratios, x.axis, y.zeroPoint,
                        signedType(b, 8));
  }
  auto quantized = [&](double real, int64_t otherwise) {
    if (!std::isfinite(real))
      return otherwise;
    double number = std::nearbyint(real / format.scale) + format.zeroPoint;
    return static_cast<int64_t>(
        std::clamp<double>(number, format.low, format.high));
  };
  int64_t low = quantized(x.low, format.low) - format.offset(),
          high = quantized(x.high, format.high) - format.offset();
  if (low > -128 || high < 127)
    y.numbers = b.create<torch::AtenClampOp>(y.numbers, b.constant(low),
                                             b.constant(high));
  return y;
}

Quantized quantized_to_tosa::rescaleWide(torch::TorchBuilder &b,
                                         const Quantized &x, double scale) {
  auto [numbers, inputZero] = input(b, x);
  Quantized y;
  y.numbers = rescale(b, numbers, inputZero, *ratiosTo(scale, x), x.axis,
                      /*outputZero=*/0, signedType(b, 32));
  y.scales = {scale};
  y.bound = std::ceil(x.bound * *llvm::max_element(x.scales) / scale);
  if (x.isClamped()) {
    auto number = [&](double real, double otherwise) {
      return b.constant(static_cast<int64_t>(
          std::isfinite(real)
              ? std::clamp(std::nearbyint(real / scale), -y.bound, y.bound)
              : otherwise));
    };
    y.numbers = b.create<torch::AtenClampOp>(y.numbers, number(x.low, -y.bound),
                                             number(x.high, y.bound));
  }
  return y;
}
