//===- ScalarTypes.cpp - PyTorch's dtype codes and promotion --------------===//

#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/TorchTypes.h"

using namespace mlir;
using namespace isthmus;

namespace {
/// The number of a c10::ScalarType, and its dtype.
struct Code {
  int64_t code;
  Type (*type)(MLIRContext *);
};
} // namespace

template <unsigned width, IntegerType::SignednessSemantics sign>
static Type integer(MLIRContext *context) {
  return IntegerType::get(context, width, sign);
}
template <typename Float>
static Type floating(MLIRContext *context) {
  return Float::get(context);
}
template <typename Float>
static Type complex(MLIRContext *context) {
  return ComplexType::get(Float::get(context));
}

static constexpr Code codes[] = {
    {0, integer<8, IntegerType::Unsigned>},
    {1, integer<8, IntegerType::Signed>},
    {2, integer<16, IntegerType::Signed>},
    {3, integer<32, IntegerType::Signed>},
    {4, integer<64, IntegerType::Signed>},
    {5, floating<Float16Type>},
    {6, floating<Float32Type>},
    {7, floating<Float64Type>},
    {8, complex<Float16Type>},
    {9, complex<Float32Type>},
    {10, complex<Float64Type>},
    {11, integer<1, IntegerType::Signless>},
    {15, floating<BFloat16Type>},
    {23, floating<Float8E5M2Type>},
    {24, floating<Float8E4M3FNType>},
    {25, floating<Float8E5M2FNUZType>},
    {26, floating<Float8E4M3FNUZType>},
    {27, integer<16, IntegerType::Unsigned>},
    {28, integer<32, IntegerType::Unsigned>},
    {29, integer<64, IntegerType::Unsigned>},
};

Type torch::dtypeOfCode(MLIRContext *context, int64_t code) {
  for (const Code &entry : codes)
    if (entry.code == code)
      return entry.type(context);
  return {};
}

std::optional<int64_t> torch::codeOfDtype(Type dtype) {
  for (const Code &entry : codes)
    if (dtype && entry.type(dtype.getContext()) == dtype)
      return entry.code;
  return std::nullopt;
}

bool torch::isIntegral(Type dtype) {
  return isa_and_nonnull<IntegerType>(dtype);
}
bool torch::isBoolean(Type dtype) { return dtype && dtype.isInteger(1); }
bool torch::isFloatingPoint(Type dtype) {
  return isa_and_nonnull<mlir::FloatType>(dtype);
}
bool torch::isComplex(Type dtype) {
  return isa_and_nonnull<ComplexType>(dtype);
}

Type torch::partDtype(Type dtype) {
  auto complexType = dyn_cast_or_null<ComplexType>(dtype);
  return complexType ? complexType.getElementType() : dtype;
}

/// bool < integers < floats < complex.
static int kind(Type dtype) {
  if (torch::isBoolean(dtype))
    return 0;
  if (torch::isIntegral(dtype))
    return 1;
  return torch::isComplex(dtype) ? 3 : 2;
}

static unsigned width(Type dtype) {
  return torch::partDtype(dtype).getIntOrFloatBitWidth();
}

static bool hasSign(Type dtype) {
  return !torch::isBoolean(dtype) && !dtype.isUnsignedInteger();
}

int64_t torch::integerOf(const APInt &bits, Type dtype) {
  return hasSign(dtype) ? bits.getSExtValue()
                        : static_cast<int64_t>(bits.getZExtValue());
}

double torch::doubleOf(const APInt &bits, Type dtype) {
  return bits.roundToDouble(hasSign(dtype));
}

Type torch::promoteDtypes(Type a, Type b) {
  if (!a || !b)
    return {};
  if (a == b)
    return a;
  if (kind(a) > kind(b))
    std::swap(a, b);
  MLIRContext *context = a.getContext();
  // The higher kind wins. A complex dtype takes the width of a wider float.
  if (kind(a) != kind(b)) {
    if (isComplex(b) && isFloatingPoint(a) && width(a) > width(b))
      return ComplexType::get(a);
    return b;
  }
  if (isIntegral(a)) {
    if (width(a) > width(b))
      std::swap(a, b);
    // si8 and ui8 promote to si16. PyTorch promotes wider unsigned dtypes only
    // with themselves; here they promote to the next signed dtype as well.
    if (a.isUnsignedInteger() == b.isUnsignedInteger() ||
        (width(a) < width(b) && b.isSignedInteger()))
      return b;
    return IntegerType::get(context, std::min(2 * width(b), 64u),
                            IntegerType::Signed);
  }
  if (width(a) != width(b))
    return width(a) > width(b) ? a : b;
  return Float32Type::get(context); // f16 and bf16, or two kinds of f8
}

Type torch::resultDtype(ValueRange operands) {
  // [0] tensors with dims, [1] rank-0 tensors, [2] Python scalars.
  Type byPriority[3];
  for (Value operand : operands) {
    Type type = operand.getType();
    MLIRContext *context = type.getContext();
    unsigned priority = 2;
    Type dtype;
    if (auto tensor = dyn_cast<ValueTensorType>(type)) {
      priority = tensor.hasRank() && tensor.getRank() == 0 ? 1 : 0;
      dtype = tensor.getDtype();
    } else if (isInt(type)) {
      dtype = IntegerType::get(context, 64, IntegerType::Signed);
    } else if (isFloat(type)) {
      dtype = Float32Type::get(context);
    } else if (isBool(type)) {
      dtype = IntegerType::get(context, 1);
    }
    if (!dtype)
      return {};
    Type &slot = byPriority[priority];
    slot = slot ? promoteDtypes(slot, dtype) : dtype;
  }
  Type result;
  for (Type dtype : byPriority)
    if (dtype && (!result || kind(dtype) > kind(result)))
      result = result ? promoteDtypes(result, dtype) : dtype;
  return result;
}
