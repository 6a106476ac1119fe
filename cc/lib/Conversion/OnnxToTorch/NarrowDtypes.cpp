//===- NarrowDtypes.cpp - ONNX dtypes that torch lacks --------------------===//

#include "NarrowDtypes.h"
#include "MlValues.h"
#include "Quantization.h"
#include "isthmus/Dialect/Onnx/ControlFlow.h"
#include "isthmus/Dialect/Onnx/Generator.h"
#include "isthmus/Dialect/Onnx/Math.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Onnx/Nn.h"
#include "isthmus/Dialect/Onnx/Optional.h"
#include "isthmus/Dialect/Onnx/Quantization.h"
#include "isthmus/Dialect/Onnx/Structure.h"
#include "isthmus/Dialect/Onnx/Tensor.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

static bool isNarrowInteger(Type dtype) {
  auto integer = dyn_cast<IntegerType>(dtype);
  return integer && (integer.getWidth() == 2 || integer.getWidth() == 4);
}

static bool isUnsignedBytes(Type dtype) {
  return !isNarrowInteger(dtype) || dtype.isUnsignedInteger();
}

Type onnx_to_torch::bytesFor(Type dtype) {
  if (!dtype || !(isNarrowInteger(dtype) ||
                  isa<Float4E2M1FNType, Float8E8M0FNUType>(dtype)))
    return {};
  return IntegerType::get(dtype.getContext(), 8,
                          isUnsignedBytes(dtype) ? IntegerType::Unsigned
                                                 : IntegerType::Signed);
}

Type onnx_to_torch::narrowDtypeOf(Value onnxValue) {
  auto type = dyn_cast<TensorType>(onnxValue.getType());
  return type && bytesFor(type.getElementType()) ? type.getElementType()
                                                 : Type();
}

bool onnx_to_torch::carries(Operation *node) {
  return isa<
      // These convert.
      onnx::CastOp, onnx::CastLikeOp, onnx::ConstantOfShapeOp, onnx::ConstantOp,
      onnx::DequantizeLinearOp, onnx::QuantizeLinearOp,
      onnx::MicrosoftDequantizeLinearOp, onnx::MicrosoftQuantizeLinearOp,
      onnx::MicrosoftGatherBlockQuantizedOp,
      // These move elements.
      onnx::ConcatOp, onnx::ExpandOp, onnx::FlattenOp, onnx::GatherOp,
      onnx::IdentityOp, onnx::IfOp, onnx::LoopOp, onnx::OptionalGetElementOp,
      onnx::OptionalHasElementOp, onnx::OptionalOp, onnx::PadOp,
      onnx::ReshapeOp, onnx::ScanOp, onnx::ShapeOp, onnx::SizeOp, onnx::SliceOp,
      onnx::SplitOp, onnx::SqueezeOp, onnx::TensorScatterOp, onnx::TileOp,
      onnx::TransposeOp, onnx::UnsqueezeOp>(node);
}

//===----------------------------------------------------------------------===//
// To numbers
//===----------------------------------------------------------------------===//

/// The number of each code.
static SmallVector<double> codesOf(mlir::FloatType dtype) {
  unsigned width = dtype.getWidth();
  SmallVector<double> numbers;
  for (uint64_t code = 0; code < (uint64_t(1) << width); ++code)
    numbers.push_back(APFloat(dtype.getFloatSemantics(), APInt(width, code))
                          .convertToDouble());
  return numbers;
}

Value onnx_to_torch::decode(NodeBuilder &b, Value bytes, Value onnxValue) {
  auto floats = dyn_cast_or_null<mlir::FloatType>(narrowDtypeOf(onnxValue));
  if (!floats)
    return bytes;
  SmallVector<double> numbers = codesOf(floats);
  int64_t count = numbers.size();
  // The bytes of an argument may have more bits than the dtype.
  Value code = b.create<torch::AtenBitwiseAndTensorOp>(
      b.convert(bytes, int64Dtype(b)),
      b.scalarTensor(count - 1, int64Dtype(b)));
  return take(b, table(b, numbers, {count}, float32Dtype(b)), code, /*axis=*/0);
}

//===----------------------------------------------------------------------===//
// To bytes
//===----------------------------------------------------------------------===//

/// The lowest bits: (x << n) >> n, or x & mask.
static Value encodeInteger(NodeBuilder &b, Value x, IntegerType dtype) {
  Type wide = IntegerType::get(b.getContext(), 32, IntegerType::Signed);
  auto number = [&](int64_t value) { return b.scalarTensor(value, wide); };
  x = b.convert(x, wide);
  if (dtype.isUnsigned())
    return b.create<torch::AtenBitwiseAndTensorOp>(
        x, number((1 << dtype.getWidth()) - 1));
  Value shift = number(32 - dtype.getWidth());
  return b.create<torch::AtenBitwiseRightShiftTensorOp>(
      b.create<torch::AtenBitwiseLeftShiftTensorOp>(x, shift), shift);
}

/// The sum of bools, each times a number.
static Value weightedSum(NodeBuilder &b,
                         ArrayRef<std::pair<Value, int64_t>> bools) {
  Type wide = IntegerType::get(b.getContext(), 32, IntegerType::Signed);
  Value sum;
  for (auto [condition, weight] : bools) {
    Value term = b.convert(condition, wide);
    if (weight != 1)
      term = b.mul(term, b.scalarTensor(weight, wide));
    sum = sum ? b.add(sum, term) : term;
  }
  return sum;
}

/// The code of the nearest of 0, 0.5, 1, 1.5, 2, 3, 4, 6, or of the one with an
/// even code, and the sign: the number of bounds that |x| passes, and 8.
static Value encodeE2M1(NodeBuilder &b, Value x) {
  x = b.convert(x, Float32Type::get(b.getContext()));
  Value magnitude = b.create<torch::AtenAbsOp>(x);
  SmallVector<std::pair<Value, int64_t>> steps;
  auto above = [&](double bound) {
    steps.push_back(
        {b.create<torch::AtenGtScalarOp>(magnitude, b.constantFloat(bound)),
         1});
  };
  auto atOrAbove = [&](double bound) {
    steps.push_back(
        {b.create<torch::AtenGeScalarOp>(magnitude, b.constantFloat(bound)),
         1});
  };
  above(0.25);
  atOrAbove(0.75);
  above(1.25);
  atOrAbove(1.75);
  above(2.5);
  atOrAbove(3.5);
  above(5);
  steps.push_back({b.create<torch::AtenSignbitOp>(x), 8});
  return weightedSum(b, steps);
}

/// The exponent of an f32, rounded; 255 (NaN) for infinities and NaN.
static FailureOr<Value> encodeE8M0(NodeBuilder &b, Value x, Rounding rounding) {
  if (rounding.mode != "up" && rounding.mode != "down" &&
      rounding.mode != "nearest")
    return b.decline() << "expected round_mode to be up, down or nearest, got '"
                       << rounding.mode << "'";
  Type wide = IntegerType::get(b.getContext(), 32, IntegerType::Signed);
  auto number = [&](int64_t value) { return b.scalarTensor(value, wide); };
  Value bits = b.create<torch::AtenViewDtypeOp>(
      b.convert(x, Float32Type::get(b.getContext())), b.dtype(wide));
  Value exponent = b.create<torch::AtenBitwiseAndTensorOp>(
      b.create<torch::AtenBitwiseRightShiftTensorOp>(bits, number(23)),
      number(0xFF));
  if (rounding.mode == "down")
    return exponent;
  // A number of less than 2^-126 has no leading 1, so half the way from 0 to
  // 2^-127 is rounded to 0, which is even.
  Value fraction =
      b.create<torch::AtenBitwiseAndTensorOp>(bits, number(0x7FFFFF));
  Value least = number(0);
  if (rounding.mode == "nearest")
    least = b.where(b.create<torch::AtenGtScalarOp>(exponent, b.constant(0)),
                    number(0x3FFFFF), number(0x400000));
  Value isUp = b.create<torch::AtenGtTensorOp>(fraction, least);
  isUp = b.create<torch::AtenLogicalAndOp>(
      isUp, b.create<torch::AtenLtScalarOp>(
                exponent, b.constant(rounding.saturates ? 0xFE : 0xFF)));
  return b.add(exponent, b.convert(isUp, wide));
}

/// Casts to a float of 8 bits. Values beyond its largest number become that
/// number, or (unless it saturates) infinity if the dtype has one, else NaN.
static Value castToFloat8(NodeBuilder &b, Value x, mlir::FloatType dtype,
                          bool saturates) {
  Type from = dtypeOf(x);
  if (!torch::isFloatingPoint(from) || from.getIntOrFloatBitWidth() == 8)
    x = b.convert(x, Float32Type::get(b.getContext()));
  double largest =
      APFloat::getLargest(dtype.getFloatSemantics()).convertToDouble();
  if (saturates)
    return b.convert(b.create<torch::AtenClampOp>(x, b.constantFloat(-largest),
                                                  b.constantFloat(largest)),
                     dtype);
  // PyTorch always saturates for one dtype. Values up to half the way to 480,
  // which would be the next number, are rounded to 448.
  if (isa<Float8E4M3FNType>(dtype)) {
    Value isBeyond = b.create<torch::AtenGtScalarOp>(
        b.create<torch::AtenAbsOp>(x), b.constantFloat(464));
    x = b.where(
        isBeyond,
        b.scalarTensor(std::numeric_limits<double>::quiet_NaN(), dtypeOf(x)),
        x);
  }
  return b.convert(x, dtype);
}

/// Numbers as bytes of a narrow dtype.
static FailureOr<Value> encode(NodeBuilder &b, Value numbers, Type dtype,
                               Rounding rounding) {
  FailureOr<Value> code;
  if (auto integer = dyn_cast<IntegerType>(dtype))
    code = encodeInteger(b, numbers, integer);
  else if (isa<Float4E2M1FNType>(dtype))
    code = encodeE2M1(b, numbers);
  else
    code = encodeE8M0(b, numbers, rounding);
  if (failed(code))
    return failure();
  return b.convert(*code, bytesFor(dtype));
}

FailureOr<Value> onnx_to_torch::castTo(NodeBuilder &b, Value numbers,
                                       Type dtype, Rounding rounding) {
  if (bytesFor(dtype))
    return encode(b, numbers, dtype, rounding);
  Type torchDtype = torch::toTorchDtype(dtype);
  if (!torchDtype)
    return b.decline() << "torch has no dtype for " << dtype;
  if (isa<Float8E4M3FNType, Float8E4M3FNUZType, Float8E5M2Type,
          Float8E5M2FNUZType>(dtype) &&
      dtype != dtypeOf(numbers))
    return castToFloat8(b, numbers, cast<mlir::FloatType>(dtype),
                        rounding.saturates);
  return b.convert(numbers, torchDtype);
}

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

/// The packed bytes of the file, and ops that unpack them.
static Value unpacked(NodeBuilder &b, DenseResourceElementsAttr value,
                      Type dtype) {
  int64_t bits = dtype.getIntOrFloatBitWidth(), inByte = 8 / bits;
  int64_t count = value.getType().getNumElements();
  auto i8 = IntegerType::get(b.getContext(), 8);
  int64_t bytes = llvm::divideCeil(count, inByte);
  Value packed = b.literal(DenseResourceElementsAttr::get(
      RankedTensorType::get({bytes}, i8), value.getRawHandle()));
  Value each = unpackBits(b, packed, bits, !isUnsignedBytes(dtype));
  if (count < bytes * inByte)
    each = b.slice(each, 0, b.constant(0), b.constant(count));
  SmallVector<Value> sizes =
      llvm::map_to_vector(value.getType().getShape(),
                          [&](int64_t size) { return b.constant(size); });
  return b.convert(b.view(each, sizes), bytesFor(dtype));
}

Value onnx_to_torch::narrowLiteral(NodeBuilder &b, ElementsAttr elements) {
  Type dtype = elements.getElementType();
  bool isUnsigned = isUnsignedBytes(dtype);
  auto dense = dyn_cast<DenseElementsAttr>(elements);
  if (!dense) {
    auto resource = dyn_cast<DenseResourceElementsAttr>(elements);
    return resource ? unpacked(b, resource, dtype) : Value();
  }
  auto byte = IntegerType::get(b.getContext(), 8,
                               isUnsigned ? IntegerType::Unsigned
                                          : IntegerType::Signless);
  auto extended = [&](const APInt &bits) {
    return isUnsigned ? bits.zextOrTrunc(8) : bits.sextOrTrunc(8);
  };
  if (isa<IntegerType>(dtype))
    return b.literal(dense.mapValues(byte, extended));
  return b.literal(dense.mapValues(byte, [&](const APFloat &number) {
    return extended(number.bitcastToAPInt());
  }));
}
