//===- Sizes.cpp - Sizes that follow from operands ------------------------===//

#include "Simplifications.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

/// Element `index` of a list of sizes, unless it is a -1.
static Value sizeIn(Value list, int64_t index) {
  auto sizes = matchList(list);
  if (!sizes || index >= static_cast<int64_t>(sizes->size()) ||
      matchInt((*sizes)[index]) == -1)
    return {};
  return (*sizes)[index];
}

Value simplify_torch::simplifySize(Operation *op, TorchBuilder &b) {
  auto size = dyn_cast<AtenSizeIntOp>(op);
  std::optional<int64_t> asked = size ? matchInt(size.getDim()) : std::nullopt;
  if (!asked)
    return {};
  ValueTensorType type = tensorType(size.getSelf());
  if (!type.hasRank())
    return {};
  int64_t dim = *asked < 0 ? *asked + type.getRank() : *asked;
  Operation *source = size.getSelf().getDefiningOp();
  if (!source)
    return {};
  return TypeSwitch<Operation *, Value>(source)
      // A size that is known at run time only is never -1 in a program that was
      // traced.
      .Case([&](AtenViewOp view) { return sizeIn(view.getSize(), dim); })
      .Case([&](AtenFullOp full) { return sizeIn(full.getSize(), dim); })
      .Case([&](AtenExpandOp expand) { return sizeIn(expand.getSize(), dim); })
      .Case([&](AtenPermuteOp permute) -> Value {
        auto order = matchInts(permute.getDims());
        if (!order)
          return {};
        int64_t from = (*order)[dim];
        return b.size(permute.getSelf(),
                      from < 0 ? from + type.getRank() : from);
      })
      .Case([&](AtenUnsqueezeOp unsqueeze) -> Value {
        std::optional<int64_t> added = matchInt(unsqueeze.getDim());
        if (!added)
          return {};
        int64_t at = *added < 0 ? *added + type.getRank() : *added;
        if (at == dim)
          return b.constant(1);
        return b.size(unsqueeze.getSelf(), dim > at ? dim - 1 : dim);
      })
      .Case([&](PrimsConvertElementTypeOp convert) {
        return b.size(convert.getA(), dim);
      })
      .Default([](Operation *) { return Value(); });
}
