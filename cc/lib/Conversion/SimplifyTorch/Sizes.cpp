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

/// True if `size` counts elements. A number that a program reads from its
/// input may be the -1 that asks an op to find the size by itself.
static bool isCount(Value size) {
  if (std::optional<int64_t> known = matchInt(size))
    return *known >= 0;
  Operation *op = size.getDefiningOp();
  if (!op)
    return false;
  if (isa<AtenAddIntOp, AtenMulIntOp>(op))
    return llvm::all_of(op->getOperands(), isCount);
  return isa<AtenSizeIntOp>(op);
}

/// Element `index` of a list of sizes, if that is a size.
static Value sizeIn(Value list, int64_t index) {
  auto sizes = matchList(list);
  if (!sizes || index >= static_cast<int64_t>(sizes->size()) ||
      !isCount((*sizes)[index]))
    return {};
  return (*sizes)[index];
}

/// The size of dim `dim` of a tensor, as the op behind it has it; null where
/// only the tensor itself can tell.
static Value sizeBehind(Value tensor, int64_t dim, TorchBuilder &b);

static Value sizeOf(Value tensor, int64_t dim, TorchBuilder &b) {
  Value known = sizeBehind(tensor, dim, b);
  return known ? known : b.size(tensor, dim);
}

Value sizeBehind(Value tensor, int64_t dim, TorchBuilder &b) {
  Operation *source = tensor.getDefiningOp();
  if (!source)
    return {};
  int64_t rank = tensorType(tensor).getRank();
  auto counted = [&](int64_t from) { return from < 0 ? from + rank : from; };
  return TypeSwitch<Operation *, Value>(source)
      .Case([&](AtenViewOp view) { return sizeIn(view.getSize(), dim); })
      .Case([&](AtenFullOp full) { return sizeIn(full.getSize(), dim); })
      .Case([&](AtenExpandOp expand) { return sizeIn(expand.getSize(), dim); })
      .Case([&](AtenPermuteOp permute) {
        auto order = matchInts(permute.getDims());
        return order ? sizeOf(permute.getSelf(), counted((*order)[dim]), b)
                     : Value();
      })
      .Case([&](AtenUnsqueezeOp unsqueeze) {
        std::optional<int64_t> added = matchInt(unsqueeze.getDim());
        if (!added)
          return Value();
        int64_t at = counted(*added);
        return at == dim ? b.constant(1)
                         : sizeOf(unsqueeze.getSelf(), dim - (dim > at), b);
      })
      .Case([&](PrimsConvertElementTypeOp convert) {
        return sizeOf(convert.getA(), dim, b);
      })
      .Default([](Operation *) { return Value(); });
}

Value simplify_torch::simplifySize(Operation *op, TorchBuilder &b) {
  auto size = dyn_cast<AtenSizeIntOp>(op);
  std::optional<int64_t> dim = size ? matchInt(size.getDim()) : std::nullopt;
  if (!dim || !tensorType(size.getSelf()).hasRank())
    return {};
  int64_t rank = tensorType(size.getSelf()).getRank();
  return sizeBehind(size.getSelf(), normalDim(*dim, rank), b);
}
