//===- QuantizedOps.cpp - Ops on quantized tensors to ATen ----------------===//
//
// One function per op of onnxruntime's. The comment beside it is its
// definition (https://onnxruntime.ai, ContribOperators).
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Quantization.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// The quantized result of `compute` on the dequantized X.
template <typename Adaptor>
FailureOr<Value> onQuantized(NodeBuilder &b, Adaptor in, Value y,
                             llvm::function_ref<Value(Value)> compute) {
  Value result =
      compute(dequantize(b, in.getX(), in.getXScale(), in.getXZeroPoint()));
  return quantize(b, result, in.getYScale(), in.getYZeroPoint(),
                  b.declaredDtype(y));
}

/// The quantized result of `compute` on the dequantized A and B.
template <typename Adaptor>
FailureOr<Value>
onQuantizedPair(NodeBuilder &b, Adaptor in, Value c,
                llvm::function_ref<Value(Value, Value)> compute) {
  Value result =
      compute(dequantize(b, in.getA(), in.getAScale(), in.getAZeroPoint()),
              dequantize(b, in.getB(), in.getBScale(), in.getBZeroPoint()));
  return quantize(b, result, in.getCScale(), in.getCZeroPoint(),
                  b.declaredDtype(c));
}

/// DynamicQuantizeMatMul: A * (B - b_zero_point) * b_scale + bias, with A
/// quantized to uint8 by its range.
FailureOr<Value>
lowerDynamicQuantizeMatMul(onnx::MicrosoftDynamicQuantizeMatMulOp,
                           onnx::MicrosoftDynamicQuantizeMatMulOp::Adaptor in,
                           NodeBuilder &b) {
  Type ui8 = IntegerType::get(b.getContext(), 8, IntegerType::Unsigned);
  FailureOr<Quantized> a = quantizeByRange(b, in.getA(), ui8);
  if (failed(a))
    return failure();
  Value product = b.create<torch::AtenMatmulOp>(
      centredMatrix(b, a->tensor, a->zeroPoint, -2),
      centredMatrix(b, in.getB(), in.getBZeroPoint(), -1));
  if (b.hasFailed())
    return failure();
  return scaledProduct(b, product, a->scale, in.getBScale(), in.getBias());
}

/// MatMulIntegerToFloat: (A - a_zero_point) * a_scale * (B - b_zero_point) *
/// b_scale + bias
FailureOr<Value>
lowerMatMulIntegerToFloat(onnx::MicrosoftMatMulIntegerToFloatOp,
                          onnx::MicrosoftMatMulIntegerToFloatOp::Adaptor in,
                          NodeBuilder &b) {
  Value product = b.create<torch::AtenMatmulOp>(
      centredMatrix(b, in.getA(), in.getAZeroPoint(), -2),
      centredMatrix(b, in.getB(), in.getBZeroPoint(), -1));
  if (b.hasFailed())
    return failure();
  return scaledProduct(b, product, perLine(b, in.getAScale(), product, -2),
                       in.getBScale(), in.getBias());
}

/// QGemm: alpha * A * B + C of quantized matrices; C is of 32 bits, in units of
/// alpha * a_scale * b_scale. Quantized if there is a y_scale.
FailureOr<Value> lowerQGemm(onnx::MicrosoftQGemmOp op,
                            onnx::MicrosoftQGemmOp::Adaptor in,
                            NodeBuilder &b) {
  // Scales and zero points of B are along its columns, as it is multiplied.
  auto matrix = [&](Value x, bool isTransposed) {
    return isTransposed ? b.permute(x, {1, 0}) : x;
  };
  Value product = b.create<torch::AtenMatmulOp>(
      centredMatrix(b, matrix(in.getA(), op.getTransA()), in.getAZeroPoint(),
                    -2),
      centredMatrix(b, matrix(in.getB(), op.getTransB()), in.getBZeroPoint(),
                    -1));
  if (b.hasFailed())
    return failure();
  if (isPresent(in.getC()))
    product = b.add(product, in.getC());
  Value y = b.create<torch::AtenMulScalarOp>(
      scaledProduct(b, product, in.getAScale(), in.getBScale(), b.none()),
      b.constantFloat(op.getAlpha().convertToDouble()));
  if (!isPresent(in.getYScale()))
    return y;
  return quantize(b, y, in.getYScale(), in.getYZeroPoint(),
                  b.declaredDtype(op.getY()));
}

/// QLinearAdd: A + B
FailureOr<Value> lowerQLinearAdd(onnx::MicrosoftQLinearAddOp op,
                                 onnx::MicrosoftQLinearAddOp::Adaptor in,
                                 NodeBuilder &b) {
  return onQuantizedPair(b, in, op.getC(),
                         [&](Value x, Value y) { return b.add(x, y); });
}

/// QLinearConcat: each input has a scale and a zero point of its own.
FailureOr<Value> lowerQLinearConcat(onnx::MicrosoftQLinearConcatOp op,
                                    onnx::MicrosoftQLinearConcatOp::Adaptor in,
                                    NodeBuilder &b) {
  ValueRange inputs = in.getInputs();
  if (inputs.empty() || inputs.size() % 3)
    return b.decline() << "expected a tensor, a scale and a zero point of each "
                          "input, got "
                       << inputs.size() << " inputs";
  FailureOr<int64_t> axis = axisOf(b, op.getAxis(), rankOf(inputs[0]));
  if (failed(axis))
    return failure();
  SmallVector<Value> parts;
  for (size_t i = 0; i < inputs.size(); i += 3)
    parts.push_back(dequantize(b, inputs[i], inputs[i + 1], inputs[i + 2]));
  return quantize(b, b.cat(parts, *axis), in.getYScale(), in.getYZeroPoint(),
                  b.declaredDtype(op.getY()));
}

/// QLinearGlobalAveragePool: the mean over all dims but batch and channels.
FailureOr<Value> lowerQLinearGlobalAveragePool(
    onnx::MicrosoftQLinearGlobalAveragePoolOp op,
    onnx::MicrosoftQLinearGlobalAveragePoolOp::Adaptor in, NodeBuilder &b) {
  int64_t rank = rankOf(in.getX());
  auto dims = op.getChannelsLast() ? llvm::seq<int64_t>(1, rank - 1)
                                   : llvm::seq<int64_t>(2, rank);
  return onQuantized(b, in, op.getY(), [&](Value x) -> Value {
    return b.create<torch::AtenMeanDimOp>(x, b.ints(llvm::to_vector(dims)),
                                          b.constantBool(true), b.none());
  });
}

/// QLinearLeakyRelu: x if x >= 0, else alpha * x
FailureOr<Value>
lowerQLinearLeakyRelu(onnx::MicrosoftQLinearLeakyReluOp op,
                      onnx::MicrosoftQLinearLeakyReluOp::Adaptor in,
                      NodeBuilder &b) {
  Value alpha = b.constantFloat(op.getAlpha().convertToDouble());
  return onQuantized(b, in, op.getY(), [&](Value x) -> Value {
    return b.create<torch::AtenLeakyReluOp>(x, alpha);
  });
}

/// QLinearMul: A * B
FailureOr<Value> lowerQLinearMul(onnx::MicrosoftQLinearMulOp op,
                                 onnx::MicrosoftQLinearMulOp::Adaptor in,
                                 NodeBuilder &b) {
  return onQuantizedPair(b, in, op.getC(),
                         [&](Value x, Value y) { return b.mul(x, y); });
}

/// QLinearSigmoid: 1 / (1 + exp(-x))
FailureOr<Value>
lowerQLinearSigmoid(onnx::MicrosoftQLinearSigmoidOp op,
                    onnx::MicrosoftQLinearSigmoidOp::Adaptor in,
                    NodeBuilder &b) {
  return onQuantized(b, in, op.getY(), [&](Value x) -> Value {
    return b.create<torch::AtenSigmoidOp>(x);
  });
}

/// QLinearSoftmax: Softmax as defined since opset 13, or before: over all dims
/// from the axis on.
FailureOr<Value>
lowerQLinearSoftmax(onnx::MicrosoftQLinearSoftmaxOp op,
                    onnx::MicrosoftQLinearSoftmaxOp::Adaptor in,
                    NodeBuilder &b) {
  FailureOr<int64_t> axis = axisOf(b, op.getAxis(), rankOf(in.getX()));
  if (failed(axis))
    return failure();
  Value x = dequantize(b, in.getX(), in.getXScale(), in.getXZeroPoint());
  Value y = op.getOpset() >= 13 ? Value(b.create<torch::AtenSoftmaxIntOp>(
                                      x, b.constant(*axis), b.none()))
                                : softmaxFrom(b, x, *axis);
  return quantize(b, y, in.getYScale(), in.getYZeroPoint(),
                  b.declaredDtype(op.getY()));
}

/// QLinearWhere: X where the condition holds, else Y
FailureOr<Value> lowerQLinearWhere(onnx::MicrosoftQLinearWhereOp op,
                                   onnx::MicrosoftQLinearWhereOp::Adaptor in,
                                   NodeBuilder &b) {
  Value chosen =
      b.where(in.getCondition(),
              dequantize(b, in.getX(), in.getXScale(), in.getXZeroPoint()),
              dequantize(b, in.getY(), in.getYScale(), in.getYZeroPoint()));
  return quantize(b, chosen, in.getZScale(), in.getZZeroPoint(),
                  b.declaredDtype(op.getZ()));
}

} // namespace

void onnx_to_torch::populateQuantizedOps(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerDynamicQuantizeMatMul);
  lowerings.add(lowerMatMulIntegerToFloat);
  lowerings.add(lowerQGemm);
  lowerings.add(lowerQLinearAdd);
  lowerings.add(lowerQLinearConcat);
  lowerings.add(lowerQLinearGlobalAveragePool);
  lowerings.add(lowerQLinearLeakyRelu);
  lowerings.add(lowerQLinearMul);
  lowerings.add(lowerQLinearSigmoid);
  lowerings.add(lowerQLinearSoftmax);
  lowerings.add(lowerQLinearWhere);
}
