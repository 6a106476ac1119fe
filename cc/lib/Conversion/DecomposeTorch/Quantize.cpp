//===- Quantize.cpp - Numbers as integers with a scale and a zero point ---===//
//
//   q = clamp(round(x / scale) + zero point)    y = (q - zero point) * scale
//
// As in PyTorch's kernels, x is multiplied by 1 / scale, and operands of
// several dtypes promote. Sources: torch/ao/quantization/fx/_decomposed.py.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "QuantizationParameters.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/QuantizationComposites.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// `low` and `high` are numbers, or tensors of one element.
static Tensor clamp(Tensor x, Value low, Value high) {
  if (!isTensor(low.getType()))
    return x.apply<AtenClampOp>(low, high);
  return min(max(x, single(x.builder(), low).as(x.dtype())),
             single(x.builder(), high).as(x.dtype()));
}

//===----------------------------------------------------------------------===//
// One scale
//===----------------------------------------------------------------------===//

template <typename Op>
static Value quantizePerTensor(Op op, TorchBuilder &b) {
  Tensor x = Tensor(b, op.getInput()).widened();
  std::optional<double> known = matchNumber(op.getScale());
  Tensor inverse = known ? x.number(1 / *known)
                         : (1 / single(b, op.getScale())).as(x.dtype());
  Tensor zeroPoint = single(b, op.getZeroPoint());
  Tensor q = round(x * inverse) + zeroPoint.as(x.dtype());
  return clamp(q, op.getQuantMin(), op.getQuantMax())
      .as(tensorType(op).getDtype());
}

template <typename Op>
static Value dequantizePerTensor(Op op, TorchBuilder &b) {
  // Each operation rounds to the dtype, but takes unrounded numbers.
  Type dtype = tensorType(op).getDtype(), wide = computedDtype(dtype);
  Tensor q = Tensor(b, op.getInput()).as(dtype).as(wide);
  auto number = [&](Value given) {
    return isTensor(given.getType()) ? single(b, given).as(wide)
                                     : scalar(b, given, wide);
  };
  Tensor difference = q - number(op.getZeroPoint());
  return (difference.as(dtype).as(wide) * number(op.getScale())).as(dtype);
}

//===----------------------------------------------------------------------===//
// A scale for each channel, row or group
//===----------------------------------------------------------------------===//

static Value quantizePerChannel(QuantizedDecomposedQuantizePerChannelOp op,
                                TorchBuilder &b) {
  Tensor x = Tensor(b, op.getInput()).widened();
  auto scales = alongAxis(x, op.getScales(), op.getAxis());
  auto zeroPoints = alongAxis(x, op.getZeroPoints(), op.getAxis());
  if (!scales || !zeroPoints)
    return {};
  Tensor q = round(x * (1 / *scales)) + *zeroPoints;
  return clamp(q, op.getQuantMin(), op.getQuantMax())
      .as(tensorType(op).getDtype());
}

/// Rounds to quantized numbers and back.
static Value fakeQuantPerChannel(QuantizedDecomposedFakeQuantPerChannelOp op,
                                 TorchBuilder &b) {
  Tensor x(b, op.getInput());
  auto scales = alongAxis(x, op.getScales(), op.getAxis());
  auto zeroPoints = alongAxis(x, op.getZeroPoints(), op.getAxis());
  if (!scales || !zeroPoints)
    return {};
  Tensor scale = scales->as(Float32Type::get(b.getContext()));
  Tensor zeroPoint = zeroPoints->as(x.dtype());
  Tensor q = round(x * (1 / scale)) + zeroPoint;
  q = clamp(q, op.getQuantMin(), op.getQuantMax());
  return ((q - zeroPoint) * scale).as(x.dtype());
}

/// (q - zero point) * scale, with a zero point that may be none.
static Tensor dequantized(Tensor q, Value scale, Value zeroPoint) {
  TorchBuilder &b = q.builder();
  if (!isNone(zeroPoint))
    q = q - Tensor(b, zeroPoint);
  return q * Tensor(b, scale);
}

static Value dequantizePerChannel(QuantizedDecomposedDequantizePerChannelOp op,
                                  TorchBuilder &b) {
  Tensor q(b, op.getInput());
  auto scales = alongAxis(q, op.getScales(), op.getAxis());
  if (!scales)
    return {};
  Value zeroPoints = op.getZeroPoints();
  if (!isNone(zeroPoints))
    zeroPoints = *alongAxis(q, zeroPoints, op.getAxis());
  return dequantized(q, *scales, zeroPoints).as(tensorType(op).getDtype());
}

static Tensor quantizedRows(Tensor x, Tensor scales, Tensor zeroPoints,
                            Value low, Value high) {
  return clamp(round(x * (1 / scales) + zeroPoints), low, high);
}

static Value quantizePerToken(QuantizedDecomposedQuantizePerTokenOp op,
                              TorchBuilder &b) {
  return quantizedRows({b, op.getInput()}, {b, op.getScales()},
                       {b, op.getZeroPoints()}, op.getQuantMin(),
                       op.getQuantMax())
      .as(tensorType(op).getDtype());
}

static Value dequantizePerToken(QuantizedDecomposedDequantizePerTokenOp op,
                                TorchBuilder &b) {
  return dequantized({b, op.getInput()}, op.getScales(), op.getZeroPoints())
      .as(tensorType(op).getDtype());
}

/// A matrix as rows of one group each, and numbers as a column. A group that is
/// longer than a row is the row.
template <typename Op>
static std::optional<SmallVector<Value>> groups(Op op, TorchBuilder &b) {
  std::optional<int64_t> size = matchInt(op.getGroupSize());
  if (!size || *size <= 1) {
    b.fail("expected a group_size above 1 that is known while compiling");
    return std::nullopt;
  }
  Value length = b.minInt(op.getGroupSize(), b.size(op.getInput(), 1));
  auto column = [&](Value each) -> Value {
    return isNone(each) ? each : b.view(each, {b.constant(-1), b.constant(1)});
  };
  return SmallVector<Value>{b.view(op.getInput(), {b.constant(-1), length}),
                            column(op.getScales()), column(op.getZeroPoints())};
}

static Value quantizePerGroup(QuantizedDecomposedQuantizePerChannelGroupOp op,
                              TorchBuilder &b) {
  auto parts = groups(op, b);
  if (!parts)
    return {};
  Tensor q = quantizedRows({b, (*parts)[0]}, {b, (*parts)[1]}, {b, (*parts)[2]},
                           op.getQuantMin(), op.getQuantMax())
                 .as(tensorType(op).getDtype());
  return b.view(q, b.sizes(op.getInput()));
}

static Value
dequantizePerGroup(QuantizedDecomposedDequantizePerChannelGroupOp op,
                   TorchBuilder &b) {
  auto parts = groups(op, b);
  if (!parts)
    return {};
  Tensor x = dequantized({b, (*parts)[0]}, (*parts)[1], (*parts)[2])
                 .as(tensorType(op).getDtype());
  return b.view(x, b.sizes(op.getInput()));
}

static Value
convertElementType(QuantizedDecomposedConvertElementTypeNoFuseOp op,
                   TorchBuilder &b) {
  return b.convert(op.getInput(), tensorType(op).getDtype());
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// aten._scaled_mm(self, mat2, scale_a, scale_b, bias?, scale_result?): the
/// product of (self * scale_a) and (mat2 * scale_b), plus a bias. A scale is
/// one number, or one for each row of self or column of mat2.
static Value scaledMm(Aten_ScaledMmOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype(), wide = computedDtype(dtype);
  Tensor product = Tensor(b, op.getSelf())
                       .as(wide)
                       .apply<AtenMmOp>(Tensor(b, op.getMat2()).as(wide));
  for (Value scale : {op.getScaleA(), op.getScaleB()}) {
    ValueTensorType type = tensorType(scale);
    // One number may have any rank.
    bool isSingle =
        llvm::all_of(type.getSizes(), [](int64_t size) { return size == 1; });
    product =
        product * (isSingle ? single(b, scale) : Tensor(b, scale)).as(wide);
  }
  if (!isNone(op.getBias()))
    product = product + Tensor(b, op.getBias()).as(wide);
  if (!isNone(op.getScaleResult()))
    product = product * single(b, op.getScaleResult()).as(wide);
  return product.as(dtype);
}

void populateQuantize(Decompositions &decompositions) {
  decompositions.add(
      convertElementType, dequantizePerChannel, dequantizePerGroup,
      dequantizePerTensor<QuantizedDecomposedDequantizePerTensorOp>,
      dequantizePerTensor<QuantizedDecomposedDequantizePerTensorTensorOp>,
      dequantizePerTensor<QuantizedDecomposedDequantizePerTensorTensor2Op>,
      dequantizePerToken, fakeQuantPerChannel, quantizePerChannel,
      quantizePerGroup,
      quantizePerTensor<QuantizedDecomposedQuantizePerTensorOp>,
      quantizePerTensor<QuantizedDecomposedQuantizePerTensorTensorOp>,
      quantizePerTensor<QuantizedDecomposedQuantizePerTensorTensor2Op>,
      quantizePerToken, scaledMm);
}

} // namespace isthmus::decompose_torch
