//===- MlCategories.cpp - Encoders of categories to ATen ------------------===//
//
// One function per op. The comment beside it is its definition
// (https://onnx.ai/onnx/operators, ai.onnx.ml).
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "MlValues.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Ml.h"
#include "isthmus/Dialect/Torch/IndexingComposites.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "llvm/ADT/DenseMap.h"
#include <cmath>
#include <map>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

constexpr StringLiteral noStrings =
    ", which no target has: encode them before the model, and export it from "
    "the encoded values on";

/// The keys or the values of a LabelEncoder: integers or floats.
struct Numbers {
  SmallVector<int64_t> ints;
  SmallVector<double> floats;
  Type dtype; // of torch; null if there are none

  size_t size() const { return std::max(ints.size(), floats.size()); }
  Value literal(NodeBuilder &b, ArrayRef<size_t> chosen) const {
    SmallVector<int64_t> shape = {int64_t(chosen.size())};
    if (torch::isIntegral(dtype))
      return table(
          b, llvm::map_to_vector(chosen, [&](size_t i) { return ints[i]; }),
          shape, dtype);
    return table(
        b, llvm::map_to_vector(chosen, [&](size_t i) { return floats[i]; }),
        shape, dtype);
  }
};

/// Reads the numbers that a node has as a tensor.
FailureOr<Numbers> numbersIn(NodeBuilder &b, ElementsAttr tensor,
                             StringRef name) {
  Numbers numbers;
  numbers.dtype = torch::toTorchDtype(tensor.getElementType());
  DenseElementsAttr dense = denseOf(tensor);
  if (!numbers.dtype)
    return b.decline() << "expected " << name << " of numbers, got strings"
                       << noStrings;
  if (dense && isa<IntegerType>(dense.getElementType())) {
    for (const APInt &value : dense.getValues<APInt>())
      numbers.ints.push_back(value.getSExtValue());
    return numbers;
  }
  FailureOr<SmallVector<double>> floats = numbersOf(b, tensor, name);
  if (failed(floats))
    return failure();
  numbers.floats = *floats;
  return numbers;
}

/// LabelEncoder-4: Y = values[i] where X = keys[i], and the default elsewhere.
/// Of equal keys, the last one counts; NaN is equal to NaN.
FailureOr<Value> lowerLabelEncoder(onnx::MlLabelEncoderOp op,
                                   onnx::MlLabelEncoderOp::Adaptor in,
                                   NodeBuilder &b) {
  if (op->hasAttr("classes_strings") || op.getKeysStrings() ||
      op.getValuesStrings())
    return b.decline() << "expected keys and values that are numbers, got "
                          "strings"
                       << noStrings;
  auto read = [&](std::optional<ArrayAttr> ints,
                  std::optional<ArrayAttr> floats,
                  std::optional<ElementsAttr> tensor,
                  StringRef name) -> FailureOr<Numbers> {
    if (bool(ints) + bool(floats) + bool(tensor) != 1)
      return b.decline() << "expected one attribute of " << name << ", got "
                         << bool(ints) + bool(floats) + bool(tensor);
    if (tensor)
      return numbersIn(b, *tensor, name);
    Numbers numbers;
    numbers.ints = intsOf(ints);
    numbers.floats = floatsOf(floats);
    numbers.dtype = ints ? int64Dtype(b) : float32Dtype(b);
    return numbers;
  };
  FailureOr<Numbers> keys =
      read(op.getKeysInt64s(), op.getKeysFloats(), op.getKeysTensor(), "keys");
  FailureOr<Numbers> values = read(op.getValuesInt64s(), op.getValuesFloats(),
                                   op.getValuesTensor(), "values");
  if (failed(keys) || failed(values))
    return failure();
  if (keys->size() != values->size() || keys->size() == 0)
    return b.decline() << "expected a value for each key, got " << keys->size()
                       << " keys and " << values->size() << " values";
  Value x = in.getX();
  if (keys->dtype != dtypeOf(x))
    return b.decline() << "expected keys of the dtype of X, " << dtypeOf(x)
                       << ", got " << keys->dtype;

  Numbers otherwise;
  otherwise.dtype = values->dtype;
  if (auto tensor = op.getDefaultTensor()) {
    FailureOr<Numbers> given = numbersIn(b, *tensor, "default_tensor");
    if (failed(given))
      return failure();
    if (given->dtype != values->dtype || given->size() != 1)
      return b.decline() << "expected one default of the dtype of the values, "
                         << values->dtype << ", got " << tensor->getType();
    otherwise = *given;
  } else if (torch::isIntegral(values->dtype)) {
    otherwise.ints = {op.getDefaultInt64()};
  } else {
    otherwise.floats = {op.getDefaultFloat().convertToDouble()};
  }

  // Sorted keys, without those that a later one replaces. NaN is no part of
  // the order.
  bool areInts = torch::isIntegral(keys->dtype);
  std::map<double, size_t> ofFloats;
  std::map<int64_t, size_t> ofInts;
  std::optional<size_t> ofNaN;
  for (size_t i = 0; i < keys->size(); ++i) {
    if (areInts)
      ofInts[keys->ints[i]] = i;
    else if (std::isnan(keys->floats[i]))
      ofNaN = i;
    else
      ofFloats[keys->floats[i]] = i;
  }
  SmallVector<size_t> order;
  for (auto [key, i] : ofInts)
    order.push_back(i);
  for (auto [key, i] : ofFloats)
    order.push_back(i);

  SmallVector<size_t> first = {0};
  Value y = b.expand(otherwise.literal(b, first), b.sizes(x));
  if (!order.empty()) {
    Value sorted = keys->literal(b, order);
    Value last = b.constant(order.size() - 1);
    Value places = b.create<torch::AtenClampOp>(
        b.create<torch::AtenBucketizeTensorOp>(x, sorted, b.constantBool(false),
                                               b.constantBool(false)),
        b.constant(0), last);
    Value isKey =
        b.create<torch::AtenEqTensorOp>(take(b, sorted, places, 0), x);
    y = b.where(isKey, take(b, values->literal(b, order), places, 0), y);
  }
  if (ofNaN)
    y = b.where(b.create<torch::AtenIsnanOp>(x), values->literal(b, {*ofNaN}),
                y);
  return y;
}

/// OneHotEncoder-1: Y[..., i] = 1 where X is category i, else 0. Numbers are
/// compared as integers, rounded towards zero. If `zeros` is 0, each element of
/// X must be a category.
FailureOr<Value> lowerOneHotEncoder(onnx::MlOneHotEncoderOp op,
                                    onnx::MlOneHotEncoderOp::Adaptor in,
                                    NodeBuilder &b) {
  SmallVector<int64_t> categories = intsOf(op.getCatsInt64s());
  if (categories.empty())
    return b.decline() << "expected categories that are integers, got strings"
                       << noStrings;
  Value x = b.convert(in.getX(), int64Dtype(b));
  x = b.unsqueeze(x, rankOf(x));
  SmallVector<int64_t> shape = {int64_t(categories.size())};
  Value isCategory = b.create<torch::AtenEqTensorOp>(
      x, table(b, categories, shape, int64Dtype(b)));
  std::map<int64_t, size_t> last; // a DenseMap has no key INT64_MAX
  SmallVector<double> counts(categories.size(), 0);
  for (auto [i, category] : llvm::enumerate(categories))
    last[category] = i;
  for (auto [category, i] : last)
    counts[i] = 1;
  if (!op.getZeros()) {
    Value hasOne = b.create<torch::AtenAnyDimOp>(
        isCategory, b.constant(rankOf(x) - 1), b.constantBool(false));
    b.check(
        b.create<torch::AtenBoolTensorOp>(b.create<torch::AtenAllOp>(hasOne)),
        "elements of X that are categories");
  }
  Value y = b.convert(isCategory, float32Dtype(b));
  if (last.size() == categories.size())
    return y;
  return b.mul(y, table(b, counts, shape, float32Dtype(b)));
}

} // namespace

void onnx_to_torch::populateMlCategories(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerLabelEncoder);
  lowerings.add(lowerOneHotEncoder);
}
