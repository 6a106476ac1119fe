//===- Quantization.cpp - ONNX quantization to ATen -----------------------===//
//
// One function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
// Quantized tensors are tensors of integers; scales and zero points are
// operands.
//
//===----------------------------------------------------------------------===//

#include "Quantization.h"
#include "Families.h"
#include "NarrowDtypes.h"
#include "isthmus/Dialect/Onnx/Math.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Onnx/Quantization.h"
#include "isthmus/Dialect/Onnx/Schemas.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

FailureOr<Value> onnx_to_torch::quantize(NodeBuilder &b, Value x, Value scale,
                                         Value zeroPoint, Type dtype) {
  if (!isa<IntegerType>(dtype) || dtype.getIntOrFloatBitWidth() > 32 ||
      dtype.isInteger(1))
    return b.decline()
           << "expected a quantized dtype of integers of up to 32 bits, got "
           << dtype;
  Type wide = dtypeOf(x);
  Value rounded = b.create<torch::AtenRoundOp>(b.div(x, scale));
  if (zeroPoint && isPresent(zeroPoint))
    rounded = b.add(rounded, b.convert(zeroPoint, wide));
  unsigned width = dtype.getIntOrFloatBitWidth();
  bool isUnsigned = dtype.isUnsignedInteger();
  double low = isUnsigned ? 0 : -std::ldexp(1.0, width - 1);
  double high = std::ldexp(1.0, isUnsigned ? width : width - 1) - 1;
  Value clamped = b.create<torch::AtenClampOp>(rounded, b.constantFloat(low),
                                               b.constantFloat(high));
  Type bytes = bytesFor(dtype);
  return b.convert(clamped, bytes ? bytes : dtype);
}

// The range always holds 0: scale = (max - min) / 255, zero point =
// round(-min / scale)
FailureOr<Quantized> onnx_to_torch::quantizeByRange(NodeBuilder &b, Value x,
                                                    Type quantized) {
  Type dtype = dtypeOf(x);
  Value dims = b.ints(llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x))));
  Value keepdim = b.constantBool(false), zero = b.scalarTensor(0.0, dtype);
  Value largest = b.create<torch::AtenAmaxOp>(x, dims, keepdim);
  Value smallest = b.create<torch::AtenAminOp>(x, dims, keepdim);
  largest = b.create<torch::AtenMaximumOp>(largest, zero);
  smallest = b.create<torch::AtenMinimumOp>(smallest, zero);
  Value scale = b.div(b.sub(largest, smallest), b.scalarTensor(255.0, dtype));
  Value isEmpty = b.create<torch::AtenEqScalarOp>(scale, b.constantFloat(0));
  Value divisor = b.where(isEmpty, b.scalarTensor(1.0, dtype), scale);
  Value exact = b.div(b.create<torch::AtenNegOp>(smallest), divisor);
  Value rounded =
      b.create<torch::AtenClampOp>(b.create<torch::AtenRoundOp>(exact),
                                   b.constantFloat(0), b.constantFloat(255));
  Value zeroPoint = b.convert(rounded, quantized);
  FailureOr<Value> y = quantize(b, x, divisor, zeroPoint, quantized);
  if (failed(y))
    return failure();
  return Quantized{*y, scale, zeroPoint};
}

Value onnx_to_torch::dequantize(NodeBuilder &b, Value x, Value scale,
                                Value zeroPoint) {
  Type wide = IntegerType::get(b.getContext(), 32, IntegerType::Signed),
       f32 = Float32Type::get(b.getContext());
  Value centred = b.convert(x, wide);
  if (isPresent(zeroPoint))
    centred = b.sub(centred, b.convert(zeroPoint, wide));
  return b.mul(b.convert(centred, f32), b.convert(scale, f32));
}

Value onnx_to_torch::perLine(NodeBuilder &b, Value numbers, Value matrix,
                             int64_t axis) {
  int64_t rank = rankOf(matrix), dim = rank + axis;
  return rankOf(numbers) == 1 && dim >= 0 ? alongAxis(b, numbers, dim, rank)
                                          : numbers;
}

Value onnx_to_torch::centredMatrix(NodeBuilder &b, Value matrix,
                                   Value zeroPoint, int64_t axis) {
  Type wide = IntegerType::get(b.getContext(), 32, IntegerType::Signed);
  matrix = b.convert(matrix, wide);
  if (!isPresent(zeroPoint))
    return matrix;
  zeroPoint = b.convert(zeroPoint, wide);
  return b.sub(matrix, perLine(b, zeroPoint, matrix, axis));
}

Value onnx_to_torch::scaledProduct(NodeBuilder &b, Value product, Value aScale,
                                   Value bScale, Value bias) {
  Type dtype = dtypeOf(aScale);
  Value y = b.mul(b.convert(product, dtype),
                  b.mul(aScale, perLine(b, bScale, product, -1)));
  return isPresent(bias) ? b.add(y, bias) : y;
}

// Of 4 bits, signed: byte << 4 >> 4, byte >> 4, byte << 4 >> 4 …
Value onnx_to_torch::dequantizeBlocks(NodeBuilder &b, Value q, Value scale,
                                      Value zeroPoint, double otherwise) {
  Type dtype = dtypeOf(scale);
  int64_t last = rankOf(scale);
  Value shift = zeroPoint ? b.unsqueeze(b.convert(zeroPoint, dtype), last)
                          : b.scalarTensor(otherwise, dtype);
  Value y = b.mul(b.sub(b.convert(q, dtype), shift), b.unsqueeze(scale, last));
  SmallVector<Value> sizes = b.sizes(scale);
  sizes.back() = b.mulInt(sizes.back(), b.size(q, last));
  return b.view(y, sizes);
}

LogicalResult onnx_to_torch::checkBits(NodeBuilder &b, int64_t bits) {
  if (bits == 2 || bits == 4 || bits == 8)
    return success();
  return b.decline() << "expected bits to be 2, 4 or 8, got " << bits;
}

Value onnx_to_torch::unpackBits(NodeBuilder &b, Value bytes, int64_t bits,
                                bool isSigned) {
  if (bits == 8)
    return bytes;
  Type dtype = dtypeOf(bytes);
  int64_t rank = rankOf(bytes), inByte = 8 / bits;
  auto number = [&](int64_t value) { return b.scalarTensor(value, dtype); };
  SmallVector<Value> parts;
  for (int64_t i = 0; i < inByte; ++i) {
    int64_t below = i * bits, above = 8 - bits - below;
    Value part = bytes;
    if (!isSigned) {
      part =
          b.create<torch::AtenBitwiseRightShiftTensorOp>(part, number(below));
      part = b.create<torch::AtenBitwiseAndTensorOp>(part,
                                                     number((1 << bits) - 1));
    } else {
      if (above)
        part =
            b.create<torch::AtenBitwiseLeftShiftTensorOp>(part, number(above));
      part = b.create<torch::AtenBitwiseRightShiftTensorOp>(part,
                                                            number(8 - bits));
    }
    parts.push_back(b.unsqueeze(part, rank));
  }
  SmallVector<Value> sizes = b.sizes(bytes);
  sizes.back() = b.mulInt(sizes.back(), b.constant(inByte));
  return b.view(b.cat(parts, rank), sizes);
}

namespace {

/// Reshapes a scale or zero point to broadcast with `x`: one number, one per
/// element of `axis`, or one per block of `blockSize` elements of it.
FailureOr<Value> perElement(NodeBuilder &b, Value parameter, Value x,
                            int64_t axis, int64_t blockSize) {
  if (rankOf(parameter) == 0)
    return parameter;
  if (rankOf(parameter) == 1 && sizeOf(parameter, 0) == 1)
    return b.squeeze(parameter, {0});
  FailureOr<int64_t> dim = axisOf(b, axis, rankOf(x));
  if (failed(dim))
    return failure();
  if (rankOf(parameter) == 1 && blockSize == 0)
    return alongAxis(b, parameter, *dim, rankOf(x));
  if (blockSize < 1 || rankOf(parameter) != rankOf(x))
    return b.decline() << "expected scales and zero points that are scalars, "
                          "vectors along axis "
                       << axis << " or blocks along it, got "
                       << parameter.getType();
  // [..., n, ...] repeated to [..., n, blockSize, ...], cut off at the dim's
  // end.
  SmallVector<Value> sizes = b.sizes(parameter), repeated = sizes,
                     whole = sizes;
  repeated.insert(repeated.begin() + *dim + 1, b.constant(blockSize));
  whole[*dim] = b.mulInt(sizes[*dim], b.constant(blockSize));
  Value blocks =
      b.view(b.expand(b.unsqueeze(parameter, *dim + 1), repeated), whole);
  return b.slice(blocks, *dim, b.constant(0), b.size(x, *dim));
}

/// y = (x - x_zero_point) * x_scale
template <typename Op>
FailureOr<Value> dequantizeLinear(Op op, typename Op::Adaptor in, int64_t axis,
                                  int64_t blockSize, NodeBuilder &b) {
  Value x = decode(b, in.getX(), op.getX()),
        xScale = decode(b, in.getXScale(), op.getXScale());
  Type result = b.declaredDtype(op.getY()),
       f32 = Float32Type::get(b.getContext());
  FailureOr<Value> scale = perElement(b, xScale, x, axis, blockSize);
  if (failed(scale))
    return failure();
  Type wide =
      torch::isIntegral(dtypeOf(x))
          ? Type(IntegerType::get(b.getContext(), 32, IntegerType::Signed))
          : f32;
  Value centred = b.convert(x, wide);
  if (isPresent(in.getXZeroPoint())) {
    FailureOr<Value> zeroPoint =
        perElement(b, decode(b, in.getXZeroPoint(), op.getXZeroPoint()), x,
                   axis, blockSize);
    if (failed(zeroPoint))
      return failure();
    centred = b.sub(centred, b.convert(*zeroPoint, wide));
  }
  Value scaled = b.mul(b.convert(centred, f32), b.convert(*scale, f32));
  return b.convert(scaled, result ? result : dtypeOf(xScale));
}

/// DequantizeLinear-28
FailureOr<Value> lowerDequantizeLinear(onnx::DequantizeLinearOp op,
                                       onnx::DequantizeLinearOp::Adaptor in,
                                       NodeBuilder &b) {
  return dequantizeLinear(op, in, op.getAxis(), op.getBlockSize(), b);
}

/// onnxruntime's op; it had 16-bit types before ONNX did.
FailureOr<Value>
lowerMicrosoftDequantizeLinear(onnx::MicrosoftDequantizeLinearOp op,
                               onnx::MicrosoftDequantizeLinearOp::Adaptor in,
                               NodeBuilder &b) {
  return dequantizeLinear(op, in, op.getAxis().value_or(1), /*blockSize=*/0, b);
}

/// DynamicQuantizeLinear-11: QuantizeLinear to uint8 by the range of x
FailureOr<SmallVector<Value>>
lowerDynamicQuantizeLinear(onnx::DynamicQuantizeLinearOp op,
                           onnx::DynamicQuantizeLinearOp::Adaptor in,
                           NodeBuilder &b) {
  FailureOr<Quantized> y =
      quantizeByRange(b, in.getX(), b.declaredDtype(op.getY()));
  if (failed(y))
    return failure();
  return SmallVector<Value>{y->tensor, y->scale, y->zeroPoint};
}

/// MatMulInteger-10: (A - a_zero_point) * (B - b_zero_point) in 32-bit
/// integers.
FailureOr<Value> lowerMatMulInteger(onnx::MatMulIntegerOp,
                                    onnx::MatMulIntegerOp::Adaptor in,
                                    NodeBuilder &b) {
  return Value(b.create<torch::AtenMatmulOp>(
      centredMatrix(b, in.getA(), in.getAZeroPoint(),
                    rankOf(in.getA()) == 1 ? -1 : -2),
      centredMatrix(b, in.getB(), in.getBZeroPoint(), -1)));
}

/// QLinearMatMul-21: the product of two quantized matrices, quantized.
FailureOr<Value> lowerQLinearMatMul(onnx::QLinearMatMulOp op,
                                    onnx::QLinearMatMulOp::Adaptor in,
                                    NodeBuilder &b) {
  Type f32 = Float32Type::get(b.getContext());
  auto scaleOf = [&](Value scale, Value matrix, int64_t axis) {
    return perLine(b, b.convert(scale, f32), matrix, axis);
  };
  Value product = b.create<torch::AtenMatmulOp>(
      centredMatrix(b, in.getA(), in.getAZeroPoint(), -2),
      centredMatrix(b, in.getB(), in.getBZeroPoint(), -1));
  if (b.hasFailed())
    return failure();
  Value scaled = b.mul(
      b.mul(b.convert(product, f32), scaleOf(in.getAScale(), in.getA(), -2)),
      scaleOf(in.getBScale(), in.getB(), -1));
  return quantize(b, scaled, scaleOf(in.getYScale(), scaled, -2),
                  in.getYZeroPoint(), b.declaredDtype(op.getY()));
}

/// y = saturate(round(x / y_scale) + y_zero_point); floats of 8 bits and less
/// are x / y_scale + y_zero_point, rounded to the nearest of them.
template <typename Op>
FailureOr<Value> quantizeLinear(Op op, typename Op::Adaptor in, int64_t axis,
                                int64_t blockSize, bool saturates,
                                NodeBuilder &b) {
  Value x = in.getX(), zeroPoint;
  FailureOr<Value> scale = perElement(
      b, decode(b, in.getYScale(), op.getYScale()), x, axis, blockSize);
  if (failed(scale))
    return failure();
  if (isPresent(in.getYZeroPoint())) {
    FailureOr<Value> broadcast =
        perElement(b, decode(b, in.getYZeroPoint(), op.getYZeroPoint()), x,
                   axis, blockSize);
    if (failed(broadcast))
      return failure();
    zeroPoint = *broadcast;
  }
  Type declared = getElementTypeOrSelf(op.getY().getType());
  // The quotient of integers and of half floats is exact enough in f32.
  Type f32 = Float32Type::get(b.getContext());
  x = b.convert(x, f32);
  scale = b.convert(*scale, f32);
  if (isa<mlir::FloatType>(declared)) {
    Value y = b.div(x, *scale);
    if (zeroPoint)
      y = b.add(y, b.convert(zeroPoint, f32));
    return castTo(b, y, declared, {"nearest", saturates});
  }
  Type dtype = bytesFor(declared) ? declared : b.declaredDtype(op.getY());
  if (!dtype)
    return b.decline() << "expected a quantized dtype that torch has, got "
                       << op.getY().getType();
  return quantize(b, x, *scale, zeroPoint, dtype);
}

/// QuantizeLinear-28
FailureOr<Value> lowerQuantizeLinear(onnx::QuantizeLinearOp op,
                                     onnx::QuantizeLinearOp::Adaptor in,
                                     NodeBuilder &b) {
  return quantizeLinear(op, in, op.getAxis(), op.getBlockSize(),
                        op.getSaturate(), b);
}

/// onnxruntime's op; it had 16-bit types before ONNX did.
FailureOr<Value>
lowerMicrosoftQuantizeLinear(onnx::MicrosoftQuantizeLinearOp op,
                             onnx::MicrosoftQuantizeLinearOp::Adaptor in,
                             NodeBuilder &b) {
  return quantizeLinear(op, in, op.getAxis().value_or(1), /*blockSize=*/0,
                        /*saturates=*/true, b);
}

} // namespace

void onnx_to_torch::populateQuantization(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerDequantizeLinear);
  lowerings.add(lowerDynamicQuantizeLinear);
  lowerings.add(lowerMicrosoftDequantizeLinear);
  lowerings.add(lowerMicrosoftQuantizeLinear);
  lowerings.add(lowerMatMulInteger);
  lowerings.add(lowerQLinearMatMul);
  lowerings.add(lowerQuantizeLinear);
}
