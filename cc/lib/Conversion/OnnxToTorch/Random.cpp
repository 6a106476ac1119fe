//===- Random.cpp - ONNX random ops to ATen -------------------------------===//
//
// One function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
// ONNX does not specify the generator. Here a program yields the same numbers
// at each run, determined by its seed and the op's position in it; an op's own
// `seed` has no effect.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Generator.h"
#include "isthmus/Dialect/Onnx/Math.h"
#include "isthmus/Dialect/Onnx/Nn.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/RandomComposites.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// aten.rand is uniform in [0, 1), aten.randn has mean 0 and deviation 1.
template <typename Aten>
Value random(NodeBuilder &b, ValueRange sizes, Type dtype) {
  Value none = b.none();
  return b.create<Aten>(b.ints(sizes), b.dtype(dtype), none, none, none);
}

/// scale * x + shift
Value scaledAndShifted(NodeBuilder &b, Value x, double scale, double shift) {
  Value scaled = b.create<torch::AtenMulScalarOp>(x, b.constantFloat(scale));
  return b.create<torch::AtenAddScalarOp>(scaled, b.constantFloat(shift),
                                          b.constant(1));
}

/// The dtype of a result, which must be a float.
FailureOr<Type> floatDtype(NodeBuilder &b, Value result) {
  Type dtype = b.declaredDtype(result);
  if (!dtype || !torch::isFloatingPoint(dtype))
    return b.decline() << "expected a result of floats, got "
                       << result.getType();
  return dtype;
}

template <typename Op>
FailureOr<Value> normal(Op op, ValueRange sizes, NodeBuilder &b) {
  FailureOr<Type> dtype = floatDtype(b, op.getOutput());
  if (failed(dtype))
    return failure();
  return scaledAndShifted(b, random<torch::AtenRandnOp>(b, sizes, *dtype),
                          op.getScale().convertToDouble(),
                          op.getMean().convertToDouble());
}

template <typename Op>
FailureOr<Value> uniform(Op op, ValueRange sizes, NodeBuilder &b) {
  FailureOr<Type> dtype = floatDtype(b, op.getOutput());
  if (failed(dtype))
    return failure();
  double low = op.getLow().convertToDouble(),
         high = op.getHigh().convertToDouble();
  return scaledAndShifted(b, random<torch::AtenRandOp>(b, sizes, *dtype),
                          high - low, low);
}

SmallVector<Value> constants(NodeBuilder &b, ArrayAttr sizes) {
  return llvm::map_to_vector(intsOf(sizes),
                             [&](int64_t size) { return b.constant(size); });
}

/// Bernoulli-22: 1 with the probability given by the input, else 0.
FailureOr<Value> lowerBernoulli(onnx::BernoulliOp op,
                                onnx::BernoulliOp::Adaptor in, NodeBuilder &b) {
  Value probability = in.getInput();
  Type dtype = b.declaredDtype(op.getOutput());
  if (!dtype)
    return b.decline() << "expected a dtype that torch has, got "
                       << op.getOutput().getType();
  Value number =
      random<torch::AtenRandOp>(b, b.sizes(probability), dtypeOf(probability));
  return b.convert(b.create<torch::AtenLtTensorOp>(number, probability), dtype);
}

/// Dropout-22: the input and a mask of ones; in training each element is kept
/// with probability 1 - ratio, divided by it, or else 0.
FailureOr<SmallVector<Value>>
lowerDropout(onnx::DropoutOp, onnx::DropoutOp::Adaptor in, NodeBuilder &b) {
  Value data = in.getData();
  bool isTraining = false;
  if (isPresent(in.getTrainingMode())) {
    auto known = b.constantInts(in.getTrainingMode());
    auto ratio = isPresent(in.getRatio()) ? b.constantFloats(in.getRatio())
                                          : SmallVector<double>{0.5};
    bool keepsAll = ratio && ratio->size() == 1 && ratio->front() == 0;
    if (!keepsAll && (!known || known->size() != 1))
      return b.decline() << "expected training_mode to be known while "
                            "compiling, got "
                         << in.getTrainingMode().getType();
    isTraining = !keepsAll && known->front() != 0;
  }
  SmallVector<Value> sizes = b.sizes(data);
  if (!isTraining)
    return SmallVector<Value>{
        data, filled(b, sizes, b.constantBool(true), boolDtype(b))};
  Type dtype = dtypeOf(data), wide = wideDtype(dtype);
  Value ratio = isPresent(in.getRatio()) ? b.convert(in.getRatio(), wide)
                                         : b.scalarTensor(0.5, wide);
  Value mask = b.create<torch::AtenGeTensorOp>(
      random<torch::AtenRandOp>(b, sizes, wide), ratio);
  Value one = b.scalarTensor(1.0, wide);
  Value scale =
      b.where(mask, b.div(one, b.sub(one, ratio)), b.scalarTensor(0.0, wide));
  return SmallVector<Value>{b.mul(data, b.convert(scale, dtype)), mask};
}

/// Multinomial-22: sample_size indices of classes per row, by the logarithms of
/// their probabilities: the first class at which the sum of probabilities is
/// above a uniform number.
FailureOr<Value> lowerMultinomial(onnx::MultinomialOp op,
                                  onnx::MultinomialOp::Adaptor in,
                                  NodeBuilder &b) {
  Value input = in.getInput();
  Type dtype = b.declaredDtype(op.getOutput());
  if (rankOf(input) != 2 || !dtype)
    return b.decline() << "expected rows of probabilities and a dtype that "
                          "torch has, got "
                       << input.getType() << " and "
                       << op.getOutput().getType();
  Type wide = wideDtype(dtypeOf(input));
  Value classes = b.constant(1);
  Value probabilities = b.create<torch::AtenSoftmaxIntOp>(
      b.convert(input, wide), classes, b.none());
  Value sums = b.create<torch::AtenCumsumOp>(probabilities, classes, b.none());
  Value numbers = random<torch::AtenRandOp>(
      b, {b.size(input, 0), b.constant(op.getSampleSize())}, wide);
  Value isBelow = b.create<torch::AtenLeTensorOp>(b.unsqueeze(sums, 1),
                                                  b.unsqueeze(numbers, 2));
  Value index = b.sum(b.convert(isBelow, int64Dtype(b)), 2, /*keepdim=*/false);
  // The last sum may be rounded to less than 1.
  Value last = b.subInt(b.size(input, 1), b.constant(1));
  return b.convert(b.create<torch::AtenClampOp>(index, b.constant(0), last),
                   dtype);
}

/// RandomNormal-22: normally distributed around `mean` with deviation `scale`.
FailureOr<Value> lowerRandomNormal(onnx::RandomNormalOp op,
                                   onnx::RandomNormalOp::Adaptor,
                                   NodeBuilder &b) {
  return normal(op, constants(b, op.getShape()), b);
}

/// RandomNormalLike-22: the same in the shape of the input.
FailureOr<Value> lowerRandomNormalLike(onnx::RandomNormalLikeOp op,
                                       onnx::RandomNormalLikeOp::Adaptor in,
                                       NodeBuilder &b) {
  return normal(op, b.sizes(in.getInput()), b);
}

/// RandomUniform-22: uniform from `low` to `high`.
FailureOr<Value> lowerRandomUniform(onnx::RandomUniformOp op,
                                    onnx::RandomUniformOp::Adaptor,
                                    NodeBuilder &b) {
  return uniform(op, constants(b, op.getShape()), b);
}

/// RandomUniformLike-22: the same in the shape of the input.
FailureOr<Value> lowerRandomUniformLike(onnx::RandomUniformLikeOp op,
                                        onnx::RandomUniformLikeOp::Adaptor in,
                                        NodeBuilder &b) {
  return uniform(op, b.sizes(in.getInput()), b);
}

} // namespace

void onnx_to_torch::populateRandom(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerBernoulli);
  lowerings.add(lowerDropout);
  lowerings.add(lowerMultinomial);
  lowerings.add(lowerRandomNormal);
  lowerings.add(lowerRandomNormalLike);
  lowerings.add(lowerRandomUniform);
  lowerings.add(lowerRandomUniformLike);
}
