//===- Quantized.cpp - Real numbers as integers ---------------------------===//

#include "Quantized.h"
#include "KnownNumbers.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/QuantizationComposites.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::quantized_to_tosa;

static bool isByte(Type dtype) {
  return dtype && torch::isIntegral(dtype) &&
         dtype.getIntOrFloatBitWidth() == 8;
}

/// The tensor that a value is converted from, or null.
static Value convertedFrom(Value value) {
  auto op = value.getDefiningOp<torch::PrimsConvertElementTypeOp>();
  return op ? op.getOperand(0) : Value();
}

//===----------------------------------------------------------------------===//
// Quantizing
//===----------------------------------------------------------------------===//

static std::optional<Quantization> makeQuantization(Value x, Value scale,
                                                    Value zeroPoint, Value low,
                                                    Value high, Type dtype) {
  Type from = torch::tensorType(x).getDtype();
  if (!from || !torch::isFloatingPoint(from) || !isByte(dtype))
    return std::nullopt;
  auto one = readNumber(scale);
  auto zero = zeroPoint ? readInteger(zeroPoint) : std::optional<int64_t>(0);
  auto least = torch::matchNumber(low), most = torch::matchNumber(high);
  int64_t first = leastOf(dtype), last = first + 255;
  if (!one || !Scales(*one).areValid() || !zero || *zero < first ||
      *zero > last || !least || !most || !(*least <= last) || !(*most >= first))
    return std::nullopt;
  Format format{*one, *zero,
                static_cast<int64_t>(std::max<double>(first, *least)),
                static_cast<int64_t>(std::min<double>(last, *most)), dtype};
  if (format.low > format.high)
    return std::nullopt;
  return Quantization{x, format};
}

/// clamp(round(x / scale) + zero point, low, high) as an integer
static std::optional<Quantization>
matchQuantizeLinear(torch::PrimsConvertElementTypeOp op) {
  auto clamp = op.getOperand(0).getDefiningOp<torch::AtenClampOp>();
  if (!clamp)
    return std::nullopt;
  Value rounded = clamp.getSelf(), zeroPoint;
  if (auto sum = rounded.getDefiningOp<torch::AtenAddTensorOp>()) {
    if (torch::matchNumber(sum.getAlpha()) != 1.0)
      return std::nullopt;
    rounded = sum.getSelf();
    zeroPoint = convertedFrom(sum.getOther());
    if (!zeroPoint)
      zeroPoint = sum.getOther();
  }
  auto round = rounded.getDefiningOp<torch::AtenRoundOp>();
  auto quotient = round
                      ? round.getSelf().getDefiningOp<torch::AtenDivTensorOp>()
                      : torch::AtenDivTensorOp();
  if (!quotient)
    return std::nullopt;
  return makeQuantization(quotient.getSelf(), quotient.getOther(), zeroPoint,
                          clamp.getMin(), clamp.getMax(),
                          torch::tensorType(op).getDtype());
}

std::optional<Quantization> quantized_to_tosa::matchQuantize(Operation *op) {
  if (auto convert = dyn_cast<torch::PrimsConvertElementTypeOp>(op))
    return matchQuantizeLinear(convert);
  if (!isa<torch::QuantizedDecomposedQuantizePerTensorOp,
           torch::QuantizedDecomposedQuantizePerTensorTensorOp>(op))
    return std::nullopt;
  return makeQuantization(op->getOperand(0), op->getOperand(1),
                          op->getOperand(2), op->getOperand(3),
                          op->getOperand(4),
                          torch::tensorType(op->getResult(0)).getDtype());
}

//===----------------------------------------------------------------------===//
// Dequantizing
//===----------------------------------------------------------------------===//

std::optional<Quantized> quantized_to_tosa::readIntegers(Value x) {
  // A signed dtype has every byte, and every difference of two.
  auto isWide = [](Value value) {
    Type dtype = torch::tensorType(value).getDtype();
    return dtype && dtype.isSignedInteger() &&
           dtype.getIntOrFloatBitWidth() > 8;
  };
  Quantized read{x};
  auto difference = x.getDefiningOp<torch::AtenSubTensorOp>();
  if (difference && isWide(x)) {
    auto zeroPoint = readInteger(difference.getOther());
    if (!zeroPoint || torch::matchNumber(difference.getAlpha()) != 1.0 ||
        torch::tensorType(x).getSizes() !=
            torch::tensorType(difference.getSelf()).getSizes())
      return std::nullopt;
    read.numbers = difference.getSelf();
    read.zeroPoint = *zeroPoint;
  }
  Value narrow = convertedFrom(read.numbers);
  if (narrow && isWide(read.numbers) &&
      isByte(torch::tensorType(narrow).getDtype()))
    read.numbers = narrow;
  Type dtype = torch::tensorType(read.numbers).getDtype();
  if (!dtype || !(isByte(dtype) || dtype.isSignedInteger(32)))
    return std::nullopt;
  return read;
}

/// The largest |number - zero point|; nullopt if the numbers are not bytes, or
/// the zero point is not in their range.
static std::optional<double> boundOfBytes(const Quantized &x) {
  Type dtype = torch::tensorType(x.numbers).getDtype();
  if (!isByte(dtype))
    return std::nullopt;
  int64_t first = leastOf(dtype), last = first + 255;
  if (x.zeroPoint < first || x.zeroPoint > last)
    return std::nullopt;
  return boundOfBytes(dtype, x.zeroPoint);
}

bool quantized_to_tosa::isTransposed(Operation *convolution) {
  if (auto any = dyn_cast<torch::AtenConvolutionOp>(convolution))
    return torch::matchBool(any.getTransposed()) != false;
  return isa<torch::AtenConvTranspose1dOp, torch::AtenConvTranspose2dInputOp,
             torch::AtenConvTranspose3dInputOp>(convolution);
}

std::optional<double> quantized_to_tosa::countProducts(Operation *op) {
  ArrayRef<int64_t> sizes = torch::tensorType(op->getOperand(1)).getSizes();
  int64_t rank = sizes.size();
  if (rank == 0)
    return std::nullopt;
  if (isa<torch::AtenLinearOp>(op))
    sizes = sizes.take_back(1);
  else if (isa<torch::AtenBmmOp, torch::AtenMatmulOp, torch::AtenMmOp>(op))
    sizes = sizes.slice(std::max<int64_t>(0, rank - 2), 1);
  else // [out, in, ...], or transposed [in, out, ...] with overlapping windows
    sizes = sizes.drop_front(isTransposed(op) ? 0 : 1);
  if (llvm::is_contained(sizes, ShapedType::kDynamic))
    return std::nullopt;
  double count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

/// The largest magnitude of known integers, or of a product of bytes, as
/// QLinearConv and QLinearMatMul compute it.
static double boundOf(Value x) {
  constexpr double largest = 0x1p31;
  if (auto known = readNumbers(x)) {
    double most = 0;
    for (double value : known->values)
      most = std::max(most, std::abs(value));
    return most;
  }
  Operation *op = x.getDefiningOp();
  bool isConvolution = isa_and_nonnull<torch::AtenConvolutionOp>(op);
  if (!isConvolution &&
      !isa_and_nonnull<torch::AtenMatmulOp, torch::AtenMmOp>(op))
    return largest;
  auto count = countProducts(op);
  ArrayRef<int64_t> sizes = torch::tensorType(op->getOperand(1)).getSizes();
  if (!count || llvm::is_contained(sizes, ShapedType::kDynamic))
    return largest;
  double bound = *count, bias = 0;
  for (Value factor : op->getOperands().take_front(2)) {
    auto read = readIntegers(factor);
    auto ofFactor = read ? boundOfBytes(*read) : std::nullopt;
    if (!ofFactor)
      return largest;
    bound *= *ofFactor;
  }
  if (isConvolution && !torch::isNone(op->getOperand(2))) {
    if (!readNumbers(op->getOperand(2)))
      return largest;
    bias = boundOf(op->getOperand(2));
  }
  return std::min(largest, bound + bias);
}

/// Sets the bound of numbers that are read; false if the zero point is not in
/// their range.
static bool setBound(Quantized &x) {
  bool isOfBytes = isByte(torch::tensorType(x.numbers).getDtype());
  auto bound = isOfBytes            ? boundOfBytes(x)
               : (x.zeroPoint == 0) ? std::optional(boundOf(x.numbers))
                                    : std::nullopt;
  x.bound = bound.value_or(0);
  return bound.has_value();
}

/// Reads the scales and zero points of dequantize ops.
static bool readParameters(Operation *op, Quantized &read) {
  bool isPerChannel = isa<torch::QuantizedDecomposedDequantizePerChannelOp>(op);
  auto zeroPoint = readInteger(op->getOperand(2));
  if (!zeroPoint)
    return false;
  read.zeroPoint = *zeroPoint;
  if (!isPerChannel) {
    auto scale = readNumber(op->getOperand(1));
    read.scales = Scales(scale.value_or(0));
    return scale.has_value();
  }
  auto scales = readNumbers(op->getOperand(1));
  auto axis = torch::matchInt(op->getOperand(3));
  torch::ValueTensorType type = torch::tensorType(read.numbers);
  int64_t rank = type.getRank();
  if (!scales || !axis || *axis < -rank || *axis >= rank)
    return false;
  read.axis = torch::normalDim(*axis, rank);
  int64_t count = type.getSizes()[read.axis];
  torch::ValueTensorType given = torch::tensorType(op->getOperand(1));
  if (!given.hasRank() || given.getRank() != 1 || given.getSizes()[0] != count)
    return false;
  read.scales = Scales(scales->values);
  return true;
}

std::optional<Quantized> quantized_to_tosa::matchDequantize(Operation *op) {
  bool isConversion = isa<torch::PrimsConvertElementTypeOp>(op);
  if (!isConversion &&
      !isa<torch::QuantizedDecomposedDequantizePerChannelOp,
           torch::QuantizedDecomposedDequantizePerTensorOp,
           torch::QuantizedDecomposedDequantizePerTensorTensorOp>(op))
    return std::nullopt;
  torch::ValueTensorType from = torch::tensorType(op->getOperand(0)),
                         to = torch::tensorType(op->getResult(0));
  if (!to.hasRank() || !from.hasRank() || !from.getDtype() || !to.getDtype() ||
      !torch::isIntegral(from.getDtype()) ||
      !(to.getDtype().isF32() || to.getDtype().isF64()))
    return std::nullopt;
  if (isConversion) {
    auto read = readIntegers(op->getOperand(0));
    return read && setBound(*read) ? read : std::nullopt;
  }
  Quantized read{op->getOperand(0)};
  if (!(isByte(from.getDtype()) || from.getDtype().isSignedInteger(32)) ||
      !readParameters(op, read) || !read.scales.areValid() || !setBound(read))
    return std::nullopt;
  return read;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

Type quantized_to_tosa::si8(torch::TorchBuilder &b) {
  return IntegerType::get(b.getContext(), 8, IntegerType::Signed);
}

Type quantized_to_tosa::si32(torch::TorchBuilder &b) {
  return IntegerType::get(b.getContext(), 32, IntegerType::Signed);
}

Value quantized_to_tosa::asSigned(torch::TorchBuilder &b, Value numbers) {
  int64_t offset = signedOffset(torch::tensorType(numbers).getDtype());
  if (offset == 0)
    return numbers;
  return b.convert(
      b.sub(b.convert(numbers, si32(b)), b.scalarTensor(offset, si32(b))),
      si8(b));
}

Value quantized_to_tosa::asUnsigned(torch::TorchBuilder &b, Value numbers,
                                    Type dtype) {
  int64_t offset = signedOffset(dtype);
  if (offset == 0)
    return numbers;
  return b.convert(
      b.add(b.convert(numbers, si32(b)), b.scalarTensor(offset, si32(b))),
      dtype);
}

Value quantized_to_tosa::centred(torch::TorchBuilder &b, const Quantized &x) {
  Value numbers = b.convert(x.numbers, si32(b));
  return x.zeroPoint == 0
             ? numbers
             : b.sub(numbers, b.scalarTensor(x.zeroPoint, si32(b)));
}
