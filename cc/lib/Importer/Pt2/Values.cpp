//===- Values.cpp - The values of a graph by name -------------------------===//

#include "Values.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/TorchBuilder.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::pt2;
using torch::TorchBuilder;

Values::Id Values::add(Value value) {
  tensors.push_back({value});
  return tensors.size() - 1;
}

Values::Id Values::addView(Id base, ArrayRef<Operation *> steps,
                           OpResult value) {
  tensors.push_back({value, 0, base, SmallVector<Operation *, 2>(steps),
                     value.getResultNumber(), tensors[base].version});
  return tensors.size() - 1;
}

Values::Id Values::addPerhapsView(ArrayRef<Id> others, Value value) {
  Id id = add(value);
  for (Id other : others)
    perhapsShared.push_back({id, other});
  return id;
}

Values::Id Values::rootOf(Id id) const {
  while (tensors[id].base)
    id = *tensors[id].base;
  return id;
}

void Values::blur(Id root) {
  SmallVector<Id> pending = {root};
  llvm::SmallDenseSet<Id> seen = {root};
  auto reach = [&](Id id) {
    if (!seen.insert(id).second)
      return;
    tensors[id].isUnclear = true;
    pending.push_back(id);
  };
  while (!pending.empty()) {
    Id at = pending.pop_back_val();
    for (auto [id, otherId] : perhapsShared) {
      Id one = rootOf(id), other = rootOf(otherId);
      if (one == at)
        reach(other);
      if (other == at)
        reach(one);
    }
  }
}

Value Values::read(Id id, OpBuilder &builder) {
  if (!tensors[id].base)
    return tensors[id].value;
  Id base = *tensors[id].base;
  Value whole = read(base, builder);
  Tensor &tensor = tensors[id];
  if (!whole || tensor.baseVersion == tensors[base].version)
    return tensor.value;
  IRMapping mapping;
  mapping.map(tensor.steps.front()->getOperand(0), whole);
  for (Operation *step : tensor.steps)
    tensor.value =
        builder.clone(*step, mapping)
            ->getResult(step == tensor.steps.back() ? tensor.result : 0);
  tensor.baseVersion = tensors[base].version;
  ++tensor.version;
  return tensor.value;
}

/// The new value of `whole` after a write to `part`, a view of it by `view`.
/// Null if that is not known.
static Value writeThrough(Operation *view, Value whole, Value part,
                          OpBuilder &builder) {
  TorchBuilder b(builder, view->getLoc());
  auto wholeType = torch::tensorType(whole);
  auto inWholeShape = [&] { return b.view(part, b.sizes(whole)); };
  auto scatter = [&](StringRef name) -> Value {
    SmallVector<Value> operands = {whole, part};
    llvm::append_range(operands, view->getOperands().drop_front());
    OperationState state(view->getLoc(), "torch." + name.str());
    state.addOperands(operands);
    state.addTypes(wholeType);
    if (state.name.isRegistered())
      return builder.create(state)->getResult(0);
    return torch::OperatorOp::create(builder, view->getLoc(),
                                     TypeRange(wholeType),
                                     builder.getStringAttr(name), operands, 0)
        ->getResult(0);
  };
  return llvm::TypeSwitch<Operation *, Value>(view)
      .Case<torch::AtenAliasOp, torch::AtenContiguousOp, torch::AtenDetachOp,
            torch::AtenAlphaDropoutOp, torch::AtenDropoutOp,
            torch::AtenFeatureAlphaDropoutOp, torch::AtenFeatureDropoutOp,
            torch::AtenToDeviceOp, torch::AtenToDtypeOp,
            torch::AtenToDtypeLayoutOp, torch::AtenTypeAsOp>(
          [&](Operation *) { return part; })
      .Case<torch::AtenViewOp, torch::AtenReshapeOp,
            torch::AtenFlattenUsingIntsOp, torch::AtenUnsqueezeOp,
            torch::AtenSqueezeDimOp, torch::AtenSqueezeDimsOp>(
          [&](Operation *) { return inWholeShape(); })
      .Case([&](torch::AtenTOp) {
        return b.create<torch::AtenTOp>(part).getResult();
      })
      .Case([&](torch::AtenTransposeIntOp op) {
        return b
            .create<torch::AtenTransposeIntOp>(part, op.getDim0(), op.getDim1())
            .getResult();
      })
      .Case([&](torch::AtenPermuteOp op) -> Value {
        auto order = torch::matchInts(op.getDims());
        int64_t rank = wholeType.getRank();
        if (!order || int64_t(order->size()) != rank)
          return {};
        SmallVector<int64_t> inverse(rank);
        for (auto [i, dim] : llvm::enumerate(*order))
          inverse[dim < 0 ? dim + rank : dim] = i;
        return b.permute(part, inverse);
      })
      .Case([&](torch::AtenSelectIntOp) {
        return scatter("aten.select_scatter");
      })
      .Case([&](torch::AtenSliceTensorOp) {
        return scatter("aten.slice_scatter");
      })
      .Default([](Operation *) { return Value(); });
}

LogicalResult Values::write(Id id, Value value, OpBuilder &builder,
                            Operation *&obstacle) {
  if (!tensors[id].base)
    blur(id);
  if (std::optional<Id> base = tensors[id].base) {
    Value whole = read(*base, builder);
    if (!whole)
      return success(); // reported already
    Operation *view = tensors[id].steps.back();
    Value updated = writeThrough(view, whole, value, builder);
    if (!updated) {
      obstacle = view;
      return failure();
    }
    if (failed(write(*base, updated, builder, obstacle)))
      return failure();
    tensors[id].baseVersion = tensors[*base].version;
  }
  tensors[id].value = value;
  ++tensors[id].version;
  return success();
}

LogicalResult Values::restore(Snapshot snapshot) {
  // Writes reach the base of a view, so it is enough to check bases.
  bool isSame = true;
  for (auto [before, now] : llvm::zip(snapshot, tensors))
    isSame &= before.base || before.version == now.version;
  tensors = std::move(snapshot);
  llvm::erase_if(perhapsShared,
                 [&](auto pair) { return pair.first >= tensors.size(); });
  return success(isSame);
}
