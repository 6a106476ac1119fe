//===- MlFeatures.cpp - Preparation of features to ATen -------------------===//
//
// One function per op. The comment beside it is its definition
// (https://onnx.ai/onnx/operators, ai.onnx.ml).
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "MlValues.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Ml.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// ArrayFeatureExtractor-1: Z[..., i] = X[..., Y[i]]. A vector X is one row.
FailureOr<Value>
lowerArrayFeatureExtractor(onnx::MlArrayFeatureExtractorOp,
                           onnx::MlArrayFeatureExtractorOp::Adaptor in,
                           NodeBuilder &b) {
  Value x = in.getX();
  if (rankOf(x) == 0)
    return b.decline() << "expected X of at least one dim, got "
                       << in.getX().getType();
  if (rankOf(x) == 1)
    x = b.unsqueeze(x, 0);
  Value places = b.view(in.getY(), b.constant(-1));
  return Value(
      b.create<torch::AtenIndexSelectOp>(x, b.constant(rankOf(x) - 1), places));
}

/// Binarizer-1: Y = 1 where X > threshold, else 0
FailureOr<Value> lowerBinarizer(onnx::MlBinarizerOp op,
                                onnx::MlBinarizerOp::Adaptor in,
                                NodeBuilder &b) {
  Value x = in.getX();
  Value isAbove = b.create<torch::AtenGtScalarOp>(
      x, b.constantFloat(op.getThreshold().convertToDouble()));
  return b.convert(isAbove, dtypeOf(x));
}

/// FeatureVectorizer-1: Y = the inputs as rows, side by side. Of input i there
/// are inputdimensions[i] columns: others are left out, or are 0.
FailureOr<Value> lowerFeatureVectorizer(onnx::MlFeatureVectorizerOp op,
                                        onnx::MlFeatureVectorizerOp::Adaptor in,
                                        NodeBuilder &b) {
  SmallVector<int64_t> widths = intsOf(op.getInputdimensions());
  if (widths.size() != in.getX().size())
    return b.decline() << "expected a number in inputdimensions for each of "
                       << in.getX().size() << " inputs, got " << widths.size();
  SmallVector<Value> parts;
  for (auto [x, width] : llvm::zip_equal(in.getX(), widths)) {
    if (rankOf(x) == 0)
      return b.decline() << "expected inputs of at least one dim, got "
                         << x.getType();
    Value rows = rowsOf(b, x, float32Dtype(b));
    if (rankOf(rows) > 2)
      rows = b.create<torch::AtenFlattenUsingIntsOp>(rows, b.constant(1),
                                                     b.constant(-1));
    int64_t columns = sizeOf(rows, 1);
    if (ShapedType::isDynamic(columns) || width < 0)
      return b.decline() << "expected a number of columns that is known while "
                            "compiling and inputdimensions of at least 0, got "
                         << x.getType() << " and " << width;
    if (width < columns)
      rows = b.slice(rows, 1, b.constant(0), b.constant(width));
    else if (width > columns)
      rows = b.create<torch::AtenConstantPadNdOp>(
          rows, b.ints(ArrayRef<int64_t>{0, width - columns}),
          b.constantFloat(0));
    parts.push_back(rows);
  }
  return parts.size() == 1 ? parts.front() : b.cat(parts, 1);
}

/// Imputer-1: Y = the imputed value of its column where X is the replaced
/// value, which may be NaN, else X
FailureOr<Value> lowerImputer(onnx::MlImputerOp op,
                              onnx::MlImputerOp::Adaptor in, NodeBuilder &b) {
  Value x = in.getX();
  Type dtype = dtypeOf(x);
  bool isInteger = torch::isIntegral(dtype);
  SmallVector<double> floats = floatsOf(op.getImputedValueFloats());
  SmallVector<int64_t> ints = intsOf(op.getImputedValueInt64s());
  size_t count = isInteger ? ints.size() : floats.size();
  if (count == 0)
    return b.decline() << "expected imputed values of the kind of X, " << dtype
                       << ", got none";
  if (count > 1 && failed(checkColumns(b, x, count)))
    return failure();
  SmallVector<int64_t> shape = {int64_t(count)};
  Value values =
      isInteger ? table(b, ints, shape, dtype) : table(b, floats, shape, dtype);
  double replaced = op.getReplacedValueFloat().convertToDouble();
  Value isReplaced;
  if (isInteger)
    isReplaced = b.create<torch::AtenEqScalarOp>(
        x, b.constant(op.getReplacedValueInt64()));
  else if (std::isnan(replaced))
    isReplaced = b.create<torch::AtenIsnanOp>(x);
  else
    isReplaced = b.create<torch::AtenEqScalarOp>(x, b.constantFloat(replaced));
  return b.where(isReplaced, values, x);
}

/// Normalizer-1: Y = X / norm(X) by rows, with the norm max(X), sum(|X|) or
/// sqrt(sum(X^2)). A row with a norm of 0 stays as it is.
FailureOr<Value> lowerNormalizer(onnx::MlNormalizerOp op,
                                 onnx::MlNormalizerOp::Adaptor in,
                                 NodeBuilder &b) {
  Value x = b.convert(in.getX(), wideDtype(dtypeOf(in.getX())));
  int64_t last = rankOf(x) - 1;
  Value norm;
  if (op.getNorm() == "MAX")
    norm = b.create<torch::AtenAmaxOp>(x, b.ints({last}), b.constantBool(true));
  else if (op.getNorm() == "L1")
    norm = b.sum(b.create<torch::AtenAbsOp>(x), {last}, /*keepdim=*/true);
  else if (op.getNorm() == "L2")
    norm = b.create<torch::AtenSqrtOp>(
        b.sum(b.mul(x, x), {last}, /*keepdim=*/true));
  else
    return b.decline() << "expected a norm of MAX, L1 or L2, got "
                       << op.getNorm();
  Value isZero = b.create<torch::AtenEqScalarOp>(norm, b.constantFloat(0));
  Value divisor = b.where(isZero, b.scalarTensor(1.0, dtypeOf(x)), norm);
  return b.convert(b.div(x, divisor), float32Dtype(b));
}

/// Scaler-1: Y = (X - offset) * scale, both by columns or single numbers
FailureOr<Value> lowerScaler(onnx::MlScalerOp op, onnx::MlScalerOp::Adaptor in,
                             NodeBuilder &b) {
  SmallVector<double> offset = floatsOf(op.getOffset()),
                      scale = floatsOf(op.getScale());
  Type dtype = wideDtype(dtypeOf(in.getX()));
  auto along = [&](ArrayRef<double> numbers,
                   StringRef name) -> FailureOr<Value> {
    if (numbers.empty())
      return b.decline() << "expected numbers for " << name << ", got none";
    if (numbers.size() > 1 &&
        failed(checkColumns(b, in.getX(), numbers.size())))
      return failure();
    return table(b, numbers, {int64_t(numbers.size())}, dtype);
  };
  FailureOr<Value> from = along(offset, "offset"), by = along(scale, "scale");
  if (failed(from) || failed(by))
    return failure();
  Value x = b.convert(in.getX(), dtype);
  return b.convert(b.mul(b.sub(x, *from), *by), float32Dtype(b));
}

} // namespace

void onnx_to_torch::populateMlFeatures(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerArrayFeatureExtractor);
  lowerings.add(lowerBinarizer);
  lowerings.add(lowerFeatureVectorizer);
  lowerings.add(lowerImputer);
  lowerings.add(lowerNormalizer);
  lowerings.add(lowerScaler);
}
