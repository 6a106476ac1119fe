//===- Math.cpp - ONNX arithmetic to ATen ---------------------------------===//
//
// One row or one function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Onnx/Math.h"
#include "Families.h"
#include "NamedActivation.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/SortingOps.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// Add-14: C = A + B, with NumPy's broadcasting.
FailureOr<Value> lowerAdd(onnx::AddOp, onnx::AddOp::Adaptor in,
                          NodeBuilder &b) {
  return b.add(in.getA(), in.getB());
}

/// Clip-13: output = min(max(input, min), max); an absent bound is unbounded.
FailureOr<Value> lowerClip(onnx::ClipOp, onnx::ClipOp::Adaptor in,
                           NodeBuilder &b) {
  Value bounds[] = {in.getMin(), in.getMax()};
  bool areKnown = true;
  for (Value bound : bounds) {
    if (!isPresent(bound))
      continue;
    areKnown &= b.constantFloats(bound) || b.constantInts(bound);
  }
  if (!isPresent(bounds[0]) && !isPresent(bounds[1]))
    return in.getInput();
  if (!areKnown) {
    for (Value &bound : bounds)
      if (isPresent(bound) && rankOf(bound) == 1)
        bound = b.squeeze(bound, 0);
    return Value(b.create<torch::AtenClampTensorOp>(in.getInput(), bounds[0],
                                                    bounds[1]));
  }
  for (Value &bound : bounds)
    if (isPresent(bound))
      bound = numberOf(b, bound);
  return Value(
      b.create<torch::AtenClampOp>(in.getInput(), bounds[0], bounds[1]));
}

/// Sign-13: -1, 0 or 1. As in onnxruntime and ONNX's reference, NaN stays NaN.
FailureOr<Value> lowerSign(onnx::SignOp, onnx::SignOp::Adaptor in,
                           NodeBuilder &b) {
  Value x = in.getInput(), sign = b.create<torch::AtenSignOp>(x);
  if (!torch::isFloatingPoint(dtypeOf(x)))
    return sign;
  return b.where(b.create<torch::AtenIsnanOp>(x), x, sign);
}

/// y[i] = x[0] + ... + x[i] along `axis` for CumSum. `exclusive` leaves x[i]
/// out, `reverse` counts from the end.
template <typename Scan>
FailureOr<Value> lowerScan(Value x, Value axisOperand, bool exclusive,
                           bool reverse, double neutral, NodeBuilder &b) {
  FailureOr<int64_t> given = knownInt(b, axisOperand, "axis");
  if (failed(given))
    return failure();
  FailureOr<int64_t> axis = axisOf(b, *given, rankOf(x));
  if (failed(axis))
    return failure();
  Value dims = b.ints(ArrayRef<int64_t>(*axis));
  if (reverse)
    x = b.create<torch::AtenFlipOp>(x, dims);
  Type dtype = dtypeOf(x);
  if (exclusive) { // shift by one: the neutral element goes in, the last one
                   // out
    SmallVector<int64_t> pads(2 * (rankOf(x) - *axis - 1), 0);
    pads.append({1, -1});
    x = b.create<torch::AtenConstantPadNdOp>(x, b.ints(pads),
                                             number(b, neutral, dtype));
  }
  Value y = b.create<Scan>(x, b.constant(*axis), b.dtype(dtype));
  if (reverse)
    y = b.create<torch::AtenFlipOp>(y, dims);
  return y;
}

/// CumProd-26
FailureOr<Value> lowerCumProd(onnx::CumProdOp op, onnx::CumProdOp::Adaptor in,
                              NodeBuilder &b) {
  return lowerScan<torch::AtenCumprodOp>(
      in.getX(), in.getAxis(), op.getExclusive(), op.getReverse(), 1, b);
}

/// CumSum-14
FailureOr<Value> lowerCumSum(onnx::CumSumOp op, onnx::CumSumOp::Adaptor in,
                             NodeBuilder &b) {
  return lowerScan<torch::AtenCumsumOp>(
      in.getX(), in.getAxis(), op.getExclusive(), op.getReverse(), 0, b);
}

/// Einsum-28: the sum of products given by an equation in Einstein notation.
FailureOr<Value> lowerEinsum(onnx::EinsumOp op, onnx::EinsumOp::Adaptor in,
                             NodeBuilder &b) {
  return Value(b.create<torch::AtenEinsumOp>(
      b.constantStr(op.getEquation()), b.tensors(in.getInputs()), b.none()));
}

/// Div-14: C = A / B; integers round towards zero.
FailureOr<Value> lowerDiv(onnx::DivOp, onnx::DivOp::Adaptor in,
                          NodeBuilder &b) {
  if (!torch::isIntegral(dtypeOf(in.getA())))
    return b.div(in.getA(), in.getB());
  return Value(b.create<torch::AtenDivTensorModeOp>(in.getA(), in.getB(),
                                                    b.constantStr("trunc")));
}

/// The size that a dim of size `x` and a size `y` broadcast to: the one that is
/// not 1. aten.expand checks that x is 1 or the result.
Value broadcastSize(NodeBuilder &b, Value x, Value y) {
  std::optional<int64_t> known = torch::matchInt(x), other = torch::matchInt(y);
  if (x == y || other == 1)
    return x;
  if (known == 1 || other)
    return y;
  Value yIsOne = b.eqInt(y, b.constant(1));
  if (known) {
    Value fits = b.fold<torch::Aten__Or__BoolOp>(yIsOne, b.eqInt(y, x));
    b.check(fits, "sizes that broadcast");
    return x;
  }
  // y + (y == 1) * (x - 1)
  Value isOne = b.fold<torch::AtenIntBoolOp>(yIsOne);
  return b.addInt(y, b.mulInt(isOne, b.subInt(x, b.constant(1))));
}

/// Expand-13: broadcasts the input and a shape with each other.
FailureOr<Value> lowerExpand(onnx::ExpandOp, onnx::ExpandOp::Adaptor in,
                             NodeBuilder &b) {
  FailureOr<SmallVector<Value>> shape = b.ints(in.getShape());
  if (failed(shape))
    return b.decline() << "expected a shape of known length, got "
                       << in.getShape().getType();
  SmallVector<Value> own = b.sizes(in.getInput()), sizes = *shape;
  if (sizes.size() < own.size())
    sizes.insert(sizes.begin(), own.size() - sizes.size(), b.constant(1));
  size_t offset = sizes.size() - own.size();
  for (auto [size, given] :
       llvm::zip_equal(own, MutableArrayRef(sizes).drop_front(offset))) {
    auto known = torch::matchInt(size), wanted = torch::matchInt(given);
    if (known && wanted && known != wanted && *known != 1 && *wanted != 1)
      return b.decline() << "expected sizes that broadcast, got " << *known
                         << " and " << *wanted;
    given = broadcastSize(b, size, given);
  }
  return b.expand(in.getInput(), sizes);
}

Value transpose(NodeBuilder &b, Value matrix) {
  return b.permute(matrix, {1, 0});
}

/// alpha * A' * B' + beta * C, where ' transposes on demand.
template <typename Op>
FailureOr<Value> gemm(Op op, typename Op::Adaptor in, NodeBuilder &b) {
  Type dtype = dtypeOf(in.getA());
  double alpha = op.getAlpha().convertToDouble(),
         beta = op.getBeta().convertToDouble();
  if (torch::isIntegral(dtype) &&
      (alpha != std::floor(alpha) || beta != std::floor(beta)))
    return b.decline() << "expected whole numbers as alpha and beta of integer "
                          "matrices, got "
                       << alpha << " and " << beta;
  Value lhs = op.getTransA() ? transpose(b, in.getA()) : in.getA();
  bool hasBias = isPresent(in.getC()) && beta != 0;
  if (hasBias && alpha == 1 && beta == 1 && rankOf(in.getC()) == 1 &&
      sizeOf(in.getC(), 0) == sizeOf(in.getB(), op.getTransB() ? 0 : 1)) {
    Value weight = op.getTransB() ? in.getB() : transpose(b, in.getB());
    return Value(b.create<torch::AtenLinearOp>(lhs, weight, in.getC()));
  }
  Value rhs = op.getTransB() ? transpose(b, in.getB()) : in.getB();
  if (hasBias)
    return Value(b.create<torch::AtenAddmmOp>(
        in.getC(), lhs, rhs, number(b, beta, dtype), number(b, alpha, dtype)));
  Value product = b.create<torch::AtenMmOp>(lhs, rhs);
  return alpha == 1 ? product
                    : b.create<torch::AtenMulScalarOp>(product,
                                                       number(b, alpha, dtype))
                          .getResult();
}

/// Gemm-13
FailureOr<Value> lowerGemm(onnx::GemmOp op, onnx::GemmOp::Adaptor in,
                           NodeBuilder &b) {
  return gemm(op, in, b);
}

/// onnxruntime's FusedGemm: activation(Gemm(A, B, C))
FailureOr<Value> lowerFusedGemm(onnx::MicrosoftFusedGemmOp op,
                                onnx::MicrosoftFusedGemmOp::Adaptor in,
                                NodeBuilder &b) {
  FailureOr<Value> y = gemm(op, in, b);
  StringRef name = op.getActivation().value_or("");
  if (failed(y) || b.hasFailed() || name.empty())
    return y;
  FailureOr<const ActivationKind *> kind = findActivation(b, name);
  if (failed(kind))
    return failure();
  auto parameter = [](std::optional<APFloat> given,
                      std::optional<double> otherwise) {
    return given ? given->convertToDouble() : otherwise.value_or(0);
  };
  return (*kind)->apply(b, *y,
                        parameter(op.getActivationAlpha(), (*kind)->alpha),
                        parameter(op.getActivationBeta(), (*kind)->beta));
}

/// Hardmax-13: 1 for the first maximum along `axis`, 0 for all others.
FailureOr<Value> lowerHardmax(onnx::HardmaxOp op, onnx::HardmaxOp::Adaptor in,
                              NodeBuilder &b) {
  Value x = in.getInput();
  FailureOr<int64_t> axis = axisOf(b, op.getAxis(), rankOf(x));
  if (failed(axis))
    return failure();
  Value largest =
      b.create<torch::AtenArgmaxOp>(x, b.constant(*axis), b.constantBool(true));
  Value places =
      alongAxis(b, iota(b, b.constant(0), b.size(x, *axis)), *axis, rankOf(x));
  return b.convert(b.create<torch::AtenEqTensorOp>(largest, places),
                   dtypeOf(x));
}

/// LogSoftmax-13: log(exp(x) / sum(exp(x))) along `axis`.
FailureOr<Value> lowerLogSoftmax(onnx::LogSoftmaxOp op,
                                 onnx::LogSoftmaxOp::Adaptor in,
                                 NodeBuilder &b) {
  return Value(b.create<torch::AtenLogSoftmaxIntOp>(
      in.getInput(), b.constant(op.getAxis()), b.none()));
}

Value lowerAll(ValueRange operands, NodeBuilder &b,
               llvm::function_ref<Value(Value, Value)> function) {
  Value result = operands.front();
  for (Value operand : operands.drop_front())
    result = function(result, operand);
  return result;
}

/// Max-13: the largest of the inputs, element by element, broadcast.
FailureOr<Value> lowerMax(onnx::MaxOp, onnx::MaxOp::Adaptor in,
                          NodeBuilder &b) {
  return lowerAll(in.getOperands(), b, [&](Value x, Value y) {
    return Value(b.create<torch::AtenMaximumOp>(x, y));
  });
}

/// Mean-13: the mean of the inputs, element by element, broadcast.
FailureOr<Value> lowerMean(onnx::MeanOp, onnx::MeanOp::Adaptor in,
                           NodeBuilder &b) {
  Value sum = lowerAll(in.getOperands(), b,
                       [&](Value x, Value y) { return b.add(x, y); });
  int64_t count = in.getOperands().size();
  return count == 1
             ? sum
             : b.create<torch::AtenDivScalarOp>(sum, b.constantFloat(count))
                   .getResult();
}

/// Min-13: the smallest of the inputs, element by element, broadcast.
FailureOr<Value> lowerMin(onnx::MinOp, onnx::MinOp::Adaptor in,
                          NodeBuilder &b) {
  return lowerAll(in.getOperands(), b, [&](Value x, Value y) {
    return Value(b.create<torch::AtenMinimumOp>(x, y));
  });
}

/// Mod-28: fmod = 0 has the sign of B (a - floor(a / b) * b), fmod = 1 that of
/// A.
FailureOr<Value> lowerMod(onnx::ModOp op, onnx::ModOp::Adaptor in,
                          NodeBuilder &b) {
  if (op.getFmod())
    return Value(b.create<torch::AtenFmodTensorOp>(in.getA(), in.getB()));
  return Value(b.create<torch::AtenRemainderTensorOp>(in.getA(), in.getB()));
}

/// The exponents of an integer power as that integer dtype; null if some are
/// not integers or do not fit.
Value wholeExponents(NodeBuilder &b, Value tensor, ArrayRef<double> exponents,
                     IntegerType dtype) {
  bool isSigned = !dtype.isUnsigned();
  SmallVector<APInt> whole;
  for (double exponent : exponents) {
    APSInt integer(dtype.getWidth(), /*isUnsigned=*/!isSigned);
    bool isExact;
    if (APFloat(exponent).convertToInteger(integer, APFloat::rmTowardZero,
                                           &isExact) != APFloat::opOK)
      return {};
    whole.push_back(integer);
  }
  Type element =
      isSigned ? IntegerType::get(b.getContext(), dtype.getWidth()) : dtype;
  return b.literal(DenseElementsAttr::get(
      RankedTensorType::get(torch::tensorType(tensor).getSizes(), element),
      whole));
}

/// Pow-15: Z = X^Y, in the dtype of X.
FailureOr<Value> lowerPow(onnx::PowOp, onnx::PowOp::Adaptor in,
                          NodeBuilder &b) {
  Value x = in.getX(), y = in.getY();
  Type dtype = dtypeOf(x);
  auto exponents = b.constantFloats(y);
  if (torch::isFloatingPoint(dtype)) {
    // A known exponent is passed as a number: squares and roots have cheaper
    // forms.
    if (exponents && rankOf(y) == 0)
      return Value(b.create<torch::AtenPowTensorScalarOp>(
          x, b.constantFloat(exponents->front())));
    y = b.convert(y, dtype);
  } else if (torch::isFloatingPoint(dtypeOf(y))) {
    // PyTorch would take the power of integers in f32, which rounds them.
    Value whole =
        exponents ? wholeExponents(b, y, *exponents, cast<IntegerType>(dtype))
                  : Value();
    Type wide = Float64Type::get(b.getContext());
    y = whole ? whole : b.convert(y, wide);
    x = whole ? x : b.convert(x, wide);
  }
  return b.convert(b.create<torch::AtenPowTensorTensorOp>(x, y), dtype);
}

/// Softmax-13: exp(x) / sum(exp(x)) along `axis`.
FailureOr<Value> lowerSoftmax(onnx::SoftmaxOp op, onnx::SoftmaxOp::Adaptor in,
                              NodeBuilder &b) {
  return Value(b.create<torch::AtenSoftmaxIntOp>(
      in.getInput(), b.constant(op.getAxis()), b.none()));
}

/// Sub-14: C = A - B.
FailureOr<Value> lowerSub(onnx::SubOp, onnx::SubOp::Adaptor in,
                          NodeBuilder &b) {
  return b.sub(in.getA(), in.getB());
}

/// Sum-13: the sum of the inputs, element by element, broadcast.
FailureOr<Value> lowerSum(onnx::SumOp, onnx::SumOp::Adaptor in,
                          NodeBuilder &b) {
  return lowerAll(in.getOperands(), b,
                  [&](Value x, Value y) { return b.add(x, y); });
}

/// TopK-24: the K largest (or smallest) elements along `axis` and their
/// indices; of equal elements the one with the lower index comes first.
FailureOr<SmallVector<Value>>
lowerTopK(onnx::TopKOp op, onnx::TopKOp::Adaptor in, NodeBuilder &b) {
  FailureOr<int64_t> axis = axisOf(b, op.getAxis(), rankOf(in.getX()));
  if (failed(axis))
    return failure();
  FailureOr<Value> count = intOf(b, in.getK(), "K");
  if (failed(count) || failed(requireAtLeast(b, *count, 0, "K")))
    return failure();
  Value size = b.size(in.getX(), *axis);
  std::optional<int64_t> most = torch::matchInt(size),
                         wanted = torch::matchInt(*count);
  if (most && wanted && *wanted > *most)
    return b.decline() << "expected K to be at most the " << *most
                       << " elements along axis " << *axis << ", got "
                       << *wanted;
  b.check(b.fold<torch::AtenLeIntOp>(*count, size),
          "K to be at most the number of elements along axis " + Twine(*axis));
  // aten.topk guarantees no order for equal elements.
  auto sorted = b.create<torch::AtenSortStableOp>(
      in.getX(), b.constantBool(true), b.constant(*axis),
      b.constantBool(op.getLargest()));
  return llvm::map_to_vector(sorted->getResults(), [&](Value all) {
    return b.slice(all, *axis, b.constant(0), *count);
  });
}

} // namespace

void onnx_to_torch::populateMath(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerAdd);
  lowerings.add(lowerClip);
  lowerings.add(lowerCumProd);
  lowerings.add(lowerCumSum);
  lowerings.add(lowerEinsum);
  lowerings.add(lowerDiv);
  lowerings.add(lowerExpand);
  lowerings.add(lowerFusedGemm);
  lowerings.add(lowerGemm);
  lowerings.add(lowerHardmax);
  lowerings.add(lowerLogSoftmax);
  lowerings.add(lowerMax);
  lowerings.add(lowerMean);
  lowerings.add(lowerMin);
  lowerings.add(lowerMod);
  lowerings.add(lowerPow);
  lowerings.add(lowerSign);
  lowerings.add(lowerSoftmax);
  lowerings.add(lowerSub);
  lowerings.add(lowerSum);
  lowerings.add(lowerTopK);
  lowerings.addBinary<onnx::MatMulOp,
                      torch::AtenMatmulOp>(); // MatMul-13: numpy.matmul
  lowerings
      .addBinary<onnx::MulOp, torch::AtenMulTensorOp>();   // Mul-14: C = A * B
  lowerings.addUnary<onnx::AbsOp, torch::AtenAbsOp>();     // Abs-13: Y = |X|
  lowerings.addUnary<onnx::AcosOp, torch::AtenAcosOp>();   // Acos-22
  lowerings.addUnary<onnx::AcoshOp, torch::AtenAcoshOp>(); // Acosh-22
  lowerings.addUnary<onnx::AsinOp, torch::AtenAsinOp>();   // Asin-22
  lowerings.addUnary<onnx::AsinhOp, torch::AtenAsinhOp>(); // Asinh-22
  lowerings.addUnary<onnx::AtanOp, torch::AtenAtanOp>();   // Atan-22
  lowerings.addUnary<onnx::AtanhOp, torch::AtenAtanhOp>(); // Atanh-22
  lowerings.addUnary<onnx::CeilOp, torch::AtenCeilOp>();   // Ceil-13
  lowerings.addUnary<onnx::CosOp, torch::AtenCosOp>();     // Cos-22
  lowerings.addUnary<onnx::CoshOp, torch::AtenCoshOp>();   // Cosh-22
  lowerings.addUnary<onnx::ErfOp, torch::AtenErfOp>();     // Erf-13
  lowerings.addUnary<onnx::ExpOp, torch::AtenExpOp>();     // Exp-13: e^x
  lowerings.addUnary<onnx::FloorOp, torch::AtenFloorOp>(); // Floor-13
  lowerings.addUnary<onnx::LogOp, torch::AtenLogOp>();     // Log-13: natural
  lowerings.addUnary<onnx::NegOp, torch::AtenNegOp>();     // Neg-13: Y = -X
  lowerings.addUnary<onnx::ReciprocalOp,
                     torch::AtenReciprocalOp>(); // Reciprocal-13: Y = 1 / X
  lowerings
      .addUnary<onnx::RoundOp, torch::AtenRoundOp>();  // Round-22: half to even
  lowerings.addUnary<onnx::SinOp, torch::AtenSinOp>(); // Sin-22
  lowerings.addUnary<onnx::SinhOp, torch::AtenSinhOp>(); // Sinh-22
  lowerings.addUnary<onnx::SqrtOp, torch::AtenSqrtOp>(); // Sqrt-13
  lowerings.addUnary<onnx::TanOp, torch::AtenTanOp>();   // Tan-22
  lowerings.addUnary<onnx::TanhOp, torch::AtenTanhOp>(); // Tanh-13
}
