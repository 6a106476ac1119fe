//===- LimitRank.cpp - Ops on tensors of few dims -------------------------===//
//
// TOSA's tensors have rank 6 at most. Programs view a tensor with more dims to
// permute, expand or reduce some of them, and view the result with few dims
// again. What an op does is the same for many of these dims, so it can be an op
// on fewer dims between two views, which fold into the views of the program:
// then no tensor of many dims is left.
//
//===----------------------------------------------------------------------===//

#include "Simplifications.h"
#include "isthmus/Conversion/Passes.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionArguments.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace isthmus {
#define GEN_PASS_DEF_LIMITTORCHRANK
#include "isthmus/Conversion/Passes.h.inc"
} // namespace isthmus

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;
using namespace isthmus::simplify_torch;

namespace {

/// Neighbouring dims of one kind, which may be one dim.
class Runs {
public:
  /// The kind of a dim that joins any run, since its size is 1.
  static constexpr int64_t any = -1;

  explicit Runs(ArrayRef<int64_t> kinds) {
    int64_t last = any;
    for (int64_t kind : kinds) {
      if (kind != any) {
        count += last != any && kind != last;
        last = kind;
      }
      runs.push_back(count - 1);
    }
  }

  bool areFew() const { return count <= mostDims; }
  int64_t size() const { return count; }
  int64_t runOf(int64_t dim) const { return runs[dim]; }

  /// The sizes of a tensor with one dim for each run; it may lack leading dims
  /// of size 1.
  SmallVector<int64_t> merge(ArrayRef<int64_t> sizes) const {
    SmallVector<int64_t> merged(count, 1);
    for (auto [run, size] :
         llvm::zip(ArrayRef(runs).take_back(sizes.size()), sizes)) {
      bool isOpen =
          ShapedType::isDynamic(size) || ShapedType::isDynamic(merged[run]);
      merged[run] = isOpen ? ShapedType::kDynamic : merged[run] * size;
    }
    return merged;
  }
  SmallVector<int64_t> merge(Value tensor) const {
    return merge(tensorType(tensor).getSizes());
  }

private:
  SmallVector<int64_t> runs;
  int64_t count = 1;
};

/// A view with sizes of which one at most is not known.
Value viewAs(Value tensor, ArrayRef<int64_t> sizes, TorchBuilder &b) {
  auto asked = llvm::map_to_vector(sizes, [](int64_t size) {
    return ShapedType::isDynamic(size) ? -1 : size;
  });
  return b.create<AtenViewOp>(tensor, b.ints(asked));
}

/// Whether views can have the sizes of a tensor, and any merge of its dims.
bool isViewable(ValueTensorType type) {
  constexpr int64_t mostOfPyTorch = 64;
  if (!type.hasRank() || type.getRank() > mostOfPyTorch)
    return false;
  uint64_t count = 1;
  for (int64_t size : type.getSizes())
    if (!ShapedType::isDynamic(size))
      count = llvm::SaturatingMultiply<uint64_t>(count, size);
  return count > 0 && count <= INT64_MAX &&
         llvm::count_if(type.getSizes(), ShapedType::isDynamic) <= 1;
}

bool hasOneElement(Value tensor) {
  return llvm::all_of(tensorType(tensor).getSizes(),
                      [](int64_t size) { return size == 1; });
}

/// The tensor with one dim for each run. A single element stays as it is, since
/// ops look for constants.
Value merged(Value tensor, const Runs &runs, TorchBuilder &b) {
  return hasOneElement(tensor) && tensorType(tensor).getRank() <= runs.size()
             ? tensor
             : viewAs(tensor, runs.merge(tensor), b);
}

/// The dim that an op works along: operand 1 of cat, cumsum, index_select,
/// slice and so on.
std::optional<int64_t> onlyDim(Operation *op, int64_t rank) {
  std::optional<int64_t> dim = matchInt(op->getOperand(1));
  return dim ? std::optional(normalDim(*dim, rank)) : std::nullopt;
}

/// Dims that are alike, but for those of size 1.
SmallVector<int64_t> ofOneKind(ArrayRef<int64_t> sizes) {
  return llvm::map_to_vector(
      sizes, [](int64_t size) { return size == 1 ? Runs::any : 0; });
}

/// Three runs at most: the dims before a dim, itself, and those after it.
Runs runsAround(int64_t dim, ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> kinds = ofOneKind(sizes);
  kinds[dim] = 1;
  return Runs(kinds);
}

//===----------------------------------------------------------------------===//
// Permutations and broadcasts
//===----------------------------------------------------------------------===//

/// Any permutation, as some of fewer dims: each makes as many of the result's
/// dims the first ones as it can.
Value permute(AtenPermuteOp op, TorchBuilder &b) {
  Value x = op.getSelf();
  int64_t rank = tensorType(x).getRank();
  std::optional<SmallVector<int64_t>> order = matchInts(op.getDims());
  if (!order)
    return {};
  for (int64_t &dim : *order)
    dim = normalDim(dim, rank);
  if (hasOneElement(x))
    return viewAs(x, tensorType(op).getSizes(), b);
  while (true) {
    if (Value permuted = permuteFewerDims(x, *order, b))
      return permuted;
    SmallVector<int64_t> step;
    Value next;
    for (int64_t first = rank - 1; !next; --first) {
      step = llvm::to_vector(ArrayRef(*order).take_front(first));
      for (int64_t dim = 0; dim < rank; ++dim)
        if (!llvm::is_contained(ArrayRef(*order).take_front(first), dim))
          step.push_back(dim);
      next = permuteFewerDims(x, step, b);
    }
    x = next;
    for (int64_t &dim : *order)
      dim = llvm::find(step, dim) - step.begin();
  }
}

/// Expands dims of size 1 to known sizes, as many of the last ones at once as
/// few dims allow. The result has few dims, of these sizes together.
Value expand(Value x, ArrayRef<int64_t> sizes, TorchBuilder &b) {
  SmallVector<int64_t> own(sizes.size() - tensorType(x).getRank(), 1);
  llvm::append_range(own, tensorType(x).getSizes());
  while (own != sizes) {
    auto kinds = [&](int64_t first) {
      SmallVector<int64_t> kinds;
      for (auto [dim, size] : llvm::enumerate(own))
        kinds.push_back(size != 1 ? 0
                        : sizes[dim] == 1 || dim < static_cast<size_t>(first)
                            ? Runs::any
                            : 1);
      return kinds;
    };
    int64_t first = 0;
    while (!Runs(kinds(first)).areFew())
      ++first;
    Runs runs(kinds(first));
    Value before = viewAs(x, runs.merge(own), b);
    llvm::copy(ArrayRef(sizes).drop_front(first), own.begin() + first);
    auto grown = llvm::map_to_vector(runs.merge(own), [&](int64_t size) {
      return b.constant(ShapedType::isDynamic(size) ? -1 : size);
    });
    x = b.expand(before, grown);
  }
  return x;
}

Value expand(AtenExpandOp op, TorchBuilder &b) {
  Value x = op.getSelf();
  ArrayRef<int64_t> sizes = tensorType(op).getSizes(),
                    own = tensorType(x).getSizes();
  auto asked = matchList(op.getSize());
  if (!asked)
    return {};
  int64_t added = sizes.size() - own.size();
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    int64_t from = static_cast<int64_t>(dim) - added;
    int64_t before = from < 0 ? 1 : own[from];
    bool isOpen = ShapedType::isDynamic(size) || ShapedType::isDynamic(before);
    // An open size that does not stay may be a 1 that grows.
    if (isOpen && (size != before || !isSizeOf((*asked)[dim], x, from)))
      return {};
  }
  return viewAs(expand(x, sizes, b), sizes, b);
}

//===----------------------------------------------------------------------===//
// Pointwise ops
//===----------------------------------------------------------------------===//

bool isTensor(Value value) { return isa<ValueTensorType>(value.getType()); }

/// Dims merge where each operand has all or none of them.
Value pointwise(Operation *op, TorchBuilder &b) {
  ArrayRef<int64_t> sizes = tensorType(op->getResult(0)).getSizes();
  auto tensors =
      llvm::to_vector(llvm::make_filter_range(op->getOperands(), isTensor));
  SmallVector<int64_t> kinds;
  bool isKnown = true;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    size_t fromEnd = sizes.size() - dim;
    int64_t missing = 0, open = 0;
    for (auto [index, tensor] : llvm::enumerate(tensors)) {
      ArrayRef<int64_t> own = tensorType(tensor).getSizes();
      int64_t ownSize = fromEnd > own.size() ? 1 : own[own.size() - fromEnd];
      open += ShapedType::isDynamic(ownSize);
      if (ownSize == 1)
        missing |= int64_t(1) << index;
    }
    // Of several open sizes, some may be a 1 that is broadcast.
    bool isCertain = open == 0 || (open == 1 && ShapedType::isDynamic(size));
    isKnown &= isCertain;
    kinds.push_back(size == 1   ? Runs::any
                    : isCertain ? missing
                                : (int64_t(1) << 32) + dim);
  }
  Runs runs(kinds);
  if (!runs.areFew() && !isKnown)
    return {};
  SmallVector<Value> operands(op->getOperands());
  if (!runs.areFew()) {
    for (Value &operand : operands)
      if (isTensor(operand) && !hasOneElement(operand))
        operand = expand(operand, sizes, b);
    runs = Runs(SmallVector<int64_t>(sizes.size(), 0));
  }
  for (Value &operand : operands)
    if (isTensor(operand))
      operand = merged(operand, runs, b);
  return b.rebuild(op, operands);
}

//===----------------------------------------------------------------------===//
// Reductions and ops along a dim
//===----------------------------------------------------------------------===//

/// Reduces as many of the last dims at once as few dims allow.
Value reduce(Operation *op, SmallVector<bool> isReduced, TorchBuilder &b) {
  Value x = op->getOperand(0);
  SmallVector<int64_t> sizes(tensorType(x).getSizes());
  int64_t rank = sizes.size();
  bool takesList = isa<AtenAmaxOp, AtenAminOp, AtenSumDimIntListOp>(op);
  Type dtype = tensorType(op->getResult(0)).getDtype();
  bool rounds = isa<AtenSumDimIntListOp, AtenProdDimIntOp>(op) &&
                isa<mlir::FloatType>(dtype) &&
                dtype.getIntOrFloatBitWidth() < 32;
  int64_t first = rank;
  do {
    int64_t before = first;
    auto runsFrom = [&](int64_t first) {
      SmallVector<int64_t> kinds;
      for (int64_t dim = 0; dim < rank; ++dim)
        kinds.push_back(sizes[dim] == 1 ? Runs::any
                                        : isReduced[dim] && dim >= first);
      return Runs(kinds);
    };
    first = 0;
    while (!runsFrom(first).areFew())
      ++first;
    if (first && rounds) // its sums of parts would be rounded
      return {};
    Runs runs = runsFrom(first);
    SmallVector<int64_t> mergedSizes = runs.merge(sizes), dims;
    for (int64_t dim = first; dim < before; ++dim)
      if (isReduced[dim] && sizes[dim] != 1 &&
          (dims.empty() || dims.back() != runs.runOf(dim)))
        dims.push_back(runs.runOf(dim));
    if (dims.empty()) { // all have size 1
      dims.push_back(mergedSizes.size());
      mergedSizes.push_back(1);
    }
    SmallVector<Value> operands(op->getOperands());
    operands[0] = viewAs(x, mergedSizes, b);
    operands[1] = takesList ? b.ints(dims) : b.constant(dims.front());
    operands[2] = b.constantBool(false);
    x = b.rebuild(op, operands);
    for (int64_t dim = first; dim < before; ++dim)
      if (isReduced[dim])
        sizes[dim] = 1;
  } while (first);
  return x;
}

template <typename Arguments, typename Op>
Value reduce(Op op, TorchBuilder &b) {
  auto arguments = Arguments::read(op);
  int64_t rank = tensorType(op.getSelf()).getRank();
  if (!arguments)
    return {};
  SmallVector<bool> isReduced = arguments->mask(rank);
  if constexpr (std::is_same_v<Arguments, ArgReductionArguments>)
    if (arguments->isFlat)
      isReduced.assign(rank, true);
  return reduce(op, isReduced, b);
}

/// cumsum, index_select, slice ...
Value along(Operation *op, TorchBuilder &b) {
  ValueTensorType type = tensorType(op->getOperand(0));
  std::optional<int64_t> dim = onlyDim(op, type.getRank());
  if (!dim)
    return {};
  Runs runs = runsAround(*dim, type.getSizes());
  SmallVector<Value> operands(op->getOperands());
  operands[0] = viewAs(operands[0], runs.merge(operands[0]), b);
  operands[1] = b.constant(runs.runOf(*dim));
  return b.rebuild(op, operands);
}

Value cat(AtenCatOp op, TorchBuilder &b) {
  auto tensors = matchList(op.getTensors());
  ValueTensorType type = tensorType(op);
  std::optional<int64_t> dim = onlyDim(op, type.getRank());
  // PyTorch skips empty tensors of rank 1.
  if (!tensors || !dim || !llvm::all_of(*tensors, [&](Value tensor) {
        return isViewable(tensorType(tensor)) &&
               tensorType(tensor).getRank() == type.getRank();
      }))
    return {};
  Runs runs = runsAround(*dim, type.getSizes());
  for (Value &tensor : *tensors)
    tensor = viewAs(tensor, runs.merge(tensor), b);
  return b.cat(*tensors, runs.runOf(*dim));
}

/// A flip of neighbours is a flip of one dim.
Value flip(AtenFlipOp op, TorchBuilder &b) {
  ArrayRef<int64_t> sizes = tensorType(op).getSizes();
  std::optional<SmallVector<int64_t>> dims = matchInts(op.getDims());
  if (!dims)
    return {};
  SmallVector<int64_t> kinds = ofOneKind(sizes);
  for (int64_t dim : *dims)
    if (int64_t &kind = kinds[normalDim(dim, sizes.size())]; kind == 0)
      kind = 1;
  Runs runs(kinds);
  if (!runs.areFew())
    return {};
  SmallVector<int64_t> flipped;
  for (auto [dim, kind] : llvm::enumerate(kinds))
    if (kind == 1 && !llvm::is_contained(flipped, runs.runOf(dim)))
      flipped.push_back(runs.runOf(dim));
  Value x = viewAs(op.getSelf(), runs.merge(op.getSelf()), b);
  return b.create<AtenFlipOp>(x, b.ints(flipped));
}

/// Dims that are padded stay alone.
Value pad(AtenConstantPadNdOp op, TorchBuilder &b) {
  ArrayRef<int64_t> sizes = tensorType(op.getSelf()).getSizes();
  std::optional<SmallVector<int64_t>> pads = matchInts(op.getPad());
  if (!pads)
    return {};
  SmallVector<int64_t> kinds = ofOneKind(sizes);
  // Pairs from the last dim backwards.
  auto isPadded = [&](size_t pair) {
    return (*pads)[2 * pair] != 0 || (*pads)[2 * pair + 1] != 0;
  };
  for (size_t pair = 0; pair < pads->size() / 2; ++pair)
    if (isPadded(pair))
      kinds[sizes.size() - 1 - pair] = 1 + pair;
  Runs runs(kinds);
  if (!runs.areFew())
    return {};
  SmallVector<int64_t> merged(2 * runs.size(), 0);
  for (size_t pair = 0; pair < pads->size() / 2; ++pair)
    if (isPadded(pair)) {
      int64_t run = runs.runOf(sizes.size() - 1 - pair);
      auto place = merged.end() - 2 * (run + 1);
      llvm::copy(ArrayRef(*pads).slice(2 * pair, 2), place);
    }
  Value x = viewAs(op.getSelf(), runs.merge(sizes), b);
  return b.create<AtenConstantPadNdOp>(x, b.ints(merged), op.getValue());
}

Value full(AtenFullOp op, TorchBuilder &b) {
  ValueTensorType type = tensorType(op);
  if (!type.hasStaticShape())
    return {};
  SmallVector<Value> operands(op->getOperands());
  operands[0] = b.ints({countOf(type)});
  return b.rebuild(op, operands);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The result of an op as an op on few dims, with any shape; null if there is
/// none.
Value onFewDims(Operation *op, TorchBuilder &b) {
  if (isPointwise(op))
    return pointwise(op, b);
  return TypeSwitch<Operation *, Value>(op)
      .Case<AtenBitwiseLeftShiftTensorOp, AtenBitwiseRightShiftTensorOp,
            PrimsConvertElementTypeOp>(
          [&](auto op) { return pointwise(op, b); })
      .Case<AtenAmaxOp, AtenAminOp, AtenProdDimIntOp, AtenSumDimIntListOp>(
          [&](auto op) { return reduce<ReductionArguments>(op, b); })
      .Case<AtenArgmaxOp, AtenArgminOp>(
          [&](auto op) { return reduce<ArgReductionArguments>(op, b); })
      .Case<AtenCumprodOp, AtenCumsumOp, AtenIndexSelectOp, AtenSliceTensorOp>(
          [&](auto op) { return along(op, b); })
      .Case([&](AtenCatOp op) { return cat(op, b); })
      .Case([&](AtenConstantPadNdOp op) { return pad(op, b); })
      .Case([&](AtenExpandOp op) { return expand(op, b); })
      .Case([&](AtenFlipOp op) { return flip(op, b); })
      .Case([&](AtenFullOp op) { return full(op, b); })
      .Case([&](AtenPermuteOp op) { return permute(op, b); })
      .Default([](Operation *) { return Value(); });
}

/// Whether a predicate is true of any tensor that an op takes or gives.
bool anyTensor(Operation *op, function_ref<bool(ValueTensorType)> predicate) {
  auto holds = [&](Type type) {
    auto tensor = dyn_cast<ValueTensorType>(type);
    return tensor && predicate(tensor);
  };
  return llvm::any_of(op->getOperandTypes(), holds) ||
         llvm::any_of(op->getResultTypes(), holds);
}

bool hasManyDims(ValueTensorType type) {
  return type.hasRank() && type.getRank() > mostDims;
}

struct LimitTorchRank : isthmus::impl::LimitTorchRankBase<LimitTorchRank> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (anyTensor(op, hasManyDims))
        ops.push_back(op);
    });
    if (ops.empty())
      return;
    for (Operation *op : ops)
      limit(op);
    eraseUnused(getOperation());
  }

private:
  static void limit(Operation *op) {
    if (isReshape(op)) {
      fold(op);
      return;
    }
    if (op->getNumResults() != 1 || anyTensor(op, std::not_fn(isViewable)))
      return;
    Operation *before = op->getPrevNode();
    OpBuilder builder(op);
    TorchBuilder b(builder, op->getLoc());
    Value result = op->getResult(0);
    Value few = onFewDims(op, b);
    if (!few || !b.error().empty())
      return;
    if (few.getType() != result.getType())
      few = viewAs(few, tensorType(result).getSizes(), b);
    if (few.getType() == result.getType())
      result.replaceAllUsesWith(few);
    auto made =
        before ? std::next(before->getIterator()) : op->getBlock()->begin();
    while (made != op->getIterator())
      if (Operation &next = *made++; isReshape(&next))
        fold(&next);
  }

  static bool isReshape(Operation *op) {
    return isa<AtenUnsqueezeOp, AtenViewOp, PrimsSqueezeOp>(op);
  }

  /// Makes a view of a view the view of its origin.
  static void fold(Operation *op) {
    OpBuilder builder(op);
    TorchBuilder b(builder, op->getLoc());
    Value result = op->getResult(0);
    // Without a use of the sizes that the program reads from a tensor.
    Operation *view = op;
    if (isViewable(tensorType(result)))
      view = viewAs(op->getOperand(0), tensorType(result).getSizes(), b)
                 .getDefiningOp();
    Value simpler = simplifyView(view, b);
    if (!simpler)
      simpler = evaluate(view, b);
    if (simpler && simpler.getType() == result.getType())
      result.replaceAllUsesWith(simpler);
  }
};

} // namespace
