//===- Sizes.cpp - Sizes that follow from operands ------------------------===//

#include "Selections.h"
#include "Simplifications.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionArguments.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
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
    if (isa<AtenAddIntOp, AtenMulIntOp, AtenFloordivIntOp>(op))
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

bool simplify_torch::isPointwise(Operation *op) {
  return isa<
      AtenAbsOp, AtenAddTensorOp, AtenAtan2Op, AtenAtanOp,
      AtenBitwiseAndTensorOp, AtenBitwiseLeftShiftTensorOp, AtenBitwiseNotOp,
      AtenBitwiseOrTensorOp, AtenBitwiseRightShiftTensorOp,
      AtenBitwiseXorTensorOp, AtenCeilOp, AtenCosOp, AtenDivTensorModeOp,
      AtenDivTensorOp, AtenEqTensorOp, AtenErfOp, AtenExpOp, AtenExpm1Op,
      AtenFloorOp, AtenFmodTensorOp, AtenGeTensorOp, AtenGtTensorOp,
      AtenIsnanOp, AtenLeTensorOp, AtenLog1pOp, AtenLogOp, AtenLogicalAndOp,
      AtenLogicalNotOp, AtenLogicalOrOp, AtenLogicalXorOp, AtenLtTensorOp,
      AtenMaximumOp, AtenMinimumOp, AtenMulTensorOp, AtenNeTensorOp, AtenNegOp,
      AtenPowTensorTensorOp, AtenReciprocalOp, AtenRemainderTensorOp,
      AtenRoundOp, AtenRsqrtOp, AtenSigmoidOp, AtenSignOp, AtenSinOp,
      AtenSqrtOp, AtenSubTensorOp, AtenTanOp, AtenTanhOp, AtenWhereSelfOp>(op);
}

/// True if two ints are the same value, or sizes of the same dim.
static bool areSame(Value a, Value b) {
  if (a == b)
    return true;
  auto size = a.getDefiningOp<AtenSizeIntOp>(),
       other = b.getDefiningOp<AtenSizeIntOp>();
  return size && other && size.getSelf() == other.getSelf() &&
         matchInt(size.getDim()) == matchInt(other.getDim());
}

/// The size that a function's argument shares with an argument before it, or
/// with an earlier dim, by the names in isthmus.dim_params ("0:s0,1:2*s0"). The
/// JIT runs a program only on arguments that agree with them, but a function
/// that is not public is called unchecked.
static Value sizeOfArgument(BlockArgument argument, int64_t dim,
                            TorchBuilder &b) {
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!function || !function.isPublic())
    return {};
  auto namesOf = [&](unsigned index) {
    SmallVector<std::pair<int64_t, StringRef>> names;
    auto attribute =
        function.getArgAttrOfType<StringAttr>(index, "isthmus.dim_params");
    SmallVector<StringRef> parts;
    if (attribute)
      attribute.getValue().split(parts, ',');
    for (StringRef part : parts) {
      auto [place, name] = part.split(':');
      uint32_t at; // no dim of a hostile program is negative
      if (!place.getAsInteger(10, at))
        names.push_back({at, name});
    }
    return names;
  };
  StringRef wanted;
  for (auto [at, name] : namesOf(argument.getArgNumber()))
    if (at == dim)
      wanted = name;
  if (wanted.empty())
    return {};
  for (unsigned index = 0; index <= argument.getArgNumber(); ++index) {
    Value other = function.getArgument(index);
    auto type = dyn_cast<ValueTensorType>(other.getType());
    for (auto [at, name] : namesOf(index)) {
      if (other == argument && at >= dim)
        return {};
      if (name == wanted && type && type.hasRank() && at < type.getRank())
        return b.size(other, at);
    }
  }
  return {};
}

/// The size of dim `dim` of a tensor, computed from its defining op; null if
/// that op does not determine it. `steps` is how many more ops to look at.
static Value sizeBehind(Value tensor, int64_t dim, TorchBuilder &b,
                        unsigned &steps) {
  auto sizeOf = [&](Value tensor, int64_t dim) {
    Value known;
    if (steps) {
      --steps;
      known = sizeBehind(tensor, dim, b, steps);
    }
    return known ? known : b.size(tensor, dim);
  };
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return sizeOfArgument(argument, dim, b);
  Operation *source = tensor.getDefiningOp();
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
      .Case([&](PrimsSqueezeOp squeeze) {
        auto removed = matchInts(squeeze.getDimensions());
        if (!removed)
          return Value();
        int64_t rankBefore = tensorType(squeeze.getA()).getRank();
        for (int64_t &each : *removed)
          each = normalDim(each, rankBefore);
        llvm::sort(*removed);
        int64_t at = dim; // of the operand
        for (int64_t each : *removed)
          at += each <= at;
        return sizeOf(squeeze.getA(), at);
      })
      .Case([&](AtenIndexTensorOp index) {
        return simplify_torch::sizeOfSelection(index, dim, b);
      })
      .Case([&](PrimsConvertElementTypeOp convert) {
        return sizeOf(convert.getA(), dim);
      })
      .Case<AtenAmaxOp, AtenAminOp, AtenSumDimIntListOp>([&](auto reduction) {
        auto arguments = ReductionArguments::read(reduction);
        int64_t rankBefore = tensorType(reduction.getSelf()).getRank();
        if (!arguments)
          return Value();
        int64_t at = 0; // in the result
        for (auto [from, isReduced] :
             llvm::enumerate(arguments->mask(rankBefore))) {
          if (isReduced && !arguments->keepdim)
            continue;
          if (at++ == dim)
            return isReduced ? b.constant(1)
                             : sizeOf(reduction.getSelf(), from);
        }
        return Value();
      })
      .Default([&](Operation *op) {
        Value common;
        if (!simplify_torch::isPointwise(op))
          return common;
        for (Value operand : op->getOperands()) {
          auto type = dyn_cast<ValueTensorType>(operand.getType());
          if (!type || !type.hasRank())
            continue;
          int64_t at = dim - (rank - type.getRank());
          if (at < 0 || type.getSizes()[at] == 1)
            continue;
          // Of two sizes, one may be a 1 that is broadcast.
          Value own = sizeOf(operand, at);
          if (common && !areSame(common, own))
            return Value();
          common = own;
        }
        return common;
      });
}

static Value sizeBehind(Value tensor, int64_t dim, TorchBuilder &b) {
  unsigned steps = kMostSteps;
  return sizeBehind(tensor, dim, b, steps);
}

bool simplify_torch::isOwnSize(Value size, Value tensor, int64_t dim,
                               TorchBuilder &b) {
  if (isSizeOf(size, tensor, dim))
    return true;
  if (matchInt(size))
    return false;
  Value own = sizeBehind(tensor, dim, b);
  return own && areSame(size, own);
}

/// floor(size * factor), which resampling by a factor builds, in integers,
/// where the factor is a short binary fraction: size * 3 / 2 for 1.5. XLA
/// computes sizes of integers only. Both forms are exact for sizes below 2^53.
static Value asIntegers(AtenFloorFloatOp op, TorchBuilder &b) {
  constexpr double most = 1 << 10;
  auto product = op.getA().getDefiningOp<AtenMulFloatOp>();
  auto size =
      product ? product.getA().getDefiningOp<AtenFloatScalarOp>() : nullptr;
  std::optional<double> factor =
      product ? matchNumber(product.getB()) : std::nullopt;
  if (!size || !isa<IntType>(size.getA().getType()) || !factor ||
      !isCount(size.getA()))
    return {};
  double divisor = 1;
  while (divisor < most && *factor * divisor != std::floor(*factor * divisor))
    divisor *= 2;
  double factors = *factor * divisor;
  if (!(factors >= 0 && factors <= most && factors == std::floor(factors)))
    return {};
  return b.floorDivInt(
      b.mulInt(size.getA(), b.constant(static_cast<int64_t>(factors))),
      b.constant(static_cast<int64_t>(divisor)));
}

Value simplify_torch::simplifySize(Operation *op, TorchBuilder &b) {
  if (auto floor = dyn_cast<AtenFloorFloatOp>(op))
    return asIntegers(floor, b);
  auto size = dyn_cast<AtenSizeIntOp>(op);
  std::optional<int64_t> dim = size ? matchInt(size.getDim()) : std::nullopt;
  if (!dim || !tensorType(size.getSelf()).hasRank())
    return {};
  int64_t rank = tensorType(size.getSelf()).getRank();
  return sizeBehind(size.getSelf(), normalDim(*dim, rank), b);
}
