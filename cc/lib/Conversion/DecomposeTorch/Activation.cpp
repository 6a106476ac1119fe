//===- Activation.cpp - Activation functions ------------------------------===//
//
// The formulas are those of torch.nn.functional's documentation. Like PyTorch's
// kernels, they compute half types in f32 and round once.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// An activation with x as its only operand.
template <Tensor (*formula)(Tensor), typename Op>
static Tensor activation(Op op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  return formula(x.widened()).as(x.dtype());
}

/// relu(x) = max(x, 0), for integers as well
static Tensor relu(AtenReluOp op, TorchBuilder &b) {
  return max(Tensor(b, op.getSelf()), 0);
}

static Tensor silu(Tensor x) { return x * sigmoid(x); }
static Tensor hardsigmoid(Tensor x) { return min(max(x + 3, 0), 6) / 6; }
static Tensor hardswish(Tensor x) { return x * min(max(x + 3, 0), 6) / 6; }
/// mish(x) = x * tanh(softplus(x))
static Tensor mish(Tensor x) { return x * tanh(log1p(exp(x))); }

/// x for positive x, else scale * (exp(x) - 1)
static Tensor exponentialLinear(Tensor x, Tensor scaled, Tensor scale) {
  return where(x > 0, x, expm1(scaled) * scale);
}

/// selu(x) = 1.0507... * elu(x, 1.6732...): the fixed point of mean 0 and
/// variance 1 (Klambauer et al., "Self-normalizing neural networks", 2017).
static Tensor selu(Tensor x) {
  return exponentialLinear(x, x, x.number(1.6732632423543772848170429916717)) *
         1.0507009873554804934193349852946;
}

/// elu(x) = scale * (x if x > 0 else alpha * (exp(input_scale * x) - 1))
static Tensor elu(AtenEluOp op, TorchBuilder &b) {
  Tensor x = Tensor(b, op.getSelf()).widened();
  Tensor scaled = matchNumber(op.getInputScale()) == 1.0
                      ? x
                      : x * scalar(b, op.getInputScale(), x.dtype());
  Tensor y = exponentialLinear(x, scaled, scalar(b, op.getAlpha(), x.dtype()));
  if (matchNumber(op.getScale()) != 1.0)
    y = y * scalar(b, op.getScale(), x.dtype());
  return y.as(tensorType(op.getSelf()).getDtype());
}

/// celu(x) = x if x > 0 else alpha * (exp(x / alpha) - 1)
static Tensor celu(AtenCeluOp op, TorchBuilder &b) {
  Tensor x = Tensor(b, op.getSelf()).widened();
  Tensor alpha = scalar(b, op.getAlpha(), x.dtype());
  return exponentialLinear(x, x / alpha, alpha)
      .as(tensorType(op.getSelf()).getDtype());
}

static Tensor leakyRelu(AtenLeakyReluOp op, TorchBuilder &b) {
  Tensor x = Tensor(b, op.getSelf()).widened();
  return where(x > 0, x, x * scalar(b, op.getNegativeSlope(), x.dtype()))
      .as(tensorType(op.getSelf()).getDtype());
}

/// prelu(x) = x if x > 0 else weight * x, one weight for all or one per channel
/// (dim 1).
static Tensor prelu(AtenPreluOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf()), weight(b, op.getWeight());
  if (weight.rank() == 1 && x.rank() == 0)
    weight = {b, b.view(weight, ArrayRef<Value>())};
  if (weight.rank() == 1 && x.rank() > 2) {
    SmallVector<Value> sizes(x.rank() - 1, b.constant(1));
    sizes.front() = b.size(weight, 0);
    weight = {b, b.view(weight, sizes)};
  }
  return where(x > 0, x, x * weight);
}

/// gelu(x) = x * Phi(x) = x / 2 * (1 + erf(x / sqrt(2))), or with "tanh" the
/// approximation x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
/// (Hendrycks and Gimpel, "Gaussian error linear units", 2016).
static Tensor gelu(AtenGeluOp op, TorchBuilder &b) {
  Tensor x = Tensor(b, op.getSelf()).widened();
  std::optional<StringRef> approximate = matchStr(op.getApproximate());
  if (approximate != "none" && approximate != "tanh")
    return {b, b.fail("expected approximate to be \"none\" or \"tanh\"")};
  Tensor step =
      approximate == "none"
          ? erf(x * (1 / llvm::numbers::sqrt2))
          : tanh((x + x * x * x * 0.044715) * std::sqrt(2 / llvm::numbers::pi));
  return (x * 0.5 * (step + 1)).as(tensorType(op.getSelf()).getDtype());
}

/// softplus(x) = log(1 + exp(beta * x)) / beta, or x if beta * x is above the
/// threshold.
static Tensor softplus(AtenSoftplusOp op, TorchBuilder &b) {
  Tensor x = Tensor(b, op.getSelf()).widened();
  Tensor beta = scalar(b, op.getBeta(), x.dtype());
  bool isPlain = matchNumber(op.getBeta()) == 1.0;
  Tensor scaled = isPlain ? x : x * beta;
  Tensor soft = log1p(exp(scaled));
  return where(scaled > scalar(b, op.getThreshold(), x.dtype()), x,
               isPlain ? soft : soft / beta)
      .as(tensorType(op.getSelf()).getDtype());
}

/// relu6(x) = min(max(x, 0), 6)
static Tensor relu6(AtenRelu6Op op, TorchBuilder &b) {
  return min(max(Tensor(b, op.getSelf()), 0), 6);
}

/// glu(x) = a * sigmoid(b) for the halves a and b of a dim.
static Tensor glu(AtenGluOp op, TorchBuilder &b) {
  Tensor own(b, op.getSelf()), x = own.widened();
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return {b, b.fail(kConstantDim)};
  int64_t normal = normalDim(*dim, x.rank());
  Value half = b.floorDivInt(b.size(x, normal), b.constant(2));
  Tensor value(b, b.slice(x, normal, b.constant(0), half)),
      gate(b, b.slice(x, normal, half));
  return (value * sigmoid(gate)).as(own.dtype());
}

/// log(sigmoid(x)) = min(x, 0) - log1p(exp(-|x|)), which neither overflows nor
/// cancels.
static Tensor logSigmoid(Tensor x) { return min(x, 0) - log1p(exp(-abs(x))); }

/// threshold(x) = x if x is above the threshold, else the given value
static Tensor threshold(AtenThresholdOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  Tensor isBelow = x <= scalar(b, op.getThreshold(), x.dtype());
  return where(isBelow, scalar(b, op.getValue(), x.dtype()), x);
}

/// hardshrink(x) = x if |x| > lambda, else 0
static Tensor hardshrink(AtenHardshrinkOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  return where(abs(x) <= scalar(b, op.getLambd(), x.dtype()), 0, x);
}

/// softshrink(x): moves x towards 0 by lambda; 0 if |x| <= lambda
static Tensor softshrink(AtenSoftshrinkOp op, TorchBuilder &b) {
  Tensor own(b, op.getSelf()), x = own.widened();
  Tensor by = scalar(b, op.getLambd(), x.dtype());
  // NaN is not at least -lambda, and stays NaN.
  return where(x > by, x - by, where(x >= -by, x * 0, x + by)).as(own.dtype());
}

void populateActivation(Decompositions &decompositions) {
  decompositions.add(
      celu, elu, gelu, glu, hardshrink,
      activation<logSigmoid, AtenLogSigmoidOp>, relu6, softshrink, threshold,
      activation<hardsigmoid, AtenHardsigmoidOp>,
      activation<hardswish, AtenHardswishOp>, leakyRelu,
      activation<mish, AtenMishOp>, prelu, relu, activation<selu, AtenSeluOp>,
      activation<silu, AtenSiluOp>, softplus);
}

} // namespace isthmus::decompose_torch
