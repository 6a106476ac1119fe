//===- FusedMath.cpp - onnxruntime's fused math to ATen -------------------===//
//
// One function per op of onnxruntime's. The comment beside it is its
// definition (https://onnxruntime.ai, ContribOperators).
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Torch/FactorizationComposites.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// x / 2 * (1 + erf(x / sqrt(2))), or its tanh approximation.
Value gelu(NodeBuilder &b, Value x, StringRef approximate) {
  return b.create<torch::AtenGeluOp>(x, b.constantStr(approximate));
}

/// BiasAdd: X + bias + skip
FailureOr<Value> lowerBiasAdd(onnx::MicrosoftBiasAddOp,
                              onnx::MicrosoftBiasAddOp::Adaptor in,
                              NodeBuilder &b) {
  return b.add(b.add(in.getX(), in.getBias()), in.getSkip());
}

/// BiasGelu: Gelu(A + B)
FailureOr<Value> lowerBiasGelu(onnx::MicrosoftBiasGeluOp,
                               onnx::MicrosoftBiasGeluOp::Adaptor in,
                               NodeBuilder &b) {
  return gelu(b, b.add(in.getA(), in.getB()), "none");
}

/// BiasSoftmax: softmax(data + bias) over the dims from `axis` on. In which
/// dims the bias is broadcast, its shape says as well.
FailureOr<Value> lowerBiasSoftmax(onnx::MicrosoftBiasSoftmaxOp op,
                                  onnx::MicrosoftBiasSoftmaxOp::Adaptor in,
                                  NodeBuilder &b) {
  FailureOr<int64_t> axis = axisOf(b, op.getAxis(), rankOf(in.getData()));
  if (failed(axis))
    return failure();
  Value sum = b.add(in.getData(), in.getBias());
  if (b.hasFailed())
    return failure();
  return softmaxFrom(b, sum, *axis);
}

/// BiasSplitGelu: the first half of the last dim of X + bias times Gelu of the
/// second
FailureOr<Value> lowerBiasSplitGelu(onnx::MicrosoftBiasSplitGeluOp,
                                    onnx::MicrosoftBiasSplitGeluOp::Adaptor in,
                                    NodeBuilder &b) {
  Value sum = b.add(in.getX(), in.getBias());
  if (b.hasFailed())
    return failure();
  int64_t last = rankOf(sum) - 1, width = sizeOf(sum, last);
  if (!ShapedType::isDynamic(width) && width % 2)
    return b.decline() << "expected an even number of elements in the last "
                          "dim, got "
                       << sum.getType();
  Value half = b.floorDivInt(b.size(sum, last), b.constant(2));
  return b.mul(b.slice(sum, last, b.constant(0), half),
               gelu(b, b.slice(sum, last, half), "none"));
}

/// Gelu(x + bias) by tanh
Value fastGelu(NodeBuilder &b, Value x, Value bias) {
  return gelu(b, isPresent(bias) ? b.add(x, bias) : x, "tanh");
}

/// FastGelu: Gelu(X + bias) by tanh
FailureOr<Value> lowerFastGelu(onnx::MicrosoftFastGeluOp,
                               onnx::MicrosoftFastGeluOp::Adaptor in,
                               NodeBuilder &b) {
  return fastGelu(b, in.getX(), in.getBias());
}

/// GemmFastGelu: Gelu(X * W + bias) by tanh
FailureOr<Value> lowerGemmFastGelu(onnx::MicrosoftGemmFastGeluOp,
                                   onnx::MicrosoftGemmFastGeluOp::Adaptor in,
                                   NodeBuilder &b) {
  return fastGelu(b, b.create<torch::AtenMatmulOp>(in.getX(), in.getW()),
                  in.getBias());
}

/// GatedAdd: X + Y * gate
FailureOr<Value> lowerGatedAdd(onnx::MicrosoftGatedAddOp,
                               onnx::MicrosoftGatedAddOp::Adaptor in,
                               NodeBuilder &b) {
  return b.add(in.getX(), b.mul(in.getY(), in.getGate()));
}

/// alpha * a * b, of which either may be transposed in its last two dims.
Value scaledProduct(NodeBuilder &b, Value a, bool isTransposedA, Value other,
                    bool isTransposedOther, double alpha) {
  auto matrix = [&](Value x, bool isTransposed) {
    // A vector is its own transpose.
    if (!isTransposed || rankOf(x) < 2)
      return x;
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
    std::swap(order[order.size() - 2], order.back());
    return b.permute(x, order);
  };
  Value product = b.create<torch::AtenMatmulOp>(
      matrix(a, isTransposedA), matrix(other, isTransposedOther));
  if (alpha == 1)
    return product;
  return b.create<torch::AtenMulScalarOp>(product, b.constantFloat(alpha));
}

/// CDist: the distance of each row of A from each row of B, or its square
FailureOr<Value> lowerCDist(onnx::MicrosoftCDistOp op,
                            onnx::MicrosoftCDistOp::Adaptor in,
                            NodeBuilder &b) {
  bool isSquare = op.getMetric() == "sqeuclidean";
  if (!isSquare && op.getMetric() != "euclidean")
    return b.decline() << "expected a metric of euclidean or sqeuclidean, got "
                       << op.getMetric();
  Value difference =
      b.sub(b.unsqueeze(in.getA(), 1), b.unsqueeze(in.getB(), 0));
  Value squares = b.sum(b.mul(difference, difference), {2}, /*keepdim=*/false);
  return isSquare ? squares : Value(b.create<torch::AtenSqrtOp>(squares));
}

/// FusedMatMul: alpha * A * B
FailureOr<Value> lowerFusedMatMul(onnx::MicrosoftFusedMatMulOp op,
                                  onnx::MicrosoftFusedMatMulOp::Adaptor in,
                                  NodeBuilder &b) {
  if (op.getTransBatchA() || op.getTransBatchB())
    return b.decline() << "expected transBatchA and transBatchB to be 0, got "
                       << op.getTransBatchA() << " and " << op.getTransBatchB();
  return scaledProduct(b, in.getA(), op.getTransA(), in.getB(), op.getTransB(),
                       op.getAlpha().convertToDouble());
}

/// Gelu: x / 2 * (1 + erf(x / sqrt(2)))
FailureOr<Value> lowerGelu(onnx::MicrosoftGeluOp,
                           onnx::MicrosoftGeluOp::Adaptor in, NodeBuilder &b) {
  return gelu(b, in.getX(), "none");
}

/// Inverse of the matrices in the last two dims
FailureOr<Value> lowerInverse(onnx::MicrosoftInverseOp,
                              onnx::MicrosoftInverseOp::Adaptor in,
                              NodeBuilder &b) {
  return Value(b.create<torch::AtenInverseOp>(in.getX()));
}

/// MatMulInteger16: A * B in 32 bits
FailureOr<Value>
lowerMatMulInteger16(onnx::MicrosoftMatMulInteger16Op op,
                     onnx::MicrosoftMatMulInteger16Op::Adaptor in,
                     NodeBuilder &b) {
  Type dtype = b.declaredDtype(op.getY());
  return Value(b.create<torch::AtenMatmulOp>(b.convert(in.getA(), dtype),
                                             b.convert(in.getB(), dtype)));
}

/// QuickGelu: x * sigmoid(alpha * x)
FailureOr<Value> lowerQuickGelu(onnx::MicrosoftQuickGeluOp op,
                                onnx::MicrosoftQuickGeluOp::Adaptor in,
                                NodeBuilder &b) {
  Value scaled = b.create<torch::AtenMulScalarOp>(
      in.getX(), b.constantFloat(op.getAlpha().convertToDouble()));
  return b.mul(in.getX(), b.create<torch::AtenSigmoidOp>(scaled));
}

/// ScaledSiLU: x * sigmoid(x) of the input times the scale, or times alpha
FailureOr<Value> lowerScaledSiLU(onnx::MicrosoftScaledSiLUOp op,
                                 onnx::MicrosoftScaledSiLUOp::Adaptor in,
                                 NodeBuilder &b) {
  Value x = in.getX();
  if (isPresent(in.getScale()))
    x = b.convert(b.mul(x, in.getScale()), dtypeOf(x));
  else
    x = scaled(b, x, op.getAlpha().convertToDouble());
  return Value(b.create<torch::AtenSiluOp>(x));
}

/// TransposeMatMul: alpha * A * B, the older form of FusedMatMul
FailureOr<Value>
lowerTransposeMatMul(onnx::MicrosoftTransposeMatMulOp op,
                     onnx::MicrosoftTransposeMatMulOp::Adaptor in,
                     NodeBuilder &b) {
  return scaledProduct(b, in.getA(), op.getTransA(), in.getB(), op.getTransB(),
                       op.getAlpha().convertToDouble());
}

} // namespace

void onnx_to_torch::populateFusedMath(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerBiasAdd);
  lowerings.add(lowerBiasGelu);
  lowerings.add(lowerBiasSoftmax);
  lowerings.add(lowerBiasSplitGelu);
  lowerings.add(lowerCDist);
  lowerings.add(lowerFastGelu);
  lowerings.add(lowerFusedMatMul);
  lowerings.add(lowerGatedAdd);
  lowerings.add(lowerGelu);
  lowerings.add(lowerGemmFastGelu);
  lowerings.add(lowerInverse);
  lowerings.add(lowerMatMulInteger16);
  lowerings.add(lowerQuickGelu);
  lowerings.add(lowerScaledSiLU);
  lowerings.add(lowerTransposeMatMul);
}
