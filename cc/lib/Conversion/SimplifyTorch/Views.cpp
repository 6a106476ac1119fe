//===- Views.cpp - Chains of views ----------------------------------------===//

#include "Simplifications.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include <limits>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

/// The dims of a list, as nonnegative numbers.
static std::optional<SmallVector<int64_t>> knownDims(Value list, int64_t rank) {
  std::optional<SmallVector<int64_t>> dims = matchInts(list);
  if (dims)
    for (int64_t &dim : *dims)
      dim = normalDim(dim, rank);
  return dims;
}

/// True if viewing a tensor of type `from` as `to` keeps its shape: all sizes
/// agree, and at most one of them is unknown.
static bool isSameShape(ValueTensorType from, ValueTensorType to) {
  if (!from.hasRank() || from.getSizes() != to.getSizes())
    return false;
  return llvm::count_if(to.getSizes(), ShapedType::isDynamic) <= 1 &&
         !llvm::is_contained(to.getSizes(), 0);
}

/// The operand of an op that only reshapes; null for other ops.
static Value behindReshape(Value value) {
  Operation *op = value.getDefiningOp();
  return op && isa<AtenViewOp, AtenUnsqueezeOp, PrimsSqueezeOp>(op)
             ? op->getOperand(0)
             : Value();
}

/// view(view(x)) = view(x)
static Value simplify(AtenViewOp op, TorchBuilder &b) {
  Value x = op.getSelf();
  if (isSameShape(tensorType(x), tensorType(op)))
    return x;
  if (Value origin = behindReshape(x))
    return isSameShape(tensorType(origin), tensorType(op))
               ? origin
               : b.create<AtenViewOp>(origin, op.getSize()).getResult();
  return {};
}

/// A reshape of a reshape to a known shape is one view.
static Value viewOfOrigin(Value x, Value result, TorchBuilder &b) {
  Value origin = behindReshape(x);
  ValueTensorType type = tensorType(result);
  if (!origin || !type.hasStaticShape())
    return {};
  if (isSameShape(tensorType(origin), type))
    return origin;
  return b.create<AtenViewOp>(origin, b.ints(type.getSizes()));
}

static Value simplify(AtenUnsqueezeOp op, TorchBuilder &b) {
  if (Value view = viewOfOrigin(op.getSelf(), op, b))
    return view;
  // unsqueeze(squeeze(x, [d]), d) = x
  auto squeeze = op.getSelf().getDefiningOp<PrimsSqueezeOp>();
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!squeeze || !dim)
    return {};
  int64_t rank = tensorType(squeeze.getA()).getRank();
  auto dims = knownDims(squeeze.getDimensions(), rank);
  bool cancels =
      dims && dims->size() == 1 && dims->front() == normalDim(*dim, rank);
  return cancels ? squeeze.getA() : Value();
}

static Value simplify(PrimsSqueezeOp op, TorchBuilder &b) {
  int64_t rank = tensorType(op.getA()).getRank();
  auto dims = knownDims(op.getDimensions(), rank);
  if (dims && dims->empty())
    return op.getA();
  if (Value view = viewOfOrigin(op.getA(), op, b))
    return view;
  // squeeze(unsqueeze(x, d), [d]) = x
  auto unsqueeze = op.getA().getDefiningOp<AtenUnsqueezeOp>();
  std::optional<int64_t> dim =
      unsqueeze ? matchInt(unsqueeze.getDim()) : std::nullopt;
  bool cancels = dim && dims && dims->size() == 1 &&
                 dims->front() == normalDim(*dim, rank);
  return cancels ? unsqueeze.getSelf() : Value();
}

Value simplify_torch::permuteFewerDims(Value x, ArrayRef<int64_t> order,
                                       TorchBuilder &b) {
  ArrayRef<int64_t> known = tensorType(x).getSizes();
  if (order.size() <= mostDims)
    return {};
  auto moves = [&](int64_t dim) { return known[dim] != 1; };
  // Each group in the order of the result.
  SmallVector<SmallVector<int64_t>> groups;
  for (int64_t dim : llvm::make_filter_range(order, moves)) {
    bool follows =
        !groups.empty() && groups.back().back() < dim &&
        llvm::none_of(llvm::seq(groups.back().back() + 1, dim), moves);
    if (!follows)
      groups.emplace_back();
    groups.back().push_back(dim);
  }
  if (groups.empty() || groups.size() > mostDims)
    return {};
  SmallVector<Value> sizes = b.sizes(x), merged, permuted;
  auto before = llvm::to_vector(llvm::seq<int64_t>(0, groups.size()));
  llvm::sort(before, [&](int64_t i, int64_t j) {
    return groups[i].front() < groups[j].front();
  });
  SmallVector<int64_t> moved(groups.size());
  for (auto [place, group] : llvm::enumerate(before)) {
    moved[group] = place;
    merged.push_back(b.product(llvm::map_to_vector(
        groups[group], [&](int64_t dim) { return sizes[dim]; })));
  }
  for (int64_t dim : order)
    permuted.push_back(sizes[dim]);
  return b.view(b.permute(b.view(x, merged), moved), permuted);
}

/// permute(permute(x, p), q) = permute(x, p[q])
static Value simplify(AtenPermuteOp op, TorchBuilder &b) {
  int64_t rank = tensorType(op.getSelf()).getRank();
  auto order = knownDims(op.getDims(), rank);
  if (!order)
    return {};
  if (llvm::equal(*order, llvm::seq<int64_t>(0, rank)))
    return op.getSelf();
  if (Value permuted =
          simplify_torch::permuteFewerDims(op.getSelf(), *order, b))
    return permuted;
  auto inner = op.getSelf().getDefiningOp<AtenPermuteOp>();
  auto innerOrder = inner ? knownDims(inner.getDims(), rank) : std::nullopt;
  if (!innerOrder)
    return {};
  for (int64_t &dim : *order)
    dim = (*innerOrder)[dim];
  return b.permute(inner.getSelf(), *order);
}

/// expand(x, x.sizes) = x; expand(expand(x, s), t) = expand(x, t), since sizes
/// of s other than 1 are also in t; unknown sizes that do not change are -1.
static Value simplify(AtenExpandOp op, TorchBuilder &b) {
  Value x = op.getSelf();
  auto sizes = matchList(op.getSize());
  if (!sizes)
    return {};
  int64_t rank = tensorType(x).getRank();
  size_t leading = sizes->size() - rank;
  bool isSame = leading == 0, changes = false;
  for (int64_t dim = 0; dim < rank; ++dim) {
    Value &size = (*sizes)[leading + dim];
    if (!simplify_torch::isOwnSize(size, x, dim, b)) {
      isSame = false;
    } else if (!matchInt(size)) {
      size = b.constant(-1);
      changes = true;
    }
  }
  if (isSame)
    return x;
  auto inner = x.getDefiningOp<AtenExpandOp>();
  auto innerSizes = inner ? matchList(inner.getSize()) : std::nullopt;
  if (!innerSizes)
    return changes ? b.expand(x, *sizes) : Value();
  size_t added = sizes->size() - innerSizes->size();
  for (auto [dim, size] : llvm::enumerate(*innerSizes))
    if (matchInt((*sizes)[added + dim]) == -1)
      (*sizes)[added + dim] = size;
  // A -1 for a dim added by the inner expand would have no size to keep.
  return b.expand(inner.getSelf(), *sizes);
}

/// slice(x, dim, 0, size, 1) = x
static Value simplify(AtenSliceTensorOp op, TorchBuilder &) {
  Value x = op.getSelf();
  std::optional<int64_t> dim = matchInt(op.getDim()),
                         start = matchInt(op.getStart());
  if (!dim || matchInt(op.getStep()) != 1 || !tensorType(x).hasRank() ||
      !(isNone(op.getStart()) || start == 0))
    return {};
  int64_t rank = tensorType(x).getRank(), normal = normalDim(*dim, rank);
  std::optional<int64_t> end = matchInt(op.getEnd());
  int64_t size = tensorType(x).getSizes()[normal];
  bool isToTheEnd = isNone(op.getEnd()) ||
                    end == std::numeric_limits<int64_t>::max() ||
                    (end && !ShapedType::isDynamic(size) && *end >= size) ||
                    (!end && isSizeOf(op.getEnd(), x, normal));
  return isToTheEnd ? x : Value();
}

/// cat([x]) = x; empty tensors add nothing.
static Value simplify(AtenCatOp op, TorchBuilder &b) {
  auto tensors = matchList(op.getTensors());
  std::optional<int64_t> dim = matchInt(op.getDim());
  ValueTensorType type = tensorType(op);
  if (!tensors || !dim || !type.hasRank())
    return {};
  int64_t normal = normalDim(*dim, type.getRank());
  size_t all = tensors->size();
  llvm::erase_if(*tensors, [&](Value tensor) {
    ValueTensorType part = tensorType(tensor);
    return part.getRank() == type.getRank() && part.getSizes()[normal] == 0 &&
           part.getDtype() == type.getDtype();
  });
  if (tensors->size() == 1 &&
      tensorType(tensors->front()).getDtype() == type.getDtype())
    return tensors->front();
  return tensors->empty() || tensors->size() == all ? Value()
                                                    : b.cat(*tensors, normal);
}

static Value simplify(AtenFlipOp op, TorchBuilder &) {
  auto dims = matchInts(op.getDims());
  return dims && dims->empty() ? op.getSelf() : Value();
}

static Value simplify(AtenConstantPadNdOp op, TorchBuilder &) {
  auto pads = matchInts(op.getPad());
  return pads && llvm::all_of(*pads, [](int64_t pad) { return pad == 0; })
             ? op.getSelf()
             : Value();
}

Value simplify_torch::simplifyView(Operation *op, TorchBuilder &b) {
  return TypeSwitch<Operation *, Value>(op)
      .Case<AtenCatOp, AtenConstantPadNdOp, AtenExpandOp, AtenFlipOp,
            AtenPermuteOp, AtenSliceTensorOp, AtenUnsqueezeOp, AtenViewOp,
            PrimsSqueezeOp>([&](auto view) { return simplify(view, b); })
      .Default([](Operation *) { return Value(); });
}
