//===- Masks.cpp - Writes through a mask ----------------------------------===//

#include "Simplifications.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

/// The y of index(y, indices), if it has the type of x: its elements are those
/// of x at the same positions. Otherwise null.
static Value pickedFrom(Value values, ArrayRef<Value> indices, Value x) {
  auto op = values.getDefiningOp<AtenIndexTensorOp>();
  if (!op || op.getSelf().getType() != x.getType())
    return {};
  std::optional<SmallVector<Value>> own = matchList(op.getIndices());
  auto isSame = [](auto pair) {
    auto [a, b] = pair;
    return a == b || (isNone(a) && isNone(b));
  };
  bool isAlike = own && own->size() == indices.size() &&
                 llvm::all_of(llvm::zip(*own, indices), isSame);
  return isAlike ? op.getSelf() : Value();
}

/// index_put(x, [mask], values) = where(mask, values, x) if all selected
/// positions get the same values: then their number does not matter. The same
/// for elements of another tensor at these positions, x[mask] = y[mask].
Value simplify_torch::simplifyMask(Operation *operation, TorchBuilder &b) {
  auto op = dyn_cast<AtenIndexPutOp>(operation);
  if (!op)
    return {};
  std::optional<SmallVector<Value>> indices = matchList(op.getIndices());
  std::optional<bool> accumulates = matchBool(op.getAccumulate());
  if (!indices || !accumulates)
    return {};
  auto isGiven = [](Value index) { return !isNone(index); };
  auto *only = llvm::find_if(*indices, isGiven);
  if (llvm::count_if(*indices, isGiven) != 1)
    return {};

  Value mask = *only, values = op.getValues();
  ValueTensorType flags = tensorType(mask), type = tensorType(op.getSelf());
  if (!flags.hasRank() || !flags.getDtype() || !isBoolean(flags.getDtype()) ||
      flags.getRank() == 0 || !type.hasRank() || !tensorType(values).hasRank())
    return {};
  // Values are [dims before the mask..., selected positions, dims after it...].
  int64_t after =
      type.getRank() - std::distance(indices->begin(), only) - flags.getRank();
  int64_t picked = tensorType(values).getRank() - after - 1;
  if (Value source = pickedFrom(values, *indices, op.getSelf())) {
    values = source;
  } else if (picked >= 0) {
    if (tensorType(values).getSizes()[picked] != 1)
      return {};
    for (int64_t i = 1; i < flags.getRank(); ++i)
      values = b.unsqueeze(values, picked);
  }
  for (int64_t i = 0; i < after; ++i)
    mask = b.unsqueeze(mask, -1);
  return b.where(mask, *accumulates ? b.add(op.getSelf(), values) : values,
                 op.getSelf());
}
