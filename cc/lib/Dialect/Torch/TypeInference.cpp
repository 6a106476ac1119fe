//===- TypeInference.cpp - Operands and results of type rules -------------===//

#include "isthmus/Dialect/Torch/TypeInference.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/Shapes.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

ValueTensorType TypeInference::tensor(unsigned index) const {
  auto type =
      dyn_cast<ValueTensorType>(withValueSemantics(operands[index].getType()));
  return type ? type : ValueTensorType::getUnknown(context);
}

bool TypeInference::isNone(unsigned index) const {
  return torch::isNone(operands[index]);
}

std::optional<int64_t> TypeInference::integer(unsigned index) const {
  return matchInt(operands[index]);
}

std::optional<bool> TypeInference::boolean(unsigned index) const {
  return matchBool(operands[index]);
}

std::optional<SmallVector<int64_t>>
TypeInference::integers(unsigned index) const {
  return matchSizes(operands[index]);
}

std::optional<SmallVector<int64_t>> TypeInference::dims(unsigned index) const {
  if (std::optional<int64_t> dim = integer(index))
    return SmallVector<int64_t>{*dim};
  return matchInts(operands[index]);
}

std::optional<SmallVector<Value>>
TypeInference::elements(unsigned index) const {
  return matchList(operands[index]);
}

Type TypeInference::dtypeArgument(unsigned index, Type otherwise) const {
  if (isNone(index))
    return otherwise;
  std::optional<int64_t> code = integer(index);
  return code ? dtypeOfCode(context, *code) : Type();
}

FailureOr<int64_t> TypeInference::normalizeDim(int64_t dim, int64_t rank) {
  // PyTorch lets a rank-0 tensor be indexed like a rank-1 one.
  int64_t limit = std::max<int64_t>(rank, 1);
  if (dim < -limit || dim >= limit)
    return fail("expected a dim in [" + Twine(-limit) + ", " +
                Twine(limit - 1) + "], got " + Twine(dim));
  return dim < 0 ? dim + limit : dim;
}

LogicalResult TypeInference::expectDims(unsigned index) {
  ValueTensorType type = tensor(0);
  std::optional<SmallVector<int64_t>> named = dims(index);
  if (!type.hasRank() || !named)
    return success();
  for (int64_t dim : *named)
    if (failed(normalizeDim(dim, type.getRank())))
      return failure();
  return success();
}

LogicalResult TypeInference::give(ArrayRef<int64_t> sizes, Type dtype) {
  auto isSize = [](int64_t size) {
    return size >= 0 || ShapedType::isDynamic(size);
  };
  if (!llvm::all_of(sizes, isSize))
    return fail("expected sizes of 0 or more, got " + shapeText(sizes));
  return give(ValueTensorType::get(context, sizes, dtype));
}

std::optional<SmallVector<int64_t>>
torch::broadcastShapes(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  if (a.size() < b.size())
    std::swap(a, b);
  SmallVector<int64_t> result(a);
  size_t offset = a.size() - b.size();
  for (auto [index, size] : llvm::enumerate(b)) {
    int64_t &known = result[offset + index];
    if (known == size || size == 1)
      continue;
    if (known == 1 ||
        (ShapedType::isDynamic(known) && !ShapedType::isDynamic(size)))
      known = size;
    else if (!ShapedType::isDynamic(size))
      return std::nullopt;
  }
  return result;
}

std::optional<SmallVector<int64_t>>
torch::movedDims(int64_t rank, ArrayRef<int64_t> sources,
                 ArrayRef<int64_t> destinations) {
  if (sources.size() != destinations.size())
    return std::nullopt;
  SmallVector<int64_t> order(rank, -1);
  SmallVector<bool> moved(rank, false);
  for (auto [from, to] : llvm::zip_equal(sources, destinations)) {
    int64_t source = from < 0 ? from + rank : from,
            place = to < 0 ? to + rank : to;
    if (source < 0 || source >= rank || place < 0 || place >= rank ||
        moved[source] || order[place] != -1)
      return std::nullopt;
    order[place] = source;
    moved[source] = true;
  }
  int64_t next = 0;
  for (int64_t &place : order) {
    if (place != -1)
      continue;
    while (moved[next])
      ++next;
    place = next++;
  }
  return order;
}

std::string torch::shapeText(ArrayRef<int64_t> sizes) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "[";
  llvm::interleave(
      sizes, out,
      [&](int64_t size) {
        if (ShapedType::isDynamic(size))
          out << "?";
        else
          out << size;
      },
      ",");
  out << "]";
  return text;
}

/// Whether a result may have the type `actual` if a rule infers `inferred`.
/// Rules do not determine the scalar type of a number or the element type of a
/// list.
static bool agree(Type inferred, Type actual) {
  bool isKnown = torch::isScalar(inferred) ? !isa<NumberType>(inferred)
                                           : isa<ValueTensorType>(inferred) &&
                                                 isa<ValueTensorType>(actual);
  return !isKnown || mayBe(inferred, actual);
}

LogicalResult torch::verifyInferredTypes(Operation *op) {
  if (std::optional<std::string> wrong =
          findWrongShape(op->getName(), op->getOperands()))
    return op->emitOpError(*wrong);
  TypeInference inference(op->getContext(), op->getOperands());
  if (failed(cast<TypeInferenceOpInterface>(op).inferTypes(inference)))
    return op->emitOpError(inference.error);
  for (auto [inferred, actual] :
       llvm::zip(inference.results, op->getResultTypes()))
    if (!agree(inferred, actual))
      return op->emitOpError("expected a result of type ")
             << inferred << ", got " << actual;
  return success();
}
