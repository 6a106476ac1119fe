//===- GradientPointwise.cpp - Gradients of pointwise ops and softmax -----===//
//
// Each takes the gradient g of y = f(x) and returns that of x, which is g times
// the derivative of f. Like PyTorch's kernels, they compute half types in f32
// and round once.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Formulas.h"
#include "isthmus/Dialect/Torch/GradientComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// A gradient without further arguments.
template <Tensor (*formula)(Tensor, Tensor), typename Op>
static Tensor gradient(Op op, TorchBuilder &b) {
  auto [g, x] = operandsOf(op, b);
  return formula(g, x).as(tensorType(op).getDtype());
}

//===----------------------------------------------------------------------===//
// Of smooth activations
//===----------------------------------------------------------------------===//

/// sigmoid' = y (1 - y), tanh' = 1 - y^2, from the results y
static Tensor sigmoidBackward(Tensor g, Tensor y) { return g * (1 - y) * y; }
static Tensor tanhBackward(Tensor g, Tensor y) { return g * (1 - y * y); }

/// (x sigmoid(x))' = s (1 + x (1 - s)) with s = sigmoid(x)
static Tensor siluBackward(Tensor g, Tensor x) {
  Tensor s = sigmoid(x);
  return g * s * (x * (1 - s) + 1);
}

/// (x tanh(softplus(x)))' = t + x sigmoid(x) (1 - t^2) with t =
/// tanh(softplus(x))
static Tensor mishBackward(Tensor g, Tensor x) {
  Tensor t = tanh(log1p(exp(x)));
  return g * (t + x * sigmoid(x) * (1 - t * t));
}

/// gelu(x) = x Phi(x), so gelu' = Phi(x) + x phi(x), where phi is the density
/// of the normal distribution. With "tanh", Phi(x) = (1 + tanh(u)) / 2 with u =
/// sqrt(2 / pi) (x + 0.044715 x^3).
static Value geluBackward(AtenGeluBackwardOp op, TorchBuilder &b) {
  std::optional<StringRef> approximate = matchStr(op.getApproximate());
  if (approximate != "none" && approximate != "tanh")
    return b.fail("expected approximate to be \"none\" or \"tanh\"");
  auto [g, x] = operandsOf(op, b);
  Tensor square = x * x, step = x, slope = x; // 2 Phi - 1, and 2 phi
  if (approximate == "none") {
    step = erf(x * (1 / llvm::numbers::sqrt2));
    slope = exp(square * -0.5) * std::sqrt(2 / llvm::numbers::pi);
  } else {
    double scale = std::sqrt(2 / llvm::numbers::pi), cubic = 0.044715;
    step = tanh((square * cubic + 1) * x * scale);
    slope = (1 - step * step) * (square * (3 * cubic) + 1) * scale;
  }
  return (g * (step + 1 + x * slope) * 0.5).as(tensorType(op).getDtype());
}

/// elu' = scale for x > 0, else scale alpha c exp(c x) with the input_scale c.
/// From the result y, the latter is c (y + alpha scale).
static Value eluBackward(AtenEluBackwardOp op, TorchBuilder &b) {
  std::optional<bool> isResult = matchBool(op.getIsResult());
  if (!isResult)
    return b.fail("expected is_result to be known while compiling");
  Tensor own(b, op.getGradOutput()),
      g = own.widened(),
      x = Tensor(b, op.getSelfOrResult()).as(own.dtype()).widened();
  auto number = [&](Value value) { return scalar(b, value, x.dtype()); };
  Tensor scale = number(op.getScale()), c = number(op.getInputScale()),
         least = number(op.getAlpha()) * scale;
  Tensor slope = *isResult ? c * (x + least) : c * least * exp(x * c);
  return (g * where(x > 0, scale, slope)).as(own.dtype());
}

/// softplus' = sigmoid(beta x), or 1 where beta x is above the threshold
static Tensor softplusBackward(AtenSoftplusBackwardOp op, TorchBuilder &b) {
  auto [g, x] = operandsOf(op, b);
  Tensor scaled = x * scalar(b, op.getBeta(), x.dtype());
  Tensor isLinear = scaled > scalar(b, op.getThreshold(), x.dtype());
  return where(isLinear, g, g * sigmoid(scaled)).as(tensorType(op).getDtype());
}

/// log_sigmoid(x) = min(x, 0) - log1p(e) with e = exp(-|x|), which the gradient
/// may use: it is the second result.
static Decompositions::Values logSigmoidForward(AtenLogSigmoidForwardOp op,
                                                TorchBuilder &b) {
  Tensor own(b, op.getSelf()), x = own.widened(), e = exp(-abs(x));
  return {(min(x, 0) - log1p(e)).as(own.dtype()), e.as(own.dtype())};
}

/// log(sigmoid(x))' = sigmoid(-x)
static Tensor logSigmoidBackward(Tensor g, Tensor x) { return g * sigmoid(-x); }

/// For a sigmoid(c) with the halves a and c of a dim: g s for a, and g a s (1 -
/// s) for c, with s = sigmoid(c).
static Value gluBackward(AtenGluBackwardOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  Tensor g = Tensor(b, op.getGradOutput()).widened(),
         x = Tensor(b, op.getSelf()).widened();
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim || x.rank() == 0)
    return b.fail(kConstantDim);
  int64_t normal = normalDim(*dim, x.rank());
  Value half = b.floorDivInt(b.size(x, normal), b.constant(2));
  Tensor value(b, b.slice(x, normal, b.constant(0), half)),
      s = sigmoid({b, b.slice(x, normal, half)});
  Tensor ofValue = g * s, ofGate = ofValue * value * (1 - s);
  return b.convert(b.cat({ofValue, ofGate}, normal), dtype);
}

/// logit' = 1 / (x (1 - x)) from 0 to 1, or from eps to 1 - eps if it is given;
/// outside of this NaN or, if it is given, 0. A negative eps is none.
static Tensor logitBackward(AtenLogitBackwardOp op, TorchBuilder &b) {
  auto [g, x] = operandsOf(op, b);
  Tensor eps =
      isNone(op.getEps()) ? x.number(-1) : scalar(b, op.getEps(), x.dtype());
  Tensor outside = where(eps < 0, nan, eps.number(0)), border = max(eps, 0);
  return where((x >= border) & (x <= 1 - border), g / (x * (1 - x)), outside)
      .as(tensorType(op).getDtype());
}

//===----------------------------------------------------------------------===//
// Of piecewise linear activations
//===----------------------------------------------------------------------===//

static Tensor hardsigmoidBackward(Tensor g, Tensor x) {
  return where((x > -3) & (x < 3), g / 6, 0);
}

/// (x (x + 3) / 6)' = x / 3 + 1 / 2 between -3 and 3; 0 below and 1 above
static Tensor hardswishBackward(Tensor g, Tensor x) {
  Tensor inside = g * (x / 3 + 0.5);
  return where(x <= -3, 0, where(x < 3, inside, g)); // 1 for NaN, too
}

/// The gradient where |x| is above lambda, else 0.
template <typename Op>
static Tensor shrinkBackward(Op op, TorchBuilder &b) {
  auto [g, x] = operandsOf(op, b);
  return where(abs(x) > scalar(b, op.getLambd(), x.dtype()), g, 0)
      .as(tensorType(op).getDtype());
}

static Tensor hardtanhBackward(AtenHardtanhBackwardOp op, TorchBuilder &b) {
  auto [g, x] = operandsOf(op, b);
  Tensor isInside = (x > scalar(b, op.getMinVal(), x.dtype())) &
                    (x < scalar(b, op.getMaxVal(), x.dtype()));
  return where(isInside, g, 0).as(tensorType(op).getDtype());
}

/// For integers as well.
static Tensor thresholdBackward(AtenThresholdBackwardOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  Tensor g = Tensor(b, op.getGradOutput()).as(dtype),
         x = Tensor(b, op.getSelf()).as(dtype);
  return where(x <= scalar(b, op.getThreshold(), dtype), 0, g);
}

/// The gradient, times the slope unless x > 0. The result of a leaky ReLU has
/// the sign of x.
static Tensor leaky(Tensor g, Tensor x, Tensor slope) {
  return where(x > 0, g, g * slope);
}

static Tensor leakyReluBackward(AtenLeakyReluBackwardOp op, TorchBuilder &b) {
  auto [g, x] = operandsOf(op, b);
  return leaky(g, x, scalar(b, op.getNegativeSlope(), x.dtype()))
      .as(tensorType(op).getDtype());
}

/// The slope of rrelu outside of training, the mean of its bounds; or null.
template <typename Op>
static std::optional<Tensor> meanSlope(Op op, TorchBuilder &b, Type dtype) {
  if (matchBool(op.getTraining()) != false) {
    b.fail("expected rrelu outside of training");
    return std::nullopt;
  }
  return (scalar(b, op.getLower(), dtype) + scalar(b, op.getUpper(), dtype)) *
         0.5;
}

/// rrelu(x) outside of training = x for x > 0, else x times the mean slope. In
/// training, this op also writes to its noise.
static Value rrelu(AtenRreluWithNoiseOp op, TorchBuilder &b) {
  Tensor own(b, op.getSelf()), x = own.widened();
  std::optional<Tensor> slope = meanSlope(op, b, x.dtype());
  return slope ? Value(leaky(x, x, *slope).as(own.dtype())) : Value();
}

/// In training, the noise is the slopes, 1 for x > 0.
static Value rreluBackward(AtenRreluWithNoiseBackwardOp op, TorchBuilder &b) {
  auto [g, x] = operandsOf(op, b);
  if (matchBool(op.getTraining()) == true)
    return (g * Tensor(b, op.getNoise()).as(g.dtype()))
        .as(tensorType(op).getDtype());
  std::optional<Tensor> slope = meanSlope(op, b, x.dtype());
  return slope ? Value(leaky(g, x, *slope).as(tensorType(op).getDtype()))
               : Value();
}

/// prelu(x, weight) = x for x > 0, else weight x, for a weight that broadcasts.
static Tensor preluKernel(Aten_PreluKernelOp op, TorchBuilder &b) {
  auto [x, weight] = operandsOf(op, b);
  return leaky(x, x, weight).as(tensorType(op).getDtype());
}

/// The gradients of x and, for each element of x, of the weight: g x unless x
/// > 0.
static Decompositions::Values preluBackward(Aten_PreluKernelBackwardOp op,
                                            TorchBuilder &b) {
  Type dtype = tensorType(op.getResult0()).getDtype();
  auto computed = [&](Value value) {
    return Tensor(b, value).as(dtype).widened();
  };
  Tensor g = computed(op.getGradOutput()), x = computed(op.getSelf()),
         weight = computed(op.getWeight());
  return {leaky(g, x, weight).as(dtype), where(x > 0, 0, g * x).as(dtype)};
}

//===----------------------------------------------------------------------===//
// Of softmax and dropout
//===----------------------------------------------------------------------===//

/// With the results y: y (g - sum(g y)) for softmax, and g - exp(y) sum(g) for
/// log_softmax, with sums over a dim.
template <bool isLog, typename Op>
static Value softmaxBackward(Op op, TorchBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.fail(kConstantDim);
  Tensor g = Tensor(b, op.getGradOutput()).widened(),
         y = Tensor(b, op.getOutput()).widened();
  SmallVector<int64_t> dims;
  if (g.rank() > 0)
    dims.push_back(normalDim(*dim, g.rank()));
  Tensor x =
      isLog ? g - exp(y) * sumOver(g, dims) : y * (g - sumOver(g * y, dims));
  return x.as(tensorType(op).getDtype());
}

/// g / (1 - p) for the elements that dropout kept, else 0
static Tensor dropoutBackward(AtenNativeDropoutBackwardOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  Tensor g = Tensor(b, op.getGradOutput()).as(dtype).widened();
  return (g * Tensor(b, op.getMask()).as(g.dtype()) *
          scalar(b, op.getScale(), g.dtype()))
      .as(dtype);
}

void populateGradientPointwise(Decompositions &decompositions) {
  decompositions.add(dropoutBackward, eluBackward, geluBackward, gluBackward,
                     gradient<hardsigmoidBackward, AtenHardsigmoidBackwardOp>,
                     gradient<hardswishBackward, AtenHardswishBackwardOp>,
                     gradient<logSigmoidBackward, AtenLogSigmoidBackwardOp>,
                     gradient<mishBackward, AtenMishBackwardOp>,
                     gradient<sigmoidBackward, AtenSigmoidBackwardOp>,
                     gradient<siluBackward, AtenSiluBackwardOp>,
                     gradient<tanhBackward, AtenTanhBackwardOp>,
                     hardtanhBackward, leakyReluBackward, logSigmoidForward,
                     logitBackward, preluBackward, preluKernel, rrelu,
                     rreluBackward, shrinkBackward<AtenHardshrinkBackwardOp>,
                     shrinkBackward<AtenSoftshrinkBackwardOp>,
                     softmaxBackward<false, Aten_SoftmaxBackwardDataOp>,
                     softmaxBackward<true, Aten_LogSoftmaxBackwardDataOp>,
                     softplusBackward, thresholdBackward);
}

} // namespace isthmus::decompose_torch
