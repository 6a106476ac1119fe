//===- FusedMath.cpp - onnxruntime's fused math to ATen -------------------===//
//
// One function per op of onnxruntime's. The comment beside it is its
// definition (https://onnxruntime.ai, ContribOperators).
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Torch/FactorizationOps.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// x / 2 * (1 + erf(x / sqrt(2))), or its tanh approximation.
Value gelu(NodeBuilder &b, Value x, StringRef approximate) {
  return b.create<torch::AtenGeluOp>(x, b.constantStr(approximate));
}

/// BiasGelu: Gelu(A + B)
FailureOr<Value> lowerBiasGelu(onnx::MicrosoftBiasGeluOp,
                               onnx::MicrosoftBiasGeluOp::Adaptor in,
                               NodeBuilder &b) {
  return gelu(b, b.add(in.getA(), in.getB()), "none");
}

/// FastGelu: Gelu(X + bias) by tanh
FailureOr<Value> lowerFastGelu(onnx::MicrosoftFastGeluOp,
                               onnx::MicrosoftFastGeluOp::Adaptor in,
                               NodeBuilder &b) {
  Value x = in.getX();
  return gelu(b, isPresent(in.getBias()) ? b.add(x, in.getBias()) : x, "tanh");
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

/// QuickGelu: x * sigmoid(alpha * x)
FailureOr<Value> lowerQuickGelu(onnx::MicrosoftQuickGeluOp op,
                                onnx::MicrosoftQuickGeluOp::Adaptor in,
                                NodeBuilder &b) {
  Value scaled = b.create<torch::AtenMulScalarOp>(
      in.getX(), b.constantFloat(op.getAlpha().convertToDouble()));
  return b.mul(in.getX(), b.create<torch::AtenSigmoidOp>(scaled));
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
  lowerings.add(lowerBiasGelu);
  lowerings.add(lowerCDist);
  lowerings.add(lowerFastGelu);
  lowerings.add(lowerFusedMatMul);
  lowerings.add(lowerGelu);
  lowerings.add(lowerInverse);
  lowerings.add(lowerQuickGelu);
  lowerings.add(lowerTransposeMatMul);
}
