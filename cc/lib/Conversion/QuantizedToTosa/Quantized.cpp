//===- Quantized.cpp - Real numbers as integers ---------------------------===//

#include "Quantized.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/QuantizationOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "isthmus/Support/ResourceBytes.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::quantized_to_tosa;

//===----------------------------------------------------------------------===//
// Known numbers
//===----------------------------------------------------------------------===//

/// Scales and biases of more channels than any layer has.
static constexpr int64_t maxCount = 1 << 20;

template <typename T>
static SmallVector<double> readAs(ElementsAttr elements) {
  int64_t count = elements.getNumElements();
  if (auto dense = dyn_cast<DenseElementsAttr>(elements))
    return SmallVector<double>(dense.value_begin<T>(), dense.value_end<T>());
  ArrayRef<char> bytes = bytesOf(cast<DenseResourceElementsAttr>(elements));
  if (bytes.size() != count * sizeof(T))
    return {};
  SmallVector<double> values(count);
  for (int64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    values[i] = static_cast<double>(value);
  }
  return values;
}

static SmallVector<double> read(ElementsAttr elements) {
  if (!isa<DenseElementsAttr, DenseResourceElementsAttr>(elements) ||
      elements.getNumElements() > maxCount)
    return {};
  Type dtype = elements.getElementType();
  if (dtype.isF32())
    return readAs<float>(elements);
  if (dtype.isF64())
    return readAs<double>(elements);
  bool isUnsigned = dtype.isUnsignedInteger();
  if (dtype.isInteger(8))
    return isUnsigned ? readAs<uint8_t>(elements) : readAs<int8_t>(elements);
  if (dtype.isInteger(32) && !isUnsigned)
    return readAs<int32_t>(elements);
  if (dtype.isInteger(64) && !isUnsigned)
    return readAs<int64_t>(elements);
  return {};
}

/// The product of known numbers, shaped as `known`.
static bool readProduct(torch::AtenMulTensorOp op, int64_t count,
                        KnownNumbers &known) {
  known.values.assign(count, 1);
  for (Value factor : {op.getOperand(0), op.getOperand(1)}) {
    if (factor.getDefiningOp<torch::AtenMulTensorOp>())
      return false; // one product of two scales is enough
    auto numbers = readNumbers(factor);
    if (!numbers)
      return false;
    int64_t each = numbers->values.size();
    if (each != 1 && each != count)
      return false;
    for (auto [i, value] : llvm::enumerate(known.values))
      value *= numbers->values[each == 1 ? 0 : i];
  }
  return true;
}

std::optional<KnownNumbers> quantized_to_tosa::readNumbers(Value value) {
  if (std::optional<double> number = torch::matchNumber(value))
    return KnownNumbers{{*number}};
  auto type = dyn_cast<torch::ValueTensorType>(value.getType());
  if (!type || !type.hasRank())
    return std::nullopt;
  KnownNumbers known;
  int64_t count = 1;
  for (auto [dim, size] : llvm::enumerate(type.getSizes())) {
    if (size == 1)
      continue;
    if (size < 1 || count != 1)
      return std::nullopt;
    count = size;
    known.axis = dim;
  }
  // With one dim above 1, no view changes the order.
  while (auto op = value.getDefiningOp()) {
    if (!isa<torch::AtenViewOp, torch::AtenReshapeOp, torch::AtenUnsqueezeOp,
             torch::AtenSqueezeDimsOp, torch::PrimsSqueezeOp,
             torch::PrimsConvertElementTypeOp>(op))
      break;
    value = op->getOperand(0);
  }
  if (auto product = value.getDefiningOp<torch::AtenMulTensorOp>())
    return readProduct(product, count, known) ? std::optional(known)
                                              : std::nullopt;
  auto literal = value.getDefiningOp<torch::ValueTensorLiteralOp>();
  if (!literal)
    return std::nullopt;
  known.values = read(literal.getValue());
  if (static_cast<int64_t>(known.values.size()) != count)
    return std::nullopt;
  return known;
}

/// One number that is known.
static std::optional<double> readNumber(Value value) {
  auto known = readNumbers(value);
  if (!known || known->values.size() != 1)
    return std::nullopt;
  return known->values.front();
}

/// One integer that is known, of at most 32 bits.
static std::optional<int64_t> readInteger(Value value) {
  if (torch::isNone(value))
    return 0;
  auto known = readNumbers(value);
  if (!known || !llvm::all_equal(known->values))
    return std::nullopt;
  double number = known->values.front();
  if (number != std::floor(number) || std::abs(number) > INT32_MAX)
    return std::nullopt;
  return static_cast<int64_t>(number);
}

static bool isScale(double number) {
  return std::isfinite(number) && number >= std::numeric_limits<float>::min();
}

//===----------------------------------------------------------------------===//
// Quantizing
//===----------------------------------------------------------------------===//

static bool isByte(Type dtype) {
  return torch::isIntegral(dtype) && dtype.getIntOrFloatBitWidth() == 8;
}

/// The least number of si8 or ui8; the largest is 255 more.
static int64_t leastOf(Type dtype) {
  return dtype.isUnsignedInteger() ? 0 : -128;
}

static std::optional<Quantization> makeQuantization(Value x, Value scale,
                                                    Value zeroPoint, Value low,
                                                    Value high, Type dtype) {
  auto one = readNumber(scale);
  auto zero = zeroPoint ? readInteger(zeroPoint) : std::optional<int64_t>(0);
  auto least = torch::matchNumber(low), most = torch::matchNumber(high);
  if (!one || !isScale(*one) || !zero || !least || !most || !isByte(dtype) ||
      !torch::isFloatingPoint(torch::tensorType(x).getDtype()))
    return std::nullopt;
  int64_t first = leastOf(dtype), last = first + 255;
  if (*zero < first || *zero > last || *least > *most)
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
  Value rounded = clamp.getOperand(0), zeroPoint;
  if (auto sum = rounded.getDefiningOp<torch::AtenAddTensorOp>()) {
    if (torch::matchNumber(sum.getOperand(2)) != 1.0)
      return std::nullopt;
    rounded = sum.getOperand(0);
    zeroPoint = sum.getOperand(1);
  }
  auto round = rounded.getDefiningOp<torch::AtenRoundOp>();
  auto quotient =
      round ? round.getOperand().getDefiningOp<torch::AtenDivTensorOp>()
            : torch::AtenDivTensorOp();
  if (!quotient)
    return std::nullopt;
  return makeQuantization(quotient.getOperand(0), quotient.getOperand(1),
                          zeroPoint, clamp.getOperand(1), clamp.getOperand(2),
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

static std::optional<Quantized> readIntegers(Value x);
static bool setBound(Quantized &x);

/// The largest magnitude of integers: of bytes, known numbers, or a product of
/// bytes plus known numbers, as QLinearConv and QLinearMatMul compute.
static double boundOf(Value x) {
  double largest = 0x1p31;
  if (auto known = readNumbers(x)) {
    double most = 0;
    for (double value : known->values)
      most = std::max(most, std::abs(value));
    return most;
  }
  if (auto sum = x.getDefiningOp<torch::AtenAddTensorOp>()) {
    if (!readNumbers(sum.getOperand(1)))
      return largest;
    Value product = sum.getOperand(0);
    return product.getDefiningOp<torch::AtenAddTensorOp>()
               ? largest
               : boundOf(product) + boundOf(sum.getOperand(1));
  }
  Operation *op = x.getDefiningOp();
  bool isConvolution = isa_and_nonnull<torch::AtenConvolutionOp>(op);
  if (!isConvolution &&
      !isa_and_nonnull<torch::AtenMatmulOp, torch::AtenMmOp>(op))
    return largest;
  auto a = readIntegers(op->getOperand(0)), b = readIntegers(op->getOperand(1));
  if (!a || !b || !a->isOfBytes() || !b->isOfBytes() || !setBound(*a) ||
      !setBound(*b))
    return largest;
  // The number of products that are added.
  ArrayRef<int64_t> sizes = torch::tensorType(op->getOperand(1)).getSizes();
  if (llvm::is_contained(sizes, ShapedType::kDynamic))
    return largest;
  double count = 1, bias = 0;
  if (isConvolution) {
    bool isTransposed = torch::matchBool(op->getOperand(6)) != false;
    for (int64_t size : sizes.drop_front(isTransposed ? 0 : 1))
      count *= size;
    if (!torch::isNone(op->getOperand(2)))
      bias = boundOf(op->getOperand(2));
  } else {
    count = sizes.size() < 2 ? sizes[0] : sizes[sizes.size() - 2];
  }
  return count * a->bound * b->bound + bias;
}

/// Sets the bound of numbers that are read; false if the zero point is no such
/// number.
static bool setBound(Quantized &x) {
  Type dtype = torch::tensorType(x.numbers).getDtype();
  if (!isByte(dtype)) {
    x.bound = boundOf(x.numbers);
    return x.zeroPoint == 0;
  }
  int64_t first = leastOf(dtype), last = first + 255;
  x.bound = std::max(x.zeroPoint - first, last - x.zeroPoint);
  return x.zeroPoint >= first && x.zeroPoint <= last;
}

/// The integers behind a conversion to si32 and the subtraction of a zero
/// point.
static std::optional<Quantized> readIntegers(Value x) {
  Quantized read{x};
  if (auto difference = x.getDefiningOp<torch::AtenSubTensorOp>()) {
    auto zeroPoint = readInteger(difference.getOperand(1));
    if (!zeroPoint || torch::matchNumber(difference.getOperand(2)) != 1.0)
      return std::nullopt;
    read.numbers = difference.getOperand(0);
    read.zeroPoint = *zeroPoint;
  }
  if (auto convert =
          read.numbers.getDefiningOp<torch::PrimsConvertElementTypeOp>())
    if (isByte(torch::tensorType(convert.getOperand(0)).getDtype()))
      read.numbers = convert.getOperand(0);
  Type dtype = torch::tensorType(read.numbers).getDtype();
  if (!dtype || !(isByte(dtype) || dtype.isSignedInteger(32)))
    return std::nullopt;
  return read;
}

std::optional<Quantized> quantized_to_tosa::matchDequantize(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return std::nullopt;
  auto type = dyn_cast<torch::ValueTensorType>(op->getResult(0).getType());
  if (!type || !type.hasRank() || !type.getDtype() ||
      !torch::isFloatingPoint(type.getDtype()) ||
      type.getDtype().getIntOrFloatBitWidth() < 32)
    return std::nullopt;
  if (isa<torch::PrimsConvertElementTypeOp>(op)) {
    Type dtype = torch::tensorType(op->getOperand(0)).getDtype();
    if (!dtype || !torch::isIntegral(dtype))
      return std::nullopt;
    auto read = readIntegers(op->getOperand(0));
    if (!read || !setBound(*read))
      return std::nullopt;
    read->scales = {1};
    return read;
  }
  bool isPerChannel = isa<torch::QuantizedDecomposedDequantizePerChannelOp>(op);
  if (!isPerChannel &&
      !isa<torch::QuantizedDecomposedDequantizePerTensorOp,
           torch::QuantizedDecomposedDequantizePerTensorTensorOp>(op))
    return std::nullopt;
  auto read = readIntegers(op->getOperand(0));
  auto scales = readNumbers(op->getOperand(1));
  auto zeroPoint = readInteger(op->getOperand(2));
  // Another zero point than what readIntegers found would add to it.
  if (!read || read->numbers != op->getOperand(0) || !scales || !zeroPoint ||
      !llvm::all_of(scales->values, isScale))
    return std::nullopt;
  read->zeroPoint = *zeroPoint;
  if (!setBound(*read))
    return std::nullopt;
  read->scales = scales->values;
  if (isPerChannel) {
    auto axis = torch::matchInt(op->getOperand(3));
    if (!axis)
      return std::nullopt;
    read->axis = torch::normalDim(*axis, type.getRank());
  } else if (!read->hasOneScale()) {
    return std::nullopt;
  }
  return read;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

Value quantized_to_tosa::centred(torch::TorchBuilder &b, const Quantized &x) {
  Type si32 = IntegerType::get(b.getContext(), 32, IntegerType::Signed);
  Value numbers = b.convert(x.numbers, si32);
  return x.zeroPoint == 0 ? numbers
                          : b.sub(numbers, b.scalarTensor(x.zeroPoint, si32));
}

Value quantized_to_tosa::dequantized(torch::TorchBuilder &b, const Quantized &x,
                                     Type dtype) {
  SmallVector<int64_t> sizes(torch::tensorType(x.numbers).getRank(), 1);
  if (!x.hasOneScale())
    sizes[x.axis] = x.scales.size();
  SmallVector<float> scales(x.scales.begin(), x.scales.end());
  Value scale = b.literal(DenseElementsAttr::get(
      RankedTensorType::get(sizes, Float32Type::get(b.getContext())),
      ArrayRef(scales)));
  Value real = b.mul(b.convert(centred(b, x), dtype), b.convert(scale, dtype));
  if (!x.isClamped())
    return real;
  Value low = std::isfinite(x.low) ? b.constantFloat(x.low) : b.none();
  Value high = std::isfinite(x.high) ? b.constantFloat(x.high) : b.none();
  return b.create<torch::AtenClampOp>(real, low, high);
}
