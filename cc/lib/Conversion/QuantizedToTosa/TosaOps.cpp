//===- TosaOps.cpp - TOSA ops on torch tensors ----------------------------===//

#include "TosaOps.h"
#include "isthmus/Dialect/Torch/TorchConversion.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::quantized_to_tosa;

std::optional<Ratio> quantized_to_tosa::splitRatio(double ratio) {
  constexpr int minShift = 2, maxShift = 62;
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
static Value constant(torch::TorchBuilder &b, ArrayRef<T> values) {
  auto type =
      RankedTensorType::get({static_cast<int64_t>(values.size())},
                            b.getBuilder().getIntegerType(8 * sizeof(T)));
  return tosa::ConstOp::create(b.getBuilder(), b.getLoc(), type,
                               DenseElementsAttr::get(type, values));
}

/// The type of a tensor of integers with the sizes of `like`, as TOSA has it.
static RankedTensorType builtinType(Value like, Type dtype) {
  return RankedTensorType::get(
      torch::tensorType(like).getSizes(),
      IntegerType::get(dtype.getContext(), dtype.getIntOrFloatBitWidth()));
}

/// A zero point of a tensor's element type.
static Value zeroPoint(torch::TorchBuilder &b, int64_t number,
                       RankedTensorType tensor) {
  auto type = RankedTensorType::get({1}, tensor.getElementType());
  auto value = b.getBuilder().getIntegerAttr(type.getElementType(), number);
  return tosa::ConstOp::create(b.getBuilder(), b.getLoc(), type,
                               DenseElementsAttr::get(type, value));
}

static Value toBuiltin(torch::TorchBuilder &b, Value numbers) {
  return torch_c::ToBuiltinTensorOp::create(
      b.getBuilder(), b.getLoc(),
      builtinType(numbers, torch::tensorType(numbers).getDtype()), numbers);
}

static Value fromBuiltin(torch::TorchBuilder &b, Value tensor, Type dtype) {
  auto sizes = cast<RankedTensorType>(tensor.getType()).getShape();
  return torch_c::FromBuiltinTensorOp::create(
      b.getBuilder(), b.getLoc(),
      torch::ValueTensorType::get(b.getContext(), sizes, dtype), tensor);
}

/// The same for channels in the last dim.
static Value rescaleLast(torch::TorchBuilder &b, Value numbers,
                         int64_t inputZero, ArrayRef<Ratio> ratios,
                         int64_t outputZero, Type dtype) {
  SmallVector<int32_t> multipliers;
  SmallVector<int8_t> shifts;
  for (const Ratio &ratio : ratios) {
    multipliers.push_back(ratio.multiplier);
    shifts.push_back(ratio.shift);
  }
  Value x = toBuiltin(b, numbers);
  RankedTensorType from = cast<RankedTensorType>(x.getType()),
                   to = builtinType(numbers, dtype);
  Value y = tosa::RescaleOp::create(
      b.getBuilder(), b.getLoc(), to, x, constant<int32_t>(b, multipliers),
      constant<int8_t>(b, shifts), zeroPoint(b, inputZero, from),
      zeroPoint(b, outputZero, to), /*scale32=*/true,
      tosa::RoundingMode::SINGLE_ROUND, /*per_channel=*/ratios.size() > 1,
      /*input_unsigned=*/false, /*output_unsigned=*/false);
  return fromBuiltin(b, y, dtype);
}

Value quantized_to_tosa::rescale(torch::TorchBuilder &b, Value numbers,
                                 int64_t inputZero, ArrayRef<Ratio> ratios,
                                 int64_t axis, int64_t outputZero, Type dtype) {
  int64_t rank = torch::tensorType(numbers).getRank();
  if (ratios.size() == 1 || axis == rank - 1)
    return rescaleLast(b, numbers, inputZero, ratios, outputZero, dtype);
  auto order = llvm::to_vector(llvm::seq<int64_t>(rank));
  order.erase(order.begin() + axis);
  order.push_back(axis);
  return b.permute(rescaleLast(b, b.permute(numbers, order), inputZero, ratios,
                               outputZero, dtype),
                   invertPermutationVector(order));
}

Value quantized_to_tosa::lookUp(torch::TorchBuilder &b, Value numbers,
                                ArrayRef<int8_t> entries) {
  Value x = toBuiltin(b, numbers);
  Value y = tosa::TableOp::create(b.getBuilder(), b.getLoc(), x.getType(), x,
                                  constant<int8_t>(b, entries));
  return fromBuiltin(b, y, torch::tensorType(numbers).getDtype());
}
