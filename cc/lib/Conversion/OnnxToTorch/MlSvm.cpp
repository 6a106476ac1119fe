//===- MlSvm.cpp - Support vector machines to ATen ------------------------===//
//
// One function per op. The comment beside it is its definition
// (https://onnx.ai/onnx/operators, ai.onnx.ml, and its reference
// implementation).
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Loops.h"
#include "MlScores.h"
#include "MlValues.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Ml.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// Tables of more elements would not be worth their memory.
constexpr int64_t mostElements = int64_t(1) << 26;
constexpr int64_t mostClasses = 256;

/// The kernel of rows [N, F] and vectors [V, F], as [N, V]:
/// LINEAR: x . v, POLY: (gamma x . v + coef0) ^ degree,
/// RBF: exp(-gamma |x - v|^2), SIGMOID: tanh(gamma x . v + coef0)
FailureOr<Value> kernel(NodeBuilder &b, StringRef type,
                        ArrayRef<double> parameters, Value rows,
                        ArrayRef<double> vectors, int64_t count) {
  if (!parameters.empty() && parameters.size() != 3)
    return b.decline() << "expected gamma, coef0 and degree in kernel_params, "
                          "got "
                       << parameters.size() << " numbers";
  double gamma = parameters.empty() ? 0 : parameters[0];
  double coef0 = parameters.empty() ? 0 : parameters[1];
  double degree = parameters.empty() ? 0 : parameters[2];
  int64_t features = vectors.size() / count;
  Type dtype = dtypeOf(rows);
  if (type == "RBF") {
    Value difference = b.sub(b.unsqueeze(rows, 1),
                             table(b, vectors, {count, features}, dtype));
    Value squares =
        b.sum(b.mul(difference, difference), {2}, /*keepdim=*/false);
    return Value(b.create<torch::AtenExpOp>(scaled(b, squares, -gamma)));
  }
  Value products = productWith(b, rows, vectors, count);
  if (type == "LINEAR")
    return products;
  Value inner = addNumber(b, scaled(b, products, gamma), coef0);
  if (type == "POLY")
    return Value(
        b.create<torch::AtenPowTensorScalarOp>(inner, b.constantFloat(degree)));
  if (type == "SIGMOID")
    return Value(b.create<torch::AtenTanhOp>(inner));
  return b.decline() << "expected a kernel_type of LINEAR, POLY, RBF or "
                        "SIGMOID, got "
                     << type;
}

//===----------------------------------------------------------------------===//
// SVMRegressor
//===----------------------------------------------------------------------===//

/// SVMRegressor-1: Y = kernel(X, support_vectors) . coefficients + rho, or
/// X . coefficients + rho without support vectors. If one_class is 1, Y is 1
/// where this is above 0, else -1.
FailureOr<Value> lowerSVMRegressor(onnx::MlSVMRegressorOp op,
                                   onnx::MlSVMRegressorOp::Adaptor in,
                                   NodeBuilder &b) {
  if (op.getPostTransform() != "NONE")
    return b.decline() << "expected a post_transform of NONE, got "
                       << op.getPostTransform();
  SmallVector<double> coefficients = floatsOf(op.getCoefficients()),
                      vectors = floatsOf(op.getSupportVectors()),
                      rho = floatsOf(op.getRho());
  int64_t count = op.getNSupports();
  if (coefficients.empty() || rho.empty())
    return b.decline() << "expected coefficients and rho, got "
                       << coefficients.size() << " and " << rho.size()
                       << " numbers";
  if (count < 0 || (count > 0 && (int64_t(coefficients.size()) != count ||
                                  vectors.empty() || vectors.size() % count)))
    return b.decline() << "expected a coefficient and a vector for each of "
                       << count << " support vectors, got "
                       << coefficients.size() << " coefficients and "
                       << vectors.size() << " elements of vectors";
  int64_t features = count > 0 ? vectors.size() / count : coefficients.size();
  if (failed(checkColumns(b, in.getX(), features)))
    return failure();
  Type dtype = wideDtype(dtypeOf(in.getX()));
  Value rows = rowsOf(b, in.getX(), dtype);
  FailureOr<Value> kernels =
      count > 0 ? kernel(b, op.getKernelType(), floatsOf(op.getKernelParams()),
                         rows, vectors, count)
                : FailureOr<Value>(rows);
  if (failed(kernels))
    return failure();
  Value y =
      addNumber(b,
                b.create<torch::AtenMatmulOp>(
                    *kernels, table(b, coefficients,
                                    {int64_t(coefficients.size()), 1}, dtype)),
                rho.front());
  if (op.getOneClass())
    y = b.where(b.create<torch::AtenGtScalarOp>(y, b.constantFloat(0)),
                b.scalarTensor(1.0, dtype), b.scalarTensor(-1.0, dtype));
  return b.convert(y, float32Dtype(b));
}

//===----------------------------------------------------------------------===//
// SVMClassifier
//===----------------------------------------------------------------------===//

/// The pairs of classes (i, j), i < j, in order.
SmallVector<std::pair<int64_t, int64_t>> pairsOf(int64_t classes) {
  SmallVector<std::pair<int64_t, int64_t>> pairs;
  for (int64_t i = 0; i < classes; ++i)
    for (int64_t j = i + 1; j < classes; ++j)
      pairs.push_back({i, j});
  return pairs;
}

/// The number of pairs [N, classes] that a class wins: (i, j) is won by i if
/// its score is above 0, else by j.
Value votesOf(NodeBuilder &b, Value scores, int64_t classes) {
  auto pairs = pairsOf(classes);
  // One pair more or less for class i and one less or more for class j.
  SmallVector<double> change(pairs.size() * classes, 0), lost(classes, 0);
  for (auto [place, pair] : llvm::enumerate(pairs)) {
    change[place * classes + pair.first] = 1;
    change[place * classes + pair.second] = -1;
    ++lost[pair.second];
  }
  Type dtype = dtypeOf(scores);
  Value isWon = b.convert(
      b.create<torch::AtenGtScalarOp>(scores, b.constantFloat(0)), dtype);
  Value changes = b.create<torch::AtenMatmulOp>(
      isWon, table(b, change, {int64_t(pairs.size()), classes}, dtype));
  return b.add(changes, table(b, lost, {classes}, dtype));
}

/// The probabilities [N, classes] from those of the pairs, r[i, j] = P(i or j
/// is i), as libsvm couples them (T.-F. Wu, C.-J. Lin, R. C. Weng, Probability
/// Estimates for Multi-class Classification by Pairwise Coupling, algorithm 2):
/// p minimizes p' Q p, where Q[i, i] = sum over j of r[j, i]^2 and
/// Q[i, j] = -r[j, i] r[i, j]. It ends, by rows, when each (Q p)[i] is within
/// 0.005 / classes of p' Q p, or after 100 steps.
FailureOr<Value> coupled(NodeBuilder &b, Value pairwise, int64_t classes) {
  auto pairs = pairsOf(classes);
  int64_t count = pairs.size();
  Type dtype = dtypeOf(pairwise);
  // r and its transpose, as places in [pairwise, 1 - pairwise, 0].
  SmallVector<int64_t> places(classes * classes, 2 * count),
      opposite(classes * classes, 2 * count);
  for (auto [place, pair] : llvm::enumerate(pairs)) {
    auto [i, j] = pair;
    places[i * classes + j] = opposite[j * classes + i] = place;
    places[j * classes + i] = opposite[i * classes + j] = count + place;
  }
  Value others = addNumber(b, b.create<torch::AtenNegOp>(pairwise), 1);
  Value zero = filled(b, {b.size(pairwise, 0), b.constant(1)},
                      b.constantFloat(0), dtype);
  Value all = b.cat({pairwise, others, zero}, 1);
  auto square = [&](ArrayRef<int64_t> chosen) {
    Value flat = b.create<torch::AtenIndexSelectOp>(
        all, b.constant(1),
        table(b, chosen, {classes * classes}, int64Dtype(b)));
    return b.view(flat,
                  {b.constant(-1), b.constant(classes), b.constant(classes)});
  };
  Value r = square(places), rOfOther = square(opposite);
  SmallVector<double> identity(classes * classes, 0);
  for (int64_t i = 0; i < classes; ++i)
    identity[i * classes + i] = 1;
  Value eye = table(b, identity, {classes, classes}, dtype);
  Value diagonal = b.sum(b.mul(rOfOther, rOfOther), {2}, /*keepdim=*/false);
  Value q = b.sub(b.mul(b.unsqueeze(diagonal, 2), eye), b.mul(r, rOfOther));

  Value start = filled(b, {b.size(pairwise, 0), b.constant(classes)},
                       b.constantFloat(1.0 / classes), dtype);
  auto step = [&](Value, ValueRange carried) -> FailureOr<Step> {
    Value p = carried.front();
    Value qp = b.sum(b.mul(q, b.unsqueeze(p, 1)), {2}, /*keepdim=*/false);
    Value pqp = b.sum(b.mul(p, qp), {1}, /*keepdim=*/true);
    Value error = b.create<torch::AtenAmaxOp>(
        b.create<torch::AtenAbsOp>(b.sub(qp, pqp)),
        b.ints(ArrayRef<int64_t>{1}), b.constantBool(true));
    Value isDone = b.create<torch::AtenLtScalarOp>(
        error, b.constantFloat(0.005 / classes));
    Value next = p;
    for (int64_t i = 0; i < classes; ++i) {
      Value end = b.constant(i + 1), from = b.constant(i);
      Value qi = b.squeeze(b.slice(q, 1, from, end), {1}); // [N, classes]
      Value qii = b.slice(qi, 1, from, end);
      Value qpi = b.slice(qp, 1, from, end);
      Value change = b.div(b.sub(pqp, qpi), qii);
      Value scale = addNumber(b, change, 1);
      SmallVector<double> unit(classes, 0);
      unit[i] = 1;
      next = b.div(b.add(next, b.mul(change, table(b, unit, {classes}, dtype))),
                   scale);
      Value more = b.mul(change, b.add(b.mul(change, qii), scaled(b, qpi, 2)));
      pqp = b.div(b.div(b.add(pqp, more), scale), scale);
      qp = b.div(b.add(qp, b.mul(change, qi)), scale);
    }
    return Step{Value(), {b.where(isDone, p, next)}, {}};
  };
  constexpr int64_t steps = 100;
  FailureOr<Values> last =
      buildLoop(b, b.constant(steps), Value(), {start}, step);
  if (failed(last))
    return failure();
  return last->front();
}

/// SVMClassifier-1. With support vectors, each pair of classes has a score,
/// sum(coefficients * kernel(X, vectors of both)) + rho, and Y is the class
/// that wins most pairs. Z has these scores, or probabilities of classes, if
/// there are prob_a and prob_b. Without support vectors, each class has the
/// score X . coefficients + rho. As in onnxruntime, two classes with one score
/// have its opposite as the score of the first, and of two classes with a score
/// each, the second is chosen if the largest score is above 0 (from 0.5 on if
/// no coefficient is negative).
FailureOr<SmallVector<Value>>
lowerSVMClassifier(onnx::MlSVMClassifierOp op,
                   onnx::MlSVMClassifierOp::Adaptor in, NodeBuilder &b) {
  FailureOr<PostTransform> transform =
      postTransformOf(b, op.getPostTransform());
  FailureOr<ClassLabels> labels =
      classLabelsOf(b, op.getClasslabelsInts(), op.getClasslabelsStrings());
  if (failed(transform) || failed(labels))
    return failure();
  SmallVector<double> coefficients = floatsOf(op.getCoefficients()),
                      vectors = floatsOf(op.getSupportVectors()),
                      rho = floatsOf(op.getRho()),
                      probA = floatsOf(op.getProbA()),
                      probB = floatsOf(op.getProbB());
  SmallVector<int64_t> perClass = intsOf(op.getVectorsPerClass());
  int64_t classes = labels->count();
  if (classes < 1 || classes > mostClasses)
    return b.decline() << "expected 1 to " << mostClasses
                       << " class labels, got " << classes;
  if (coefficients.empty() || rho.empty())
    return b.decline() << "expected coefficients and rho, got "
                       << coefficients.size() << " and " << rho.size()
                       << " numbers";
  int64_t count = 0;
  for (int64_t each : perClass) {
    if (each < 0 || each > int64_t(coefficients.size()))
      return b.decline() << "expected numbers of vectors in "
                            "vectors_per_class, got "
                         << each;
    count += each;
  }
  Type dtype = wideDtype(dtypeOf(in.getX()));

  if (count == 0) {
    if (coefficients.size() % classes)
      return b.decline() << "expected coefficients for " << classes
                         << " classes, got " << coefficients.size();
    int64_t features = coefficients.size() / classes;
    if (failed(checkColumns(b, in.getX(), features)))
      return failure();
    Value scores = addNumber(
        b, productWith(b, rowsOf(b, in.getX(), dtype), coefficients, classes),
        rho.front());
    Value places = largest(b, scores);
    if (classes == 2) {
      Value most = b.create<torch::AtenAmaxOp>(
          scores, b.ints(ArrayRef<int64_t>{1}), b.constantBool(false));
      bool isPositive = llvm::all_of(
          coefficients, [](double coefficient) { return coefficient >= 0; });
      Value isSecond = isPositive ? Value(b.create<torch::AtenGeScalarOp>(
                                        most, b.constantFloat(0.5)))
                                  : Value(b.create<torch::AtenGtScalarOp>(
                                        most, b.constantFloat(0)));
      places =
          b.where(isSecond, b.scalarTensor(int64_t(1), int64Dtype(b)), places);
    }
    FailureOr<Value> y = labelsAt(b, *labels, places, op.getY());
    if (failed(y))
      return failure();
    return SmallVector<Value>{
        *y, b.convert(transformed(b, scores, *transform), float32Dtype(b))};
  }

  auto pairs = pairsOf(classes);
  int64_t pairCount = pairs.size();
  if (classes < 2 || int64_t(perClass.size()) != classes || vectors.empty() ||
      vectors.size() % count ||
      int64_t(coefficients.size()) != count * (classes - 1) ||
      int64_t(rho.size()) != pairCount)
    return b.decline()
           << "expected support vectors for each of two or more "
              "classes, a coefficient of each for each other class, "
              "and a rho for each pair of classes, got "
           << classes << " classes, " << count << " vectors, " << vectors.size()
           << " elements of vectors, " << coefficients.size()
           << " coefficients and " << rho.size() << " numbers in rho";
  if (probA.size() != probB.size() ||
      (!probA.empty() && int64_t(probA.size()) != pairCount))
    return b.decline() << "expected prob_a and prob_b for each of " << pairCount
                       << " pairs of classes, got " << probA.size() << " and "
                       << probB.size() << " numbers";
  if (pairCount > mostElements / count)
    return b.decline() << "expected at most " << mostElements
                       << " coefficients of pairs, got " << count
                       << " vectors and " << pairCount << " pairs";
  if (failed(checkColumns(b, in.getX(), vectors.size() / count)))
    return failure();
  FailureOr<Value> kernels =
      kernel(b, op.getKernelType(), floatsOf(op.getKernelParams()),
             rowsOf(b, in.getX(), dtype), vectors, count);
  if (failed(kernels))
    return failure();

  // Row j - 1 of the coefficients is that of class i against class j, for j
  // above i, and row j for j below i.
  SmallVector<int64_t> starts = {0};
  for (int64_t each : perClass)
    starts.push_back(starts.back() + each);
  SmallVector<double> ofPairs(count * pairCount, 0);
  for (auto [place, pair] : llvm::enumerate(pairs)) {
    auto [i, j] = pair;
    for (int64_t vector = starts[i]; vector < starts[i + 1]; ++vector)
      ofPairs[vector * pairCount + place] =
          coefficients[(j - 1) * count + vector];
    for (int64_t vector = starts[j]; vector < starts[j + 1]; ++vector)
      ofPairs[vector * pairCount + place] = coefficients[i * count + vector];
  }
  Value scores =
      b.add(b.create<torch::AtenMatmulOp>(
                *kernels, table(b, ofPairs, {count, pairCount}, dtype)),
            table(b, rho, {pairCount}, dtype));
  FailureOr<Value> y =
      labelsAt(b, *labels, largest(b, votesOf(b, scores, classes)), op.getY());
  if (failed(y))
    return failure();

  FailureOr<Value> z = failure();
  if (!probA.empty()) {
    // 1 - 1 / (1 + exp(-(score a + b))), within (0, 1)
    constexpr double least = 1e-7;
    Value exponents = b.add(b.mul(scores, table(b, probA, {pairCount}, dtype)),
                            table(b, probB, {pairCount}, dtype));
    Value pairwise = b.create<torch::AtenClampOp>(
        b.create<torch::AtenSigmoidOp>(b.create<torch::AtenNegOp>(exponents)),
        b.constantFloat(least), b.constantFloat(1 - least));
    FailureOr<Value> probabilities = coupled(b, pairwise, classes);
    if (succeeded(probabilities))
      z = transformed(b, *probabilities, *transform);
  } else if (classes == 2) {
    z = ofTwoClasses(b, scores, *transform,
                     /*isProbability=*/*transform != PostTransform::None);
  } else {
    z = transformed(b, scores, *transform);
  }
  if (failed(z))
    return failure();
  return SmallVector<Value>{*y, b.convert(*z, float32Dtype(b))};
}

} // namespace

void onnx_to_torch::populateMlSvm(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerSVMClassifier);
  lowerings.add(lowerSVMRegressor);
}
