//===- MlLinear.cpp - Linear models of ai.onnx.ml to ATen -----------------===//
//
// One function per op. The comment beside it is its definition
// (https://onnx.ai/onnx/operators, ai.onnx.ml). What ONNX leaves open is as
// onnxruntime computes it.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "MlScores.h"
#include "MlValues.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Ml.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// X * coefficients^T + intercepts, with coefficients [columns, features].
FailureOr<Value> scoresOf(NodeBuilder &b, Value x, int64_t columns,
                          ArrayRef<double> coefficients,
                          ArrayRef<double> intercepts) {
  if (columns < 1 || coefficients.empty() || coefficients.size() % columns)
    return b.decline() << "expected coefficients for " << columns
                       << " columns of scores, got " << coefficients.size()
                       << " of them";
  if (!intercepts.empty() && int64_t(intercepts.size()) != columns)
    return b.decline() << "expected " << columns << " intercepts, got "
                       << intercepts.size();
  int64_t features = coefficients.size() / columns;
  if (failed(checkColumns(b, x, features)))
    return failure();
  Type dtype = wideDtype(dtypeOf(x));
  Value scores = productWith(b, rowsOf(b, x, dtype), coefficients, columns);
  if (intercepts.empty())
    return scores;
  return b.add(scores, table(b, intercepts, {columns}, dtype));
}

/// LinearClassifier-1: Z = post_transform(scores), and Y is the label of the
/// largest score. A single score is that of the second of two classes: it is
/// chosen if the score is above 0.
FailureOr<SmallVector<Value>>
lowerLinearClassifier(onnx::MlLinearClassifierOp op,
                      onnx::MlLinearClassifierOp::Adaptor in, NodeBuilder &b) {
  FailureOr<PostTransform> transform =
      postTransformOf(b, op.getPostTransform());
  FailureOr<ClassLabels> labels =
      classLabelsOf(b, op.getClasslabelsInts(), op.getClasslabelsStrings());
  if (failed(transform) || failed(labels))
    return failure();
  SmallVector<double> intercepts = floatsOf(op.getIntercepts());
  int64_t columns = !intercepts.empty() ? int64_t(intercepts.size())
                                        : std::max<int64_t>(labels->count(), 1);
  FailureOr<Value> scores = scoresOf(
      b, in.getX(), columns, floatsOf(op.getCoefficients()), intercepts);
  if (failed(scores))
    return failure();

  if (labels->ints.empty())
    labels->ints = columns == 1
                       ? SmallVector<int64_t>{0, 1}
                       : llvm::to_vector(llvm::seq<int64_t>(0, columns));
  bool isBinary = columns == 1 && labels->count() == 2;
  if (!isBinary && labels->count() != columns)
    return b.decline() << "expected " << columns << " class labels, got "
                       << labels->count();
  bool hasOtherScore =
      isBinary && (op.getClasslabelsInts() || op.getClasslabelsStrings());
  FailureOr<Value> z =
      hasOtherScore
          ? ofTwoClasses(b, *scores, *transform, /*isProbability=*/true)
          : FailureOr<Value>(transformed(b, *scores, *transform));
  FailureOr<Value> y = labelsAt(
      b, *labels, isBinary ? above(b, *scores, 0) : largest(b, *scores),
      op.getY());
  if (failed(z) || failed(y))
    return failure();
  return SmallVector<Value>{*y, b.convert(*z, float32Dtype(b))};
}

/// LinearRegressor-1: Y = post_transform(scores)
FailureOr<Value> lowerLinearRegressor(onnx::MlLinearRegressorOp op,
                                      onnx::MlLinearRegressorOp::Adaptor in,
                                      NodeBuilder &b) {
  FailureOr<PostTransform> transform =
      postTransformOf(b, op.getPostTransform());
  if (failed(transform))
    return failure();
  FailureOr<Value> scores =
      scoresOf(b, in.getX(), op.getTargets(), floatsOf(op.getCoefficients()),
               floatsOf(op.getIntercepts()));
  if (failed(scores))
    return failure();
  return b.convert(transformed(b, *scores, *transform), float32Dtype(b));
}

} // namespace

void onnx_to_torch::populateMlLinear(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerLinearClassifier);
  lowerings.add(lowerLinearRegressor);
}
