//===- View.cpp - Views and rearrangements to tensor ops ------------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Dialect/Torch/TorchBuilder.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;
using namespace isthmus::torch;

namespace {

/// True for an int whose sign is unknown: it depends on tensor elements, or
/// comes from outside of this block, unlike in torch::isOfElements.
bool readsElements(Value integer) {
  SmallVector<Value> values{integer};
  llvm::SmallDenseSet<Value> seen;
  while (!values.empty()) {
    Value value = values.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (!op || isa<AtenIntTensorOp>(op))
      return true;
    if (!isa<AtenSizeIntOp>(op))
      llvm::append_range(values, op->getOperands());
  }
  return false;
}

/// Infers, at run time, a size that may be -1 from the other sizes.
void inferAtRunTime(ArrayRef<Value> ints, Value self, Sizes &sizes,
                    LinalgBuilder &b) {
  SmallVector<bool> isOpen;
  for (auto [integer, size] : llvm::zip_equal(ints, sizes))
    isOpen.push_back(!b.sizes.isNeverNegative(size) && readsElements(integer));
  if (!llvm::is_contained(isOpen, true))
    return;
  Value one = b.sizes.toIndex(b.sizes.constant(1));
  SmallVector<Value> isInferred(sizes.size());
  Size others = b.sizes.constant(1);
  for (auto [size, open, inferred] :
       llvm::zip_equal(sizes, isOpen, isInferred)) {
    if (!open) {
      others = b.sizes.mul(others, size);
      continue;
    }
    Value value = b.sizes.toIndex(size);
    inferred = b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, value,
                                       b.sizes.toIndex(b.sizes.constant(-1)));
    Size other = b.create<arith::SelectOp>(inferred, one, value).getResult();
    b.checkNotNegative(other);
    others = b.sizes.mul(others, other);
  }
  Size divisor = b.sizes.max(others, b.sizes.constant(1));
  Size rest = b.sizes.floorDiv(b.sizes.product(b.sizes.of(self)), divisor);
  for (auto [size, inferred] : llvm::zip_equal(sizes, isInferred))
    if (inferred)
      size = b.create<arith::SelectOp>(inferred, b.sizes.toIndex(rest),
                                       b.sizes.toIndex(size))
                 .getResult();
}

/// view: one size may be -1, which is inferred.
FailureOr<Value> lowerView(AtenViewOp op, AtenViewOp::Adaptor in,
                           LinalgBuilder &b) {
  std::optional<Sizes> sizes = sizeList(op.getSize(), b);
  if (!sizes)
    return b.decline() << kListOfSizes;
  for (Size &size : *sizes)
    if (isKnown(size, -1))
      size = Size();
  refine(*sizes, op.getResult(), b);
  if (llvm::all_of(*sizes, [](Size size) { return bool(size); }))
    inferAtRunTime(*matchList(op.getSize()), in.getSelf(), *sizes, b);
  return b.reshape(in.getSelf(), *sizes);
}

FailureOr<Value> lowerUnsqueeze(AtenUnsqueezeOp op, AtenUnsqueezeOp::Adaptor in,
                                LinalgBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.decline() << kConstantDim;
  Sizes sizes = b.sizes.of(in.getSelf());
  sizes.insert(sizes.begin() + normalDim(*dim, sizes.size() + 1),
               b.sizes.constant(1));
  return b.reshape(in.getSelf(), sizes);
}

/// prims.squeeze: removes dims of size 1. A dynamic size is treated as 1, as in
/// the type rule.
FailureOr<Value> lowerSqueeze(PrimsSqueezeOp op, PrimsSqueezeOp::Adaptor in,
                              LinalgBuilder &b) {
  std::optional<SmallVector<int64_t>> dims = matchInts(op.getDimensions());
  if (!dims)
    return b.decline() << kConstantDims;
  RankedTensorType type = typeOf(in.getA());
  int64_t rank = type.getRank();
  Sizes sizes = b.sizes.of(in.getA());
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t dim : *dims) {
    if (rank == 0)
      break;
    int64_t number = normalDim(dim, rank);
    if (ShapedType::isDynamic(shape[number]))
      shape[number] = 1;
    if (shape[number] == 1)
      sizes[number] = Size();
  }
  llvm::erase_if(sizes, [](Size size) { return !size; });
  return b.reshape(b.cast(in.getA(), type.clone(shape)), sizes);
}

/// expand: a size of -1 keeps the dim.
FailureOr<Value> lowerExpand(AtenExpandOp op, AtenExpandOp::Adaptor in,
                             LinalgBuilder &b) {
  std::optional<Sizes> sizes = sizeList(op.getSize(), b);
  if (!sizes)
    return b.decline() << kListOfSizes;
  Sizes own = b.sizes.of(in.getSelf());
  size_t offset = sizes->size() - own.size();
  for (auto [dim, size] : llvm::enumerate(own))
    if (isKnown((*sizes)[offset + dim], -1))
      (*sizes)[offset + dim] = size;
  refine(*sizes, op.getResult(), b);
  return b.broadcastTo(in.getSelf(), *sizes);
}

/// permute. If only dims of size 1 move, no element moves.
FailureOr<Value> lowerPermute(AtenPermuteOp op, AtenPermuteOp::Adaptor in,
                              LinalgBuilder &b) {
  std::optional<SmallVector<int64_t>> order = matchInts(op.getDims());
  if (!order)
    return b.decline() << kConstantDims;
  Sizes own = b.sizes.of(in.getSelf()), sizes;
  SmallVector<int64_t> moving;
  for (int64_t &dim : *order) {
    dim = normalDim(dim, own.size());
    sizes.push_back(own[dim]);
    if (!isKnown(own[dim], 1))
      moving.push_back(dim);
  }
  if (llvm::is_sorted(moving))
    return b.reshape(in.getSelf(), sizes);
  return b.transpose(in.getSelf(), *order);
}

/// A bound as in PyTorch: negative counts from the end, and both bounds are
/// clamped to the dim.
Size sliceBound(Value original, Value converted, Size size, Size absent,
                LinalgBuilder &b) {
  if (torch::isNone(original))
    return absent;
  Size bound = sizeOperand(original, converted, b);
  std::optional<int64_t> number = known(bound);
  if (number == 0)
    return bound;
  // Exporters write INT64_MAX for "to the end".
  if (number == std::numeric_limits<int64_t>::max())
    return size;
  if (number && *number < 0)
    return b.sizes.max(b.sizes.add(size, bound), b.sizes.constant(0));
  if (number)
    return b.sizes.min(bound, size);
  if (b.sizes.isNeverNegative(bound))
    return b.sizes.min(bound, size);
  // Clamped before the sum, which could overflow for arbitrary numbers.
  bound = b.sizes.min(bound, size);
  Value isNegative =
      b.create<arith::CmpIOp>(arith::CmpIPredicate::slt, b.sizes.toIndex(bound),
                              b.sizes.toIndex(b.sizes.constant(0)));
  Value fromEnd = b.sizes.toIndex(b.sizes.add(bound, size));
  bound = b.create<arith::SelectOp>(isNegative, fromEnd, b.sizes.toIndex(bound))
              .getResult();
  return b.sizes.max(bound, b.sizes.constant(0));
}

FailureOr<Value> lowerSlice(AtenSliceTensorOp op, AtenSliceTensorOp::Adaptor in,
                            LinalgBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim()),
                         step = matchInt(op.getStep());
  if (!dim || !step)
    return b.decline()
           << "expected a dim and a step that are known while compiling";
  Value self = in.getSelf();
  Sizes lengths = b.sizes.of(self);
  *dim = normalDim(*dim, lengths.size());
  Size &length = lengths[*dim];
  Size start =
      sliceBound(op.getStart(), in.getStart(), length, b.sizes.constant(0), b);
  Size end = sliceBound(op.getEnd(), in.getEnd(), length, length, b);
  if (isKnown(start, 0) && areSame(end, length) && *step == 1)
    return self;
  length = slicedSize(b.sizes, start, end, *step);
  if (int64_t number = tensorType(op.getResult()).getSizes()[*dim];
      !ShapedType::isDynamic(number)) {
    b.checkSame(length, b.sizes.constant(number),
                "a slice of size " + Twine(number));
    length = b.sizes.constant(number);
  }
  if (isKnown(length, 0)) // may start at the end, which MLIR rejects
    return b.empty(lengths, typeOf(self).getElementType());
  Sizes offsets(lengths.size(), b.sizes.constant(0)),
      steps(lengths.size(), b.sizes.constant(1));
  offsets[*dim] = start;
  steps[*dim] = b.sizes.constant(*step);
  return b.slice(self, offsets, lengths, steps);
}

/// cat: empty rank-1 tensors are skipped, as in PyTorch.
FailureOr<Value> lowerCat(AtenCatOp op, AtenCatOp::Adaptor in,
                          LinalgBuilder &b) {
  std::optional<SmallVector<Value>> originals = matchList(op.getTensors());
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!originals || !dim)
    return b.decline()
           << "expected a list and a dim that are known while compiling";
  auto converted = b.convertedElements(op.getTensors());
  if (failed(converted))
    return b.decline() << "expected tensors of known rank and dtype";
  Type dtype = dtypeOf(op.getResult());
  int64_t rank = tensorType(op.getResult()).getRank();
  SmallVector<Value> tensors;
  for (auto [original, tensor] : llvm::zip_equal(*originals, *converted)) {
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    if (!type)
      return b.decline() << "expected tensors of known rank and dtype, got "
                         << original.getType();
    if (type.getRank() == 1 && type.getDimSize(0) == 0)
      continue;
    tensors.push_back(b.convert(tensor, dtypeOf(original), dtype));
  }
  if (tensors.empty())
    return b.empty(b.sizes.constant(0), elementType(dtype));
  if (tensors.size() == 1)
    return tensors.front();
  *dim = normalDim(*dim, rank);
  for (Value tensor : ArrayRef(tensors).drop_front())
    for (int64_t other : llvm::seq(rank))
      if (other != *dim)
        b.checkSame(b.sizes.of(tensor, other),
                    b.sizes.of(tensors.front(), other),
                    "tensors of the same size in dim " + Twine(other));
  return b.create<tensor::ConcatOp>(*dim, tensors).getResult();
}

/// constant_pad_nd: pairs (before, after) from the last dim backwards; negative
/// numbers crop.
FailureOr<Value> lowerPad(AtenConstantPadNdOp op,
                          AtenConstantPadNdOp::Adaptor in, LinalgBuilder &b) {
  std::optional<Sizes> pads = sizeList(op.getPad(), b);
  if (!pads)
    return b.decline() << "expected pads in a list that is made by "
                          "torch.prim.ListConstruct";
  Type dtype = dtypeOf(op.getResult());
  size_t rank = typeOf(in.getSelf()).getRank();
  Sizes low(rank, b.sizes.constant(0)), high = low;
  for (size_t pair = 0; pair < pads->size() / 2; ++pair) {
    low[rank - 1 - pair] = (*pads)[2 * pair];
    high[rank - 1 - pair] = (*pads)[2 * pair + 1];
  }
  Value value = scalarOperand(op.getValue(), in.getValue(), b.elements(dtype));
  return b.pad(in.getSelf(), low, high, value);
}

/// flip: element i of a dim is element size - 1 - i.
FailureOr<Value> lowerFlip(AtenFlipOp op, AtenFlipOp::Adaptor in,
                           LinalgBuilder &b) {
  std::optional<SmallVector<int64_t>> dims = matchInts(op.getDims());
  if (!dims)
    return b.decline() << kConstantDims;
  Value self = in.getSelf();
  Sizes sizes = b.sizes.of(self);
  SmallVector<Value> last(sizes.size());
  for (int64_t dim : *dims) {
    int64_t number = normalDim(dim, sizes.size());
    last[number] =
        b.sizes.toIndex(b.sizes.sub(sizes[number], b.sizes.constant(1)));
  }
  return b.pointwise({}, sizes, typeOf(self).getElementType(),
                     [&](OpBuilder &body, Location loc, ValueRange) -> Value {
                       SmallVector<Value> at;
                       for (auto [dim, end] : llvm::enumerate(last)) {
                         Value index = b.index(body, dim);
                         at.push_back(
                             end ? arith::SubIOp::create(body, loc, end, index)
                                 : index);
                       }
                       return tensor::ExtractOp::create(body, loc, self, at);
                     });
}

} // namespace

void torch_to_linalg::populateView(LinalgLowerings &lowerings) {
  lowerings.add(lowerCat, lowerExpand, lowerFlip, lowerPermute, lowerSlice,
                lowerSqueeze, lowerUnsqueeze, lowerView);
  lowerings.addReal(lowerPad);
}
