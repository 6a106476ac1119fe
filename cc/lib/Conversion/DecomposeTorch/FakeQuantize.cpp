//===- FakeQuantize.cpp - Numbers rounded as if they were quantized -------===//
//
//   q = round(x / scale) + zero point     y = (q - zero point) * scale
//
// with q clamped to [min, max], and NaN to min. A zero point that is no integer
// is added before rounding. The mask says where q is in that range, which
// gradients use. As in PyTorch's kernels, x is multiplied by 1 / scale, which
// is computed in f32.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "QuantizationParameters.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// y, multiplied in `dtype`, and the mask; the scale and the zero point
/// broadcast to x.
template <typename Op>
static Decompositions::Values rounded(Op op, TorchBuilder &b, Tensor scale,
                                      Tensor zeroPoint, Type dtype) {
  Tensor own(b, op.getSelf()), x = own.widened();
  auto low = matchInt(op.getQuantMin()), high = matchInt(op.getQuantMax());
  if (!low || !high)
    return {b.fail("expected quant_min and quant_max that are known while "
                   "compiling")};
  bool isWhole = isIntegral(zeroPoint.dtype());
  scale = scale.as(Float32Type::get(b.getContext()));
  zeroPoint = zeroPoint.as(x.dtype());
  Tensor quotient = x * (1 / scale).as(x.dtype());
  Tensor q =
      isWhole ? round(quotient) + zeroPoint : round(quotient + zeroPoint);
  double least = static_cast<double>(*low), most = static_cast<double>(*high);
  Tensor inRange = where(q >= least, min(q, most), least);
  Tensor y = (inRange - zeroPoint).as(dtype) * scale.as(dtype);
  return {y.as(own.dtype()), (q >= least) & (q <= most)};
}

template <typename Op>
static Decompositions::Values roundedAlike(Op op, TorchBuilder &b) {
  return rounded(op, b, single(b, op.getScale()), single(b, op.getZeroPoint()),
                 Float32Type::get(b.getContext()));
}

template <typename Op>
static Decompositions::Values perTensor(Op op, TorchBuilder &b) {
  auto both = roundedAlike(op, b);
  both.resize(op->getNumResults());
  return both;
}

/// Quantizes nothing unless `fake_quant_enabled` is 1.
static Decompositions::Values
perTensorIfEnabled(Aten_FakeQuantizePerTensorAffineCachemaskTensorQparamsOp op,
                   TorchBuilder &b) {
  auto both = roundedAlike(op, b);
  if (both.size() < 2)
    return {both.front(), {}};
  Tensor isOn = single(b, op.getFakeQuantEnabled()) != 0;
  Tensor mask(b, both[1]);
  return {where(isOn, {b, both[0]}, {b, op.getSelf()}), !isOn | mask};
}

template <typename Op>
static Decompositions::Values perChannel(Op op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  auto scale = alongAxis(x, op.getScale(), op.getAxis());
  auto zeroPoint = alongAxis(x, op.getZeroPoint(), op.getAxis());
  Decompositions::Values both;
  if (scale && zeroPoint)
    both = rounded(op, b, *scale, *zeroPoint, x.widened().dtype());
  both.resize(op->getNumResults());
  return both;
}

void populateFakeQuantize(Decompositions &decompositions) {
  decompositions.add(perChannel<AtenFakeQuantizePerChannelAffineCachemaskOp>,
                     perChannel<AtenFakeQuantizePerChannelAffineOp>,
                     perTensor<AtenFakeQuantizePerTensorAffineCachemaskOp>,
                     perTensor<AtenFakeQuantizePerTensorAffineOp>,
                     perTensor<AtenFakeQuantizePerTensorAffineTensorQparamsOp>,
                     perTensorIfEnabled);
}

} // namespace isthmus::decompose_torch
