//===- Sizes.cpp - Sizes that follow from operands ------------------------===//

#include "Simplifications.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

/// How many ops a size is traced back. A chain may be as long as the program,
/// and as many sizes may lead back to it.
static constexpr unsigned kMostSteps = 64;

/// True if `size` is provably not negative. A number read from a program's
/// input may be -1, which an op replaces by the inferred size.
static bool isCount(Value size) {
  llvm::SmallSetVector<Value, 8> parts; // a set: operands may repeat
  parts.insert(size);
  for (unsigned next = 0; next < parts.size(); ++next) {
    if (std::optional<int64_t> known = matchInt(parts[next])) {
      if (*known < 0)
        return false;
      continue;
    }
    Operation *op = parts[next].getDefiningOp();
    if (!op || parts.size() > kMostSteps)
      return false;
    if (isa<AtenAddIntOp, AtenMulIntOp>(op))
      parts.insert_range(op->getOperands());
    else if (!isa<AtenSizeIntOp>(op))
      return false;
  }
  return true;
}

/// Element `index` of a list of sizes, if it is known to be a size.
static Value sizeIn(Value list, int64_t index) {
  auto sizes = matchList(list);
  if (!sizes || index >= static_cast<int64_t>(sizes->size()) ||
      !isCount((*sizes)[index]))
    return {};
  return (*sizes)[index];
}

/// The size of dim `dim` of a tensor, computed from its defining op; null if
/// that op does not determine it.
static Value sizeBehind(Value tensor, int64_t dim, TorchBuilder &b,
                        unsigned steps = kMostSteps) {
  auto sizeOf = [&](Value tensor, int64_t dim) {
    Value known = steps ? sizeBehind(tensor, dim, b, steps - 1) : Value();
    return known ? known : b.size(tensor, dim);
  };
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
        return order ? sizeOf(permute.getSelf(), counted((*order)[dim]))
                     : Value();
      })
      .Case([&](AtenUnsqueezeOp unsqueeze) {
        std::optional<int64_t> added = matchInt(unsqueeze.getDim());
        if (!added)
          return Value();
        int64_t at = counted(*added);
        return at == dim ? b.constant(1)
                         : sizeOf(unsqueeze.getSelf(), dim - (dim > at));
      })
      .Case([&](PrimsConvertElementTypeOp convert) {
        return sizeOf(convert.getA(), dim);
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
