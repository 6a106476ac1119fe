//===- KnownNumbers.cpp - Numbers known at compile time -------------------===//

#include "KnownNumbers.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/TorchBuilder.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "isthmus/Support/ResourceBytes.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::quantized_to_tosa;

/// More channels than any layer has.
static constexpr int64_t maxCount = 1 << 18;

template <typename T>
static SmallVector<double> readAs(ElementsAttr elements) {
  if (auto dense = dyn_cast<DenseElementsAttr>(elements)) {
    if (dense.isSplat())
      return {static_cast<double>(dense.getSplatValue<T>())};
    return SmallVector<double>(dense.value_begin<T>(), dense.value_end<T>());
  }
  ArrayRef<char> bytes = bytesOf(cast<DenseResourceElementsAttr>(elements));
  SmallVector<double> values;
  if (bytes.size() != elements.getNumElements() * sizeof(T))
    return values; // a file may give more or fewer
  for (; bytes.size() >= sizeof(T); bytes = bytes.drop_front(sizeof(T))) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    values.push_back(static_cast<double>(value));
  }
  return values;
}

/// Empty for other dtypes, and for more elements than maxCount that differ.
static SmallVector<double> read(ElementsAttr elements) {
  if (!isa<DenseElementsAttr, DenseResourceElementsAttr>(elements) ||
      (!elements.isSplat() && elements.getNumElements() > maxCount))
    return {};
  Type dtype = elements.getElementType();
  if (dtype.isF32())
    return readAs<float>(elements);
  if (dtype.isF64())
    return readAs<double>(elements);
  bool isUnsigned = dtype.isUnsignedInteger();
  if (dtype.isInteger(8))
    return isUnsigned ? readAs<uint8_t>(elements) : readAs<int8_t>(elements);
  if (dtype.isInteger(32) && !isUnsigned)
    return readAs<int32_t>(elements);
  if (dtype.isInteger(64) && !isUnsigned)
    return readAs<int64_t>(elements);
  return {};
}

/// Whether a conversion changes no number.
static bool isWidening(Type from, Type to) {
  if (!from || !to || from.isInteger(1) || to.isInteger(1) ||
      torch::isFloatingPoint(from) != torch::isFloatingPoint(to) ||
      torch::isIntegral(from) != torch::isIntegral(to))
    return false;
  unsigned width = from.getIntOrFloatBitWidth(),
           wide = to.getIntOrFloatBitWidth();
  return from == to || (width < wide && (torch::isFloatingPoint(to) ||
                                         !to.isUnsignedInteger()));
}

/// The tensor of the same numbers before views and conversions.
static Value source(Value value) {
  constexpr int maxOps = 8;
  for (int i = 0; i < maxOps; ++i) {
    Operation *op = value.getDefiningOp();
    bool isSame =
        isa_and_nonnull<torch::AtenViewOp, torch::AtenReshapeOp,
                        torch::AtenUnsqueezeOp, torch::AtenSqueezeDimsOp,
                        torch::PrimsSqueezeOp>(op) ||
        (isa_and_nonnull<torch::PrimsConvertElementTypeOp>(op) &&
         isWidening(torch::tensorType(op->getOperand(0)).getDtype(),
                    torch::tensorType(value).getDtype()));
    if (!isSame)
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Finds the only dim above 1. Returns the number of elements; nullopt if there
/// are more such dims, or sizes that are not known.
static std::optional<int64_t> countOf(torch::ValueTensorType type,
                                      int64_t &fromEnd) {
  if (!type || !type.hasRank())
    return std::nullopt;
  int64_t count = 1;
  for (auto [dim, size] : llvm::enumerate(type.getSizes())) {
    if (size == 1)
      continue;
    if (size < 1 || size > maxCount || count != 1)
      return std::nullopt;
    count = size;
    fromEnd = type.getRank() - dim;
  }
  return count;
}

static std::optional<KnownNumbers> read(Value value, bool isInProduct) {
  if (std::optional<double> number = torch::matchNumber(value))
    return KnownNumbers{{*number}};
  KnownNumbers known;
  auto count =
      countOf(dyn_cast<torch::ValueTensorType>(value.getType()), known.fromEnd);
  if (!count)
    return std::nullopt;
  known.size = *count;
  value = source(value);
  if (auto product = value.getDefiningOp<torch::AtenMulTensorOp>()) {
    if (isInProduct) // one product of two scales is enough
      return std::nullopt;
    auto a = read(product.getOperand(0), /*isInProduct=*/true),
         b = read(product.getOperand(1), /*isInProduct=*/true);
    if (!a || !b || (!a->isOne() && !b->isOne() && a->fromEnd != b->fromEnd))
      return std::nullopt;
    for (size_t i = 0, e = std::max(a->values.size(), b->values.size()); i < e;
         ++i)
      known.values.push_back((*a)[i] * (*b)[i]);
  } else if (auto literal =
                 value.getDefiningOp<torch::ValueTensorLiteralOp>()) {
    known.values = read(literal.getValue());
  }
  if (!known.values.empty() && llvm::all_equal(known.values))
    known.values.truncate(1);
  if (!known.isOne() && static_cast<int64_t>(known.values.size()) != *count)
    return std::nullopt;
  return known;
}

std::optional<KnownNumbers> quantized_to_tosa::readNumbers(Value value) {
  return read(value, /*isInProduct=*/false);
}

std::optional<double> quantized_to_tosa::readNumber(Value value) {
  auto type = dyn_cast<torch::ValueTensorType>(value.getType());
  if (type && !(type.hasRank() && llvm::all_of(type.getSizes(), [](int64_t n) {
                  return n == 1;
                })))
    return std::nullopt;
  auto known = readNumbers(value);
  return known ? std::optional(known->values[0]) : std::nullopt;
}

std::optional<int64_t> quantized_to_tosa::readInteger(Value value) {
  if (torch::isNone(value))
    return 0;
  auto known = readNumbers(value);
  if (!known || !known->isOne())
    return std::nullopt;
  double number = known->values[0];
  if (number != std::floor(number) || std::abs(number) > INT32_MAX)
    return std::nullopt;
  return static_cast<int64_t>(number);
}
