//===- Normalization.cpp - ONNX normalizations to ATen --------------------===//
//
// One row or one function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Nn.h"
#include "isthmus/Dialect/Onnx/Schemas.h"
#include "isthmus/Dialect/Torch/NnComposites.h"
#include "isthmus/Dialect/Torch/NnOps.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// mean(x) over dims that are kept with size 1.
Value meanOver(NodeBuilder &b, Value x, ArrayRef<int64_t> dims) {
  return b.create<torch::AtenMeanDimOp>(x, b.ints(dims), b.constantBool(true),
                                        b.none());
}

/// mean((x - mean(x))^2) over dims that are kept with size 1.
Value varianceOver(NodeBuilder &b, Value x, ArrayRef<int64_t> dims) {
  return b.create<torch::AtenVarCorrectionOp>(x, b.ints(dims), b.constant(0),
                                              b.constantBool(true));
}

/// 1 / sqrt(x + epsilon)
Value inverseRoot(NodeBuilder &b, Value x, double epsilon) {
  Value shifted = b.create<torch::AtenAddScalarOp>(x, b.constantFloat(epsilon),
                                                   b.constant(1));
  return b.create<torch::AtenRsqrtOp>(shifted);
}

/// The dtype that statistics are computed in: `stash_type` if it is wider.
Type stashDtype(NodeBuilder &b, int64_t stashType, Type dtype) {
  Type stash = onnx::getElementType(stashType, b.getContext());
  if (!torch::isFloatingPoint(stash) ||
      stash.getIntOrFloatBitWidth() <= dtype.getIntOrFloatBitWidth())
    return dtype;
  return stash;
}

SmallVector<int64_t> dimsFrom(int64_t first, int64_t rank) {
  return llvm::to_vector(llvm::seq<int64_t>(first, rank));
}

/// BatchNormalization-15: scale * (X - mean) / sqrt(var + epsilon) + B per
/// channel. Training takes mean and var from X, and mixes them into the running
/// ones.
FailureOr<SmallVector<Value>>
lowerBatchNormalization(onnx::BatchNormalizationOp op,
                        onnx::BatchNormalizationOp::Adaptor in,
                        NodeBuilder &b) {
  Value x = in.getX();
  Type dtype = dtypeOf(x), wide = dtype;
  SmallVector<Value> parameters = {in.getScale(), in.getB(), in.getInputMean(),
                                   in.getInputVar()};
  for (Value parameter : parameters)
    wide = torch::promoteDtypes(wide, dtypeOf(parameter));
  x = b.convert(x, wide);
  for (Value &parameter : parameters)
    parameter = b.convert(parameter, wide);
  double momentum = op.getMomentum().convertToDouble();
  Value mean = parameters[2], variance = parameters[3];
  Value runningMean, runningVariance;
  if (op.getTrainingMode()) {
    SmallVector<int64_t> dims = dimsFrom(2, rankOf(x));
    dims.insert(dims.begin(), 0);
    // momentum * old + (1 - momentum) * current
    auto mix = [&](Value old, Value current, Value like) {
      Value kept =
          b.create<torch::AtenMulScalarOp>(old, b.constantFloat(momentum));
      Value added = b.create<torch::AtenMulScalarOp>(
          current, b.constantFloat(1 - momentum));
      return b.convert(b.add(kept, added), dtypeOf(like));
    };
    Value currentMean = b.squeeze(meanOver(b, x, dims), dims);
    Value currentVariance = b.squeeze(varianceOver(b, x, dims), dims);
    runningMean = mix(mean, currentMean, in.getInputMean());
    runningVariance = mix(variance, currentVariance, in.getInputVar());
    mean = currentMean;
    variance = currentVariance;
  } else if (isWanted(op.getRunningMean()) || isWanted(op.getRunningVar())) {
    return b.decline() << "expected training_mode where the running mean and "
                          "variance are wanted, got 0";
  }
  Value y = b.create<torch::AtenBatchNormOp>(
      x, parameters[0], parameters[1], mean, variance, b.constantBool(false),
      b.constantFloat(1 - momentum),
      b.constantFloat(op.getEpsilon().convertToDouble()),
      b.constantBool(false));
  return SmallVector<Value>{b.convert(y, dtype), runningMean, runningVariance};
}

/// GroupNormalization-21: each of `num_groups` groups of channels to mean 0 and
/// variance 1, then scaled and shifted per channel.
FailureOr<Value> lowerGroupNormalization(onnx::GroupNormalizationOp op,
                                         onnx::GroupNormalizationOp::Adaptor in,
                                         NodeBuilder &b) {
  Type dtype = dtypeOf(in.getX()),
       stash = stashDtype(b, op.getStashType(), dtype);
  Value y = b.create<torch::AtenGroupNormOp>(
      b.convert(in.getX(), stash), b.constant(op.getNumGroups()),
      b.convert(in.getScale(), stash), b.convert(in.getBias(), stash),
      b.constantFloat(op.getEpsilon().convertToDouble()),
      b.constantBool(false));
  return b.convert(y, dtype);
}

/// InstanceNormalization-22: scale * (x - mean) / sqrt(variance + epsilon) + B,
/// with mean and variance of each channel of each instance.
FailureOr<Value>
lowerInstanceNormalization(onnx::InstanceNormalizationOp op,
                           onnx::InstanceNormalizationOp::Adaptor in,
                           NodeBuilder &b) {
  Value none = b.none();
  return Value(b.create<torch::AtenInstanceNormOp>(
      in.getInput(), in.getScale(), in.getB(), none, none, b.constantBool(true),
      b.constantFloat(0), b.constantFloat(op.getEpsilon().convertToDouble()),
      b.constantBool(false)));
}

/// LRN-13: x / (bias + alpha / size * s)^beta, where s sums x^2 over the `size`
/// channels around each.
FailureOr<Value> lowerLRN(onnx::LRNOp op, onnx::LRNOp::Adaptor in,
                          NodeBuilder &b) {
  Value x = in.getX();
  int64_t size = op.getSize();
  if (size < 1)
    return b.decline() << "expected a size of 1 or more, got " << size;
  // A window over channels, everything after them being one dim: [N, C, D].
  SmallVector<Value> sizes = b.sizes(x);
  Value flat = b.view(b.mul(x, x), {sizes[0], sizes[1], b.constant(-1)});
  // floor((size - 1) / 2) channels before, ceil((size - 1) / 2) after.
  Value padded = b.create<torch::AtenConstantPadNdOp>(
      flat, b.ints(ArrayRef<int64_t>{0, 0, (size - 1) / 2, size / 2}),
      b.constantFloat(0));
  Value one = b.constant(1);
  Value means = b.create<torch::AtenAvgPool2dOp>(
      b.unsqueeze(padded, 1), b.ints(ArrayRef<int64_t>{size, 1}),
      b.ints(ArrayRef<int64_t>{1, 1}), b.ints(ArrayRef<int64_t>{0, 0}),
      b.constantBool(false), b.constantBool(true), b.none());
  Value scaled = b.create<torch::AtenMulScalarOp>(
      b.view(means, sizes), b.constantFloat(op.getAlpha().convertToDouble()));
  Value shifted = b.create<torch::AtenAddScalarOp>(
      scaled, b.constantFloat(op.getBias().convertToDouble()), one);
  return b.div(x,
               b.create<torch::AtenPowTensorScalarOp>(
                   shifted, b.constantFloat(op.getBeta().convertToDouble())));
}

/// Whether a weight has exactly the normalized shape, rather than one that
/// broadcasts to it.
bool hasSizesFrom(Value weight, Value x, int64_t axis) {
  return !isPresent(weight) ||
         torch::tensorType(weight).getSizes() ==
             torch::tensorType(x).getSizes().drop_front(axis);
}

/// LayerNormalization-17: (X - mean) / sqrt(variance + epsilon) * Scale + B,
/// with mean and variance over the dims from `axis` on.
FailureOr<SmallVector<Value>>
lowerLayerNormalization(onnx::LayerNormalizationOp op,
                        onnx::LayerNormalizationOp::Adaptor in,
                        NodeBuilder &b) {
  Value x = in.getX(), scale = in.getScale(), bias = in.getB();
  FailureOr<int64_t> axis = axisOf(b, op.getAxis(), rankOf(x));
  if (failed(axis))
    return failure();
  double epsilon = op.getEpsilon().convertToDouble();
  Type dtype = dtypeOf(x), stash = stashDtype(b, op.getStashType(), dtype);
  // ONNX rounds to X's dtype before scaling.
  bool isFused = stash == dtype && hasSizesFrom(scale, x, *axis) &&
                 hasSizesFrom(bias, x, *axis);
  Value wide = b.convert(x, stash), none = b.none();
  Value shape = b.ints(ValueRange(ArrayRef(b.sizes(x)).drop_front(*axis)));
  Value y = b.create<torch::AtenLayerNormOp>(
      wide, shape, isFused ? scale : none, isFused ? bias : none,
      b.constantFloat(epsilon), b.constantBool(false));
  if (!isFused) {
    y = b.mul(b.convert(y, dtype), scale);
    if (isPresent(bias))
      y = b.add(y, bias);
  }
  Value mean, inverseDeviation;
  SmallVector<int64_t> dims = dimsFrom(*axis, rankOf(x));
  if (isWanted(op.getMean()))
    mean = meanOver(b, wide, dims);
  if (isWanted(op.getInvStdDev()))
    inverseDeviation = inverseRoot(b, varianceOver(b, wide, dims), epsilon);
  return SmallVector<Value>{y, mean, inverseDeviation};
}

/// LpNormalization-22: x / ||x||_p along `axis`, 0 where the norm is 0.
FailureOr<Value> lowerLpNormalization(onnx::LpNormalizationOp op,
                                      onnx::LpNormalizationOp::Adaptor in,
                                      NodeBuilder &b) {
  Value x = in.getInput();
  FailureOr<int64_t> axis = axisOf(b, op.getAxis(), rankOf(x));
  if (failed(axis))
    return failure();
  if (op.getP() != 1 && op.getP() != 2)
    return b.decline() << "expected p to be 1 or 2, got " << op.getP();
  Value norm;
  if (op.getP() == 1)
    norm = b.sum(b.create<torch::AtenAbsOp>(x), *axis, /*keepdim=*/true);
  else
    norm = b.create<torch::AtenSqrtOp>(
        b.sum(b.mul(x, x), *axis, /*keepdim=*/true));
  Value isZero = b.create<torch::AtenEqScalarOp>(norm, b.constant(0));
  return b.where(isZero, b.scalarTensor(0.0, dtypeOf(x)), b.div(x, norm));
}

/// MeanVarianceNormalization-13: (X - mean) / (sqrt(variance) + 1e-9) over
/// `axes`.
FailureOr<Value>
lowerMeanVarianceNormalization(onnx::MeanVarianceNormalizationOp op,
                               onnx::MeanVarianceNormalizationOp::Adaptor in,
                               NodeBuilder &b) {
  Value x = in.getX();
  FailureOr<SmallVector<int64_t>> dims =
      axesOf(b, intsOf(op.getAxes()), rankOf(x));
  if (failed(dims))
    return failure();
  Value deviation = b.create<torch::AtenSqrtOp>(varianceOver(b, x, *dims));
  Value shifted = b.create<torch::AtenAddScalarOp>(
      deviation, b.constantFloat(1e-9), b.constant(1));
  return b.div(b.sub(x, meanOver(b, x, *dims)), shifted);
}

/// RMSNormalization-23: X / sqrt(mean(X^2) + epsilon) * scale over the dims
/// from `axis` on.
FailureOr<Value> lowerRMSNormalization(onnx::RMSNormalizationOp op,
                                       onnx::RMSNormalizationOp::Adaptor in,
                                       NodeBuilder &b) {
  Value x = in.getX();
  FailureOr<int64_t> axis = axisOf(b, op.getAxis(), rankOf(x));
  if (failed(axis))
    return failure();
  Type dtype = dtypeOf(x);
  Value wide = b.convert(x, stashDtype(b, op.getStashType(), dtype));
  Value meanSquare = meanOver(b, b.mul(wide, wide), dimsFrom(*axis, rankOf(x)));
  Value normalized = b.mul(
      wide, inverseRoot(b, meanSquare, op.getEpsilon().convertToDouble()));
  return b.mul(b.convert(normalized, dtype), in.getScale());
}

} // namespace

void onnx_to_torch::populateNormalization(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerBatchNormalization);
  lowerings.add(lowerGroupNormalization);
  lowerings.add(lowerInstanceNormalization);
  lowerings.add(lowerLRN);
  lowerings.add(lowerLayerNormalization);
  lowerings.add(lowerLpNormalization);
  lowerings.add(lowerMeanVarianceNormalization);
  lowerings.add(lowerRMSNormalization);
}
