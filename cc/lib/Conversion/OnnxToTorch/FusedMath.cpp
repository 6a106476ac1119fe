//===- FusedMath.cpp - onnxruntime's fused math to ATen -------------------===//
//
// One function per op of onnxruntime's. The comment beside it is its
// definition (https://onnxruntime.ai, ContribOperators).
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
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

/// FusedMatMul: alpha * A * B, of which either may be transposed in its last
/// two dims.
FailureOr<Value> lowerFusedMatMul(onnx::MicrosoftFusedMatMulOp op,
                                  onnx::MicrosoftFusedMatMulOp::Adaptor in,
                                  NodeBuilder &b) {
  if (op.getTransBatchA() || op.getTransBatchB())
    return b.decline() << "expected transBatchA and transBatchB to be 0, got "
                       << op.getTransBatchA() << " and " << op.getTransBatchB();
  auto matrix = [&](Value x, bool isTransposed) {
    // A vector is its own transpose.
    if (!isTransposed || rankOf(x) < 2)
      return x;
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
    std::swap(order[order.size() - 2], order.back());
    return b.permute(x, order);
  };
  Value product = b.create<torch::AtenMatmulOp>(
      matrix(in.getA(), op.getTransA()), matrix(in.getB(), op.getTransB()));
  double alpha = op.getAlpha().convertToDouble();
  if (alpha == 1)
    return product;
  return Value(
      b.create<torch::AtenMulScalarOp>(product, b.constantFloat(alpha)));
}

/// Gelu: x / 2 * (1 + erf(x / sqrt(2)))
FailureOr<Value> lowerGelu(onnx::MicrosoftGeluOp,
                           onnx::MicrosoftGeluOp::Adaptor in, NodeBuilder &b) {
  return gelu(b, in.getX(), "none");
}

/// QuickGelu: x * sigmoid(alpha * x)
FailureOr<Value> lowerQuickGelu(onnx::MicrosoftQuickGeluOp op,
                                onnx::MicrosoftQuickGeluOp::Adaptor in,
                                NodeBuilder &b) {
  Value scaled = b.create<torch::AtenMulScalarOp>(
      in.getX(), b.constantFloat(op.getAlpha().convertToDouble()));
  return b.mul(in.getX(), b.create<torch::AtenSigmoidOp>(scaled));
}

} // namespace

void onnx_to_torch::populateFusedMath(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerBiasGelu);
  lowerings.add(lowerFastGelu);
  lowerings.add(lowerFusedMatMul);
  lowerings.add(lowerGelu);
  lowerings.add(lowerQuickGelu);
}
