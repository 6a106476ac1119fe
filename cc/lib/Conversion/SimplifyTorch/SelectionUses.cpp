//===- SelectionUses.cpp - What elements that a mask picks are used for ---===//
//
// x[mask] has as many elements as flags are true, which XLA and TOSA cannot
// say, and which costs a search for their positions elsewhere. Where each
// element or row is changed alone, f(x[mask]) = f(x)[mask]; then these uses
// need no positions:
//
//   y[mask] = f(x[mask])     where(mask, f(x), y)
//   sum(f(x[mask]))          sum(where(mask, f(x), 0))
//   x[mask].size(0)          sum(mask)
//   scatter(y, i[mask], ..)  scatter(y with a row n, where(mask, i, n), ..)
//
//===----------------------------------------------------------------------===//

#include "Selections.h"
#include "Simplifications.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionArguments.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;
using namespace isthmus::simplify_torch;

namespace {

/// An int computed from numbers of picked rows, as a tensor of rank 0; null if
/// it is computed from anything else that is not known.
Value countTensor(Value number, TorchBuilder &b, Selections &selections,
                  unsigned &steps, bool &hasCount) {
  auto si64 = IntegerType::get(b.getContext(), 64, IntegerType::Signed);
  if (std::optional<int64_t> known = matchInt(number))
    return b.scalarTensor(*known, si64);
  if (std::optional<Picked> picked = selections.counted(number)) {
    hasCount = true;
    return b.create<AtenSumDimIntListOp>(picked->flags, b.none(),
                                         b.constantBool(false), b.none());
  }
  Operation *op = number.getDefiningOp();
  if (!op || !steps ||
      !isa<AtenAddIntOp, AtenSubIntOp, AtenMulIntOp, PrimMaxIntOp>(op))
    return {};
  --steps;
  Value x = countTensor(op->getOperand(0), b, selections, steps, hasCount);
  Value y = x ? countTensor(op->getOperand(1), b, selections, steps, hasCount)
              : Value();
  if (!y)
    return {};
  if (isa<AtenAddIntOp>(op))
    return b.add(x, y);
  if (isa<AtenSubIntOp>(op))
    return b.sub(x, y);
  return isa<AtenMulIntOp>(op) ? b.mul(x, y)
                               : b.create<AtenMaximumOp>(x, y).getResult();
}

/// full([], n) of a number n of picked rows.
Value filled(AtenFullOp op, TorchBuilder &b) {
  constexpr unsigned kMostSteps = 64;
  std::optional<SmallVector<Value>> sizes = matchList(op.getSize());
  if (!sizes || !sizes->empty() || !isa<IntType>(op.getFillValue().getType()) ||
      matchInt(op.getFillValue()))
    return {};
  Selections selections(b);
  unsigned steps = kMostSteps;
  bool hasCount = false;
  Value count = countTensor(op.getFillValue(), b, selections, steps, hasCount);
  return count && hasCount ? b.convert(count, tensorType(op).getDtype())
                           : Value();
}

/// What changes no sum, or no largest or smallest element; null for other
/// dtypes than those of floats and integers.
Value neutral(Operation *op, Type dtype, TorchBuilder &b) {
  bool isMax = isa<AtenAmaxOp>(op);
  if (isa<mlir::FloatType>(dtype)) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return b.scalarTensor(isa<AtenSumDimIntListOp>(op) ? 0.0
                          : isMax                      ? -infinity
                                                       : infinity,
                          dtype);
  }
  if (!dtype.isInteger() || !isa<AtenSumDimIntListOp>(op))
    return {};
  return b.scalarTensor(int64_t(0), dtype);
}

/// sum(f(x[mask])) = sum(where(mask, f(x), 0)), and the largest and smallest
/// elements, of which PyTorch refuses to find one among none.
template <typename Op>
Value reduced(Op op, TorchBuilder &b) {
  Selections selections(b);
  auto arguments = ReductionArguments::read(op);
  auto picked = arguments ? selections.trace(op.getSelf()) : std::nullopt;
  if (!picked || !llvm::is_contained(arguments->dims, picked->dim) ||
      !(isa<AtenSumDimIntListOp>(op) || selections.picksAny(*picked)))
    return {};
  Value ignored = neutral(op, tensorType(picked->whole).getDtype(), b);
  if (!ignored)
    return {};
  SmallVector<int64_t> dims;
  for (int64_t dim : arguments->dims)
    if (dim != picked->dim)
      dims.push_back(picked->dimOfWhole(dim));
    else
      for (int64_t i = 0; i < picked->flagRank(); ++i)
        dims.push_back(dim + i);
  SmallVector<Value> operands(op->getOperands());
  operands[0] = b.where(
      selections.alignedFlags(*picked, tensorType(op.getSelf()).getRank()),
      picked->whole, ignored);
  operands[1] = b.ints(dims);
  operands[2] = b.constantBool(false);
  Value result = b.rebuild(op, operands);
  if (arguments->keepdim)
    for (int64_t dim : arguments->dims)
      result = b.unsqueeze(result, dim);
  return result;
}

/// A comparison that exporters add for the number of picked rows, if the number
/// of flags decides it.
Value compared(Operation *op, TorchBuilder &b) {
  Selections selections(b);
  std::optional<int64_t> bound = matchInt(op->getOperand(1));
  auto picked = bound ? selections.counted(op->getOperand(0)) : std::nullopt;
  if (!picked)
    return {};
  bool isTrue = isa<AtenGeIntOp>(op)
                    ? *bound <= 0
                    : *bound >= countOf(tensorType(picked->flags));
  return isTrue ? b.constantBool(true) : Value();
}

/// The number of a tensor's dim as a tensor of rank 0.
Value sizeTensor(Value size, Type dtype, TorchBuilder &b) {
  if (std::optional<int64_t> known = matchInt(size))
    return b.scalarTensor(*known, dtype);
  return b.create<AtenFullOp>(b.ints(ValueRange()), size, b.dtype(dtype),
                              b.none(), b.none(), b.none());
}

/// x with more rows along a dim, which are written where no flag picks.
Value withSpareRows(Value x, int64_t dim, int64_t count, TorchBuilder &b) {
  SmallVector<Value> sizes = b.sizes(x);
  sizes[dim] = b.constant(count);
  Value rows = b.create<AtenFullOp>(b.ints(sizes), b.constant(0),
                                    b.dtype(tensorType(x).getDtype()), b.none(),
                                    b.none(), b.none());
  return b.cat({x, rows}, dim);
}

/// Updates at picked positions, all along the flags' dim.
Value scattered(AtenScatterReduceTwoOp op, TorchBuilder &b) {
  Selections selections(b);
  std::optional<int64_t> along = matchInt(op.getDim());
  int64_t rank = tensorType(op.getSelf()).getRank();
  if (!along || tensorType(op.getIndex()).getRank() != rank || rank == 0)
    return {};
  int64_t dim = normalDim(*along, rank);
  std::optional<Picked> places = selections.trace(op.getIndex());
  auto updates = places ? selections.trace(op.getSrc()) : std::nullopt;
  if (!updates || updates->flags != places->flags || places->dim != dim ||
      updates->dim != dim || places->flagRank() != 1)
    return {};
  Value size = b.size(op.getSelf(), dim);
  SmallVector<Value> operands(op->getOperands());
  operands[0] = withSpareRows(op.getSelf(), dim, 1, b);
  operands[1] = b.constant(dim);
  operands[2] =
      b.where(selections.alignedFlags(*places, rank), places->whole,
              sizeTensor(size, tensorType(op.getIndex()).getDtype(), b));
  operands[3] = updates->whole;
  return b.slice(b.rebuild(op, operands), dim, b.constant(0), size);
}

/// Positions along a dim of a size, of which some may count from the end.
Value fromStart(Value positions, Value size, TorchBuilder &b) {
  Type dtype = tensorType(positions).getDtype();
  Value isFromEnd =
      b.create<AtenLtTensorOp>(positions, b.scalarTensor(int64_t(0), dtype));
  return b.where(isFromEnd, b.add(positions, sizeTensor(size, dtype, b)),
                 positions);
}

/// Writes at picked positions along a dim, or along neighbouring dims, which
/// become one.
Value put(AtenIndexPutOp op, TorchBuilder &b) {
  Selections selections(b);
  std::optional<SmallVector<Value>> indices = matchList(op.getIndices());
  ValueTensorType type = tensorType(op.getSelf());
  std::optional<bool> accumulates = matchBool(op.getAccumulate());
  if (!indices || !accumulates || !type.hasRank() ||
      !tensorType(op.getValues()).hasRank())
    return {};
  int64_t dim = -1, count = 0;
  std::optional<Picked> places;
  SmallVector<Value> sizes = b.sizes(op.getSelf());
  Value at;
  for (auto [i, index] : llvm::enumerate(*indices)) {
    if (isNone(index))
      continue;
    std::optional<Picked> own = selections.trace(index);
    bool isNext = !places || dim + count == static_cast<int64_t>(i);
    if (!own || tensorType(index).getRank() != 1 || own->flagRank() != 1 ||
        !tensorType(index).getDtype().isInteger(64) || !isNext ||
        (places && places->flags != own->flags))
      return {};
    Value here = fromStart(own->whole, sizes[i], b);
    if (places) {
      Type dtype = tensorType(at).getDtype();
      at = b.add(b.mul(at, sizeTensor(sizes[i], dtype, b)), here);
    } else {
      dim = i;
      at = here;
    }
    places = own;
    ++count;
  }
  if (!places)
    return {};
  int64_t rank = type.getRank() - count + 1;
  Picked rows{Value(), places->flags, dim};
  auto values = tensorType(op.getValues()).getRank() == rank
                    ? selections.trace(op.getValues())
                    : std::nullopt;
  if (values && (values->flags != places->flags || values->dim != dim))
    return {};
  Value whole =
      values ? values->whole : selections.spread(op.getValues(), rank, rows);
  if (!whole)
    return {};
  Value self = op.getSelf();
  Value size = b.product(ArrayRef(sizes).slice(dim, count));
  if (count > 1) {
    SmallVector<Value> merged(sizes);
    merged.erase(merged.begin() + dim, merged.begin() + dim + count);
    merged.insert(merged.begin() + dim, size);
    self = b.view(self, merged);
  }
  Type dtype = tensorType(at).getDtype();
  Value end = sizeTensor(size, dtype, b), spare = end;
  // TOSA writes each row once: where no sums are asked for, each position has a
  // spare row of its own.
  int64_t most = tensorType(places->flags).getSizes().front(), spareRows = 1;
  if (!*accumulates && !ShapedType::isDynamic(most)) {
    Value each = b.create<AtenArangeStartStepOp>(
        b.constant(0), b.constant(most), b.constant(1), b.dtype(dtype),
        b.none(), b.none(), b.none());
    spare = b.add(end, each);
    spareRows = most;
  }
  SmallVector<Value> target(dim, b.none());
  target.push_back(b.where(places->flags, at, spare));
  Value written = b.create<AtenIndexPutOp>(
      withSpareRows(self, dim, spareRows, b), b.optionalTensors(target), whole,
      op.getAccumulate());
  Value result = b.slice(written, dim, b.constant(0), size);
  return count > 1 ? b.view(result, sizes) : result;
}

} // namespace

Value simplify_torch::simplifySelection(Operation *operation, TorchBuilder &b) {
  if (auto op = dyn_cast<AtenSumDimIntListOp>(operation))
    return reduced(op, b);
  if (auto op = dyn_cast<AtenAmaxOp>(operation))
    return reduced(op, b);
  if (auto op = dyn_cast<AtenAminOp>(operation))
    return reduced(op, b);
  if (auto op = dyn_cast<AtenFullOp>(operation))
    return filled(op, b);
  if (auto op = dyn_cast<AtenScatterReduceTwoOp>(operation))
    return scattered(op, b);
  if (auto op = dyn_cast<AtenIndexPutOp>(operation))
    return put(op, b);
  if (isa<AtenGeIntOp, AtenLeIntOp>(operation))
    return compared(operation, b);
  return {};
}
