//===- Masks.cpp - Indexing by a mask -------------------------------------===//

#include "Selections.h"
#include "Simplifications.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;
using namespace isthmus::simplify_torch;

namespace {

/// The flags of a literal mask.
std::optional<DenseElementsAttr> literalMask(Value mask) {
  auto literal = mask.getDefiningOp<ValueTensorLiteralOp>();
  auto flags = literal ? dyn_cast<DenseElementsAttr>(literal.getValue())
                       : DenseElementsAttr();
  if (!flags || !flags.getElementType().isInteger(1) ||
      flags.getType().getRank() == 0 || countOf(tensorType(mask)) > maxElements)
    return std::nullopt;
  return flags;
}

/// Whether dims [first, ...) of x are known to have the sizes of a mask.
bool hasSizesOf(DenseElementsAttr flags, ValueTensorType x, int64_t first) {
  ArrayRef<int64_t> sizes = flags.getType().getShape();
  return x.hasRank() && first + flags.getType().getRank() <= x.getRank() &&
         x.getSizes().slice(first, sizes.size()) == sizes;
}

/// The positions of the flags that are true, for each dim.
SmallVector<SmallVector<int64_t>> positions(DenseElementsAttr flags) {
  ArrayRef<int64_t> sizes = flags.getType().getShape();
  SmallVector<SmallVector<int64_t>> places(sizes.size());
  for (auto [number, flag] : llvm::enumerate(flags.getValues<bool>())) {
    int64_t rest = number;
    for (int64_t dim = sizes.size() - 1; flag && dim >= 0; --dim) {
      places[dim].push_back(rest % sizes[dim]);
      rest /= sizes[dim];
    }
  }
  return places;
}

Value literal(ArrayRef<int64_t> values, ArrayRef<int64_t> sizes,
              TorchBuilder &b) {
  auto type =
      RankedTensorType::get(sizes, IntegerType::get(b.getContext(), 64));
  return b.literal(DenseElementsAttr::get(type, values));
}

/// A list of indices of x without literal masks, which the positions of their
/// flags replace; null if it has none. The number of results is known then.
Value withoutMasks(Value list, Value x, TorchBuilder &b) {
  std::optional<SmallVector<Value>> indices = matchList(list);
  if (!indices)
    return {};
  SmallVector<Value> replaced;
  bool hasMask = false;
  for (Value index : *indices) {
    auto flags = isNone(index) ? std::nullopt : literalMask(index);
    bool isKnown = flags && hasSizesOf(*flags, tensorType(x), replaced.size());
    hasMask |= isKnown;
    if (isKnown)
      for (ArrayRef<int64_t> places : positions(*flags))
        replaced.push_back(literal(places, {int64_t(places.size())}, b));
    else if (!isNone(index) && isBoolean(tensorType(index).getDtype()))
      return {};
    else
      replaced.push_back(index);
  }
  return hasMask ? b.optionalTensors(replaced) : Value();
}

} // namespace

/// nonzero(mask) is a row of positions for each flag of a literal.
static Value placed(AtenNonzeroOp op, TorchBuilder &b) {
  auto flags = literalMask(op.getSelf());
  if (!flags)
    return {};
  auto places = positions(*flags);
  size_t rank = places.size(), count = places.front().size();
  SmallVector<int64_t> rows;
  for (size_t row = 0; row < count; ++row)
    for (ArrayRef<int64_t> along : places)
      rows.push_back(along[row]);
  return literal(rows, {int64_t(count), int64_t(rank)}, b);
}

/// nonzero(x)[i] = unravel(nonzero(flatten(x != 0))[i])
Value simplify_torch::flattenPositions(Operation *operation, TorchBuilder &b) {
  auto op = dyn_cast<AtenNonzeroOp>(operation);
  ValueTensorType type = op ? tensorType(op.getSelf()) : ValueTensorType();
  if (!op || !type.hasStaticShape() || type.getRank() == 0 ||
      countOf(type) == 0 || (type.getRank() == 1 && isBoolean(type.getDtype())))
    return {};
  Value flags = op.getSelf();
  if (!isBoolean(type.getDtype()))
    flags = b.create<AtenNeTensorOp>(
        flags, b.scalarTensor(int64_t(0), type.getDtype()));
  ArrayRef<int64_t> sizes = type.getSizes();
  if (sizes.size() == 1)
    return b.create<AtenNonzeroOp>(flags);
  int64_t rank = sizes.size();
  SmallVector<int64_t> strides(rank, 1);
  for (int64_t dim = rank - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * sizes[dim + 1];
  Value row = b.view(flags, {b.constant(-1)});
  Value steps = b.create<AtenDivTensorModeOp>(b.create<AtenNonzeroOp>(row),
                                              literal(strides, {rank}, b),
                                              b.constantStr("floor"));
  return b.create<AtenRemainderTensorOp>(steps, literal(sizes, {rank}, b));
}

/// index(x, [mask]) picks elements at known positions by a literal mask.
static Value picked(AtenIndexTensorOp op, TorchBuilder &b) {
  Value indices = withoutMasks(op.getIndices(), op.getSelf(), b);
  return indices
             ? b.create<AtenIndexTensorOp>(op.getSelf(), indices).getResult()
             : Value();
}

/// index_put(x, [mask], values) = where(mask, values, x) if all selected
/// positions get the same values: then their number does not matter. The same
/// for values made of elements at these positions, x[mask] = f(y[mask]).
static Value selected(AtenIndexPutOp op, TorchBuilder &b) {
  auto mask = readMask(op.getIndices(), op.getSelf());
  std::optional<bool> accumulates = matchBool(op.getAccumulate());
  if (!mask || !accumulates || !tensorType(op.getValues()).hasRank())
    return {};
  Selections selections(b);
  int64_t rank = tensorType(op).getRank() - mask->flagRank() + 1;
  auto picked = tensorType(op.getValues()).getRank() == rank
                    ? selections.trace(op.getValues())
                    : std::nullopt;
  Value values;
  if (picked && picked->flags == mask->flags && picked->dim == mask->dim)
    values = picked->whole;
  else
    values = selections.spread(op.getValues(), rank, *mask);
  if (!values)
    return {};
  return b.where(selections.alignedFlags(*mask, rank),
                 *accumulates ? b.add(op.getSelf(), values) : values,
                 op.getSelf());
}

Value simplify_torch::simplifyMask(Operation *operation, TorchBuilder &b) {
  if (auto op = dyn_cast<AtenNonzeroOp>(operation))
    return placed(op, b);
  if (auto op = dyn_cast<AtenIndexTensorOp>(operation))
    return picked(op, b);
  auto op = dyn_cast<AtenIndexPutOp>(operation);
  if (!op)
    return {};
  if (Value whole = selected(op, b))
    return whole;
  Value indices = withoutMasks(op.getIndices(), op.getSelf(), b);
  return indices ? b.create<AtenIndexPutOp>(op.getSelf(), indices,
                                            op.getValues(), op.getAccumulate())
                       .getResult()
                 : Value();
}
