//===- Matchers.cpp - Constants and lists behind torch values -------------===//

#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

bool torch::isOfElements(Value number) {
  // Each value is visited once, as formulas share their parts.
  SetVector<Value> pending;
  pending.insert(number);
  for (size_t i = 0; i < pending.size(); ++i) {
    Operation *op = pending[i].getDefiningOp();
    if (!op || isa<AtenSizeIntOp>(op))
      continue;
    if (isa<AtenIntTensorOp>(op))
      return true;
    pending.insert_range(op->getOperands());
  }
  return false;
}

/// Looks through DerefineOps to the original value.
static Value origin(Value value) {
  while (auto derefine = value.getDefiningOp<DerefineOp>())
    value = derefine.getOperand();
  return value;
}

template <typename Op>
static Op matchOp(Value value) {
  return value ? origin(value).getDefiningOp<Op>() : Op();
}

std::optional<int64_t> torch::matchInt(Value value) {
  if (auto op = matchOp<ConstantIntOp>(value))
    return op.getValue();
  return std::nullopt;
}

std::optional<double> torch::matchFloat(Value value) {
  if (auto op = matchOp<ConstantFloatOp>(value))
    return op.getValue().convertToDouble();
  return std::nullopt;
}

std::optional<bool> torch::matchBool(Value value) {
  if (auto op = matchOp<ConstantBoolOp>(value))
    return op.getValue();
  return std::nullopt;
}

std::optional<StringRef> torch::matchStr(Value value) {
  if (auto op = matchOp<ConstantStrOp>(value))
    return op.getValue();
  return std::nullopt;
}

std::optional<double> torch::matchNumber(Value value) {
  if (std::optional<int64_t> integer = matchInt(value))
    return static_cast<double>(*integer);
  if (std::optional<bool> boolean = matchBool(value))
    return *boolean ? 1.0 : 0.0;
  return matchFloat(value);
}

bool torch::isNone(Value value) { return isNone(origin(value).getType()); }

std::optional<SmallVector<Value>> torch::matchList(Value value) {
  if (auto op = matchOp<PrimListConstructOp>(value))
    return llvm::to_vector(op.getElements());
  return std::nullopt;
}

std::optional<SmallVector<int64_t>> torch::matchIntsPerDim(Value value,
                                                           int64_t count) {
  auto ints = matchInts(value);
  if (ints && ints->size() == 1)
    ints->assign(count, ints->front());
  return ints;
}

std::optional<SmallVector<int64_t>> torch::matchSizes(Value value) {
  std::optional<SmallVector<Value>> elements = matchList(value);
  if (!elements)
    return std::nullopt;
  // ShapedType::kDynamic is INT64_MIN, so a constant INT64_MIN becomes
  // -INT64_MAX; no list needs either value.
  return llvm::map_to_vector(*elements, [](Value element) {
    std::optional<int64_t> known = matchInt(element);
    return known ? std::max(*known, -INT64_MAX) : ShapedType::kDynamic;
  });
}

std::optional<SmallVector<int64_t>> torch::matchInts(Value value) {
  std::optional<SmallVector<Value>> elements = matchList(value);
  if (!elements)
    return std::nullopt;
  SmallVector<int64_t> ints;
  for (Value element : *elements) {
    std::optional<int64_t> known = matchInt(element);
    if (!known)
      return std::nullopt;
    ints.push_back(*known);
  }
  return ints;
}

std::optional<SmallVector<int64_t>> torch::matchDims(Value dims, int64_t rank) {
  SmallVector<int64_t> named;
  if (std::optional<int64_t> dim = matchInt(dims))
    named = {*dim};
  else if (std::optional<SmallVector<int64_t>> list = matchInts(dims))
    named = *list;
  else if (!isNone(dims))
    return std::nullopt;
  if (named.empty() || rank == 0)
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  for (int64_t &dim : named)
    dim = normalDim(dim, rank);
  llvm::sort(named);
  return named;
}

bool torch::isSizeOf(Value size, Value tensor, int64_t dim) {
  ArrayRef<int64_t> sizes = cast<ValueTensorType>(tensor.getType()).getSizes();
  if (std::optional<int64_t> known = matchInt(size))
    return *known == -1 || *known == sizes[dim];
  auto op = matchOp<AtenSizeIntOp>(size);
  std::optional<int64_t> asked = op ? matchInt(op.getDim()) : std::nullopt;
  return asked && op.getSelf() == tensor &&
         normalDim(*asked, sizes.size()) == dim;
}
