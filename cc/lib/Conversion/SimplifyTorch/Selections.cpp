//===- Selections.cpp - Elements that a mask picks ------------------------===//
//
// x[mask] has as many elements as flags are true, which XLA and TOSA cannot
// say, and which costs a search for their positions elsewhere. Where each
// element or row is changed alone, f(x[mask]) = f(x)[mask]; then what is put
// back, a sum, and a count need no positions:
//
//   y[mask] = f(x[mask])   where(mask, f(x), y)
//   sum(f(x[mask]))        sum(where(mask, f(x), 0))
//   x[mask].size(0)        sum(mask)
//
//===----------------------------------------------------------------------===//

#include "Selections.h"
#include "Simplifications.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionArguments.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;
using namespace isthmus::simplify_torch;

/// How many ops are traced back from a value; a chain may be as long as the
/// program.
static constexpr unsigned kMostSteps = 64;

/// Whether an op computes each element alone, and has a meaning for elements
/// that no flag picks: an integer divided by 0 has none on TOSA.
static bool changesElements(Operation *op) {
  if (isa<PrimsConvertElementTypeOp>(op))
    return true;
  bool divides = isa<AtenDivTensorOp, AtenDivTensorModeOp, AtenFmodTensorOp,
                     AtenRemainderTensorOp>(op);
  return isPointwise(op) &&
         (!divides ||
          isa<mlir::FloatType>(tensorType(op->getResult(0)).getDtype()));
}

std::optional<Selection> Selection::read(Value list, Value x) {
  ValueTensorType type = tensorType(x);
  std::optional<SmallVector<Value>> indices = matchList(list);
  auto isGiven = [](Value index) { return !isNone(index); };
  if (!indices || !type.hasRank() || llvm::count_if(*indices, isGiven) != 1)
    return std::nullopt;
  auto *only = llvm::find_if(*indices, isGiven);
  ValueTensorType flags = tensorType(*only);
  if (!flags.hasRank() || flags.getRank() == 0 || !flags.getDtype() ||
      !isBoolean(flags.getDtype()))
    return std::nullopt;
  Selection selection;
  selection.mask = *only;
  selection.list = list;
  selection.maskRank = flags.getRank();
  selection.before = std::distance(indices->begin(), only);
  if (selection.before + selection.maskRank > type.getRank())
    return std::nullopt;
  // A flag is for one element: a mask must not be broadcast.
  for (auto [flag, size] : llvm::zip_equal(
           flags.getSizes(),
           type.getSizes().slice(selection.before, selection.maskRank)))
    if (flag == 1 && size != 1)
      return std::nullopt;
  return selection;
}

bool Selection::isAlike(Value other) const {
  if (list == other)
    return true;
  std::optional<SmallVector<Value>> own = matchList(list),
                                    others = matchList(other);
  auto isSame = [](auto pair) {
    auto [a, b] = pair;
    return a == b || (isNone(a) && isNone(b));
  };
  return own && others && own->size() == others->size() &&
         llvm::all_of(llvm::zip_equal(*own, *others), isSame);
}

Value Selection::whole(Value picked, TorchBuilder &b) const {
  unsigned steps = kMostSteps;
  llvm::SmallDenseMap<Value, Value> known;
  return whole(picked, b, steps, known);
}

Value Selection::whole(Value picked, TorchBuilder &b, unsigned &steps,
                       llvm::SmallDenseMap<Value, Value> &known) const {
  if (auto found = known.find(picked); found != known.end())
    return found->second;
  Operation *op = picked.getDefiningOp();
  ValueTensorType type = tensorType(picked);
  if (!op || !steps || !type.hasRank() || type.getRank() <= before)
    return {};
  --steps;
  auto of = [&](Value operand) { return whole(operand, b, steps, known); };
  Value result =
      TypeSwitch<Operation *, Value>(op)
          .Case([&](AtenIndexTensorOp index) {
            return isAlike(index.getIndices()) &&
                           read(index.getIndices(), index.getSelf())
                       ? index.getSelf()
                       : Value();
          })
          .Case<AtenAmaxOp, AtenAminOp, AtenSumDimIntListOp>(
              [&](auto reduction) { return reduced(reduction, of, b); })
          .Case<AtenArgmaxOp, AtenArgminOp>(
              [&](auto search) { return searched(search, of, b); })
          .Case([&](AtenGatherOp gather) { return gathered(gather, of, b); })
          .Case([&](AtenUnsqueezeOp unsqueeze) {
            return moved(unsqueeze, unsqueeze.getDim(), of, b);
          })
          .Case([&](PrimsSqueezeOp squeeze) {
            return moved(squeeze, squeeze.getDimensions(), of, b);
          })
          .Default([&](Operation *op) {
            return changesElements(op) ? changed(op, of, b) : Value();
          });
  // Promotion may tell tensors of rank 0 from others.
  if (result && tensorType(result).getDtype() != type.getDtype())
    result = {};
  known[picked] = result;
  return result;
}

/// A pointwise op.
Value Selection::changed(Operation *op, Whole of, TorchBuilder &b) const {
  int64_t rank = tensorType(op->getResult(0)).getRank();
  SmallVector<Value> operands;
  bool hasPicked = false;
  for (Value operand : op->getOperands()) {
    if (!isa<ValueTensorType>(operand.getType())) {
      operands.push_back(operand);
      continue;
    }
    Value other = tensorType(operand).getRank() == rank ? of(operand) : Value();
    hasPicked |= static_cast<bool>(other);
    if (!other)
      other = spread(operand, rank, b);
    if (!other)
      return {};
    operands.push_back(other);
  }
  return hasPicked ? b.rebuild(op, operands) : Value();
}

/// A reduction of dims after those of the mask.
template <typename Op>
Value Selection::reduced(Op op, Whole of, TorchBuilder &b) const {
  auto arguments = ReductionArguments::read(op);
  Value x = of(op.getSelf());
  if (!arguments || !x || arguments->dims.empty())
    return {};
  SmallVector<Value> operands(op->getOperands());
  operands[0] = x;
  for (int64_t &dim : arguments->dims) {
    if (dim <= before)
      return {};
    dim += maskRank - 1;
  }
  operands[1] = b.ints(arguments->dims);
  return b.rebuild(op, operands);
}

/// The position of an element along a dim after those of the mask.
template <typename Op>
Value Selection::searched(Op op, Whole of, TorchBuilder &b) const {
  auto arguments = ArgReductionArguments::read(op);
  Value x = of(op.getSelf());
  if (!arguments || !x || arguments->isFlat ||
      arguments->dims.front() <= before)
    return {};
  return b.create<Op>(x, b.constant(arguments->dims.front() + maskRank - 1),
                      op.getKeepdim());
}

/// An element of each row at a position. One that no flag picks may be at no
/// position of its row, such as the -100 of a loss.
Value Selection::gathered(AtenGatherOp op, Whole of, TorchBuilder &b) const {
  std::optional<int64_t> dim = matchInt(op.getDim());
  Value x = of(op.getSelf()), places = dim && x ? of(op.getIndex()) : Value();
  int64_t rank = tensorType(op).getRank();
  if (!places || normalDim(*dim, rank) <= before)
    return {};
  places = b.where(alignedMask(rank, b), places,
                   b.scalarTensor(int64_t(0), tensorType(places).getDtype()));
  return b.create<AtenGatherOp>(
      x, b.constant(normalDim(*dim, rank) + maskRank - 1), places,
      op.getSparseGrad());
}

/// An op that adds or takes away dims of size 1 after those of the mask.
Value Selection::moved(Operation *op, Value dims, Whole of,
                       TorchBuilder &b) const {
  Value x = of(op->getOperand(0));
  // An unsqueeze counts the dims of its result.
  int64_t rank = tensorType(isa<AtenUnsqueezeOp>(op) ? op->getResult(0)
                                                     : op->getOperand(0))
                     .getRank();
  auto places = matchDims(dims, rank);
  if (!x || !places || places->empty())
    return {};
  for (int64_t &dim : *places) {
    if (dim <= before)
      return {};
    dim += maskRank - 1;
  }
  return isa<AtenUnsqueezeOp>(op) ? b.unsqueeze(x, places->front())
                                  : b.squeeze(x, *places);
}

Value Selection::spread(Value values, int64_t rank, TorchBuilder &b) const {
  ValueTensorType type = tensorType(values);
  int64_t after = rank - before - 1;
  if (!type.hasRank() || type.getRank() > rank)
    return {};
  int64_t place = type.getRank() - after - 1;
  if (place < 0)
    return values;
  if (type.getSizes()[place] != 1)
    return {};
  for (int64_t i = 1; i < maskRank; ++i)
    values = b.unsqueeze(values, place);
  return values;
}

Value Selection::alignedMask(int64_t rank, TorchBuilder &b) const {
  Value aligned = mask;
  for (int64_t dim = before + 1; dim < rank; ++dim)
    aligned = b.unsqueeze(aligned, -1);
  return aligned;
}

namespace {

/// The selection that a value was made of, if it was made of any.
std::optional<Selection> selectionBehind(Value picked) {
  SmallVector<Value> parts{picked};
  llvm::SmallDenseSet<Value> seen;
  for (unsigned next = 0; next < parts.size() && next < kMostSteps; ++next) {
    Operation *op = parts[next].getDefiningOp();
    if (!op || !seen.insert(parts[next]).second)
      continue;
    if (auto index = dyn_cast<AtenIndexTensorOp>(op)) {
      if (auto found = Selection::read(index.getIndices(), index.getSelf()))
        return found;
    } else if (changesElements(op) ||
               isa<AtenAmaxOp, AtenAminOp, AtenArgmaxOp, AtenArgminOp,
                   AtenGatherOp, AtenSumDimIntListOp, AtenUnsqueezeOp,
                   PrimsSqueezeOp>(op)) {
      llvm::copy_if(op->getOperands(), std::back_inserter(parts),
                    [](Value operand) {
                      return isa<ValueTensorType>(operand.getType());
                    });
    }
  }
  return std::nullopt;
}

/// The selection whose number of elements an int is.
std::optional<Selection> counted(Value number, TorchBuilder &b) {
  auto size = number.getDefiningOp<AtenSizeIntOp>();
  std::optional<int64_t> dim = size ? matchInt(size.getDim()) : std::nullopt;
  auto selection = dim ? selectionBehind(size.getSelf()) : std::nullopt;
  if (!selection || !tensorType(size.getSelf()).hasRank() ||
      normalDim(*dim, tensorType(size.getSelf()).getRank()) !=
          selection->before ||
      !selection->whole(size.getSelf(), b))
    return std::nullopt;
  return selection;
}

/// An int computed from the number of selected elements, as a tensor of rank 0;
/// null if it is computed from anything else that is not known.
Value countTensor(Value number, TorchBuilder &b, unsigned &steps,
                  bool &hasCount) {
  auto si64 = IntegerType::get(b.getContext(), 64, IntegerType::Signed);
  if (std::optional<int64_t> known = matchInt(number))
    return b.scalarTensor(*known, si64);
  if (std::optional<Selection> selection = counted(number, b)) {
    hasCount = true;
    return b.create<AtenSumDimIntListOp>(selection->mask, b.none(),
                                         b.constantBool(false), b.none());
  }
  Operation *op = number.getDefiningOp();
  if (!op || !steps ||
      !isa<AtenAddIntOp, AtenSubIntOp, AtenMulIntOp, PrimMaxIntOp>(op))
    return {};
  --steps;
  Value x = countTensor(op->getOperand(0), b, steps, hasCount),
        y = x ? countTensor(op->getOperand(1), b, steps, hasCount) : Value();
  if (!y)
    return {};
  if (isa<AtenAddIntOp>(op))
    return b.add(x, y);
  if (isa<AtenSubIntOp>(op))
    return b.sub(x, y);
  return isa<AtenMulIntOp>(op) ? b.mul(x, y)
                               : b.create<AtenMaximumOp>(x, y).getResult();
}

/// full([], n) of a number n of selected elements.
Value filled(AtenFullOp op, TorchBuilder &b) {
  std::optional<SmallVector<Value>> sizes = matchList(op.getSize());
  if (!sizes || !sizes->empty() || !isa<IntType>(op.getFillValue().getType()) ||
      matchInt(op.getFillValue()))
    return {};
  unsigned steps = kMostSteps;
  bool hasCount = false;
  Value count = countTensor(op.getFillValue(), b, steps, hasCount);
  return count && hasCount ? b.convert(count, tensorType(op).getDtype())
                           : Value();
}

/// sum(f(x[mask])) = sum(where(mask, f(x), 0)).
Value summed(AtenSumDimIntListOp op, TorchBuilder &b) {
  auto arguments = ReductionArguments::read(op);
  std::optional<Selection> selection = selectionBehind(op.getSelf());
  if (!arguments || !selection ||
      !llvm::is_contained(arguments->dims, selection->before))
    return {};
  Value whole = selection->whole(op.getSelf(), b);
  if (!whole)
    return {};
  Type dtype = tensorType(whole).getDtype();
  if (!isa<mlir::FloatType>(dtype) && !dtype.isInteger())
    return {};
  Value zero = isa<mlir::FloatType>(dtype) ? b.scalarTensor(0.0, dtype)
                                           : b.scalarTensor(int64_t(0), dtype);
  SmallVector<int64_t> dims;
  for (int64_t dim : arguments->dims) {
    int64_t more = selection->maskRank - 1;
    if (dim == selection->before)
      for (int64_t i = 0; i < more; ++i)
        dims.push_back(dim + i);
    dims.push_back(dim < selection->before ? dim : dim + more);
  }
  SmallVector<Value> operands(op->getOperands());
  operands[0] =
      b.where(selection->alignedMask(tensorType(op.getSelf()).getRank(), b),
              whole, zero);
  operands[1] = b.ints(dims);
  operands[2] = b.constantBool(false);
  Value sum = b.rebuild(op, operands);
  if (arguments->keepdim)
    for (int64_t dim : arguments->dims)
      sum = b.unsqueeze(sum, dim);
  return sum;
}

/// A comparison that exporters add for the number of selected elements, if the
/// number of flags decides it.
Value compared(Operation *op, TorchBuilder &b) {
  std::optional<int64_t> bound = matchInt(op->getOperand(1));
  auto selection = bound ? counted(op->getOperand(0), b) : std::nullopt;
  if (!selection)
    return {};
  bool isTrue = isa<AtenGeIntOp>(op)
                    ? *bound <= 0
                    : *bound >= countOf(tensorType(selection->mask));
  return isTrue ? b.constantBool(true) : Value();
}

} // namespace

Value simplify_torch::sizeOfSelection(AtenIndexTensorOp op, int64_t dim,
                                      TorchBuilder &b) {
  auto selection = Selection::read(op.getIndices(), op.getSelf());
  if (!selection)
    return {};
  if (dim != selection->before)
    return b.size(op.getSelf(), dim < selection->before
                                    ? dim
                                    : dim + selection->maskRank - 1);
  AtenIndexTensorOp first = op;
  for (Operation *user : op.getIndices().getUsers()) {
    auto other = dyn_cast<AtenIndexTensorOp>(user);
    if (other && other->getBlock() == op->getBlock() &&
        other->isBeforeInBlock(first) &&
        Selection::read(other.getIndices(), other.getSelf()))
      first = other;
  }
  return first == op ? Value() : b.size(first, dim);
}

Value simplify_torch::simplifySelection(Operation *operation, TorchBuilder &b) {
  if (auto op = dyn_cast<AtenSumDimIntListOp>(operation))
    return summed(op, b);
  if (auto op = dyn_cast<AtenFullOp>(operation))
    return filled(op, b);
  if (isa<AtenGeIntOp, AtenLeIntOp>(operation))
    return compared(operation, b);
  return {};
}
