//===- View.cpp - Ops that rearrange elements to MHLO ---------------------===//

#include "Families.h"
#include "isthmus/Dialect/Sdy/Sdy.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;

namespace {

/// Static sizes of the type replace those computed at run time.
void refine(Sizes &sizes, RankedTensorType type) {
  for (auto [size, known] : llvm::zip_equal(sizes, type.getShape()))
    if (!ShapedType::isDynamic(known))
      size = known;
}

FailureOr<Value> lowerCat(torch::AtenCatOp op, torch::AtenCatOp::Adaptor,
                          HloBuilder &b) {
  std::optional<int64_t> dim = torch::matchInt(op.getDim());
  FailureOr<SmallVector<Value>> tensors = b.convertedElements(op.getTensors());
  if (failed(tensors) || !dim)
    return b.decline()
           << "expected a list and a dim that are known while compiling";
  RankedTensorType type = b.resultType();
  SmallVector<Value> inputs;
  for (Value tensor : *tensors) {
    // PyTorch skips tensors of shape [0], whatever the rank of the others.
    if (b.rank(tensor) != type.getRank())
      continue;
    inputs.push_back(b.convert(tensor, type.getElementType()));
  }
  int64_t along = torch::normalDim(*dim, type.getRank());
  // Sizes that torch does not know can be known here.
  for (int64_t other = 0; other < type.getRank(); ++other) {
    std::optional<int64_t> size;
    for (Value input : inputs) {
      int64_t own = b.type(input).getDimSize(other);
      if (other == along || ShapedType::isDynamic(own))
        continue;
      if (size && *size != own)
        return b.decline() << "expected tensors of one size in dim " << other
                           << ", got " << *size << " and " << own;
      size = own;
    }
  }
  return b.concatenate(inputs, along);
}

/// pad lists (low, high) pairs from the last dim backwards.
FailureOr<Value> lowerPad(torch::AtenConstantPadNdOp op,
                          torch::AtenConstantPadNdOp::Adaptor in,
                          HloBuilder &b) {
  FailureOr<Sizes> pads = sizesOfList(b, op.getPad());
  if (failed(pads))
    return b.decline() << "expected a constructed list of paddings";
  Value self = in.getSelf();
  int64_t rank = b.rank(self);
  Sizes low(rank, 0), high(rank, 0);
  for (size_t i = 0; i + 1 < pads->size(); i += 2) {
    low[rank - 1 - i / 2] = (*pads)[i];
    high[rank - 1 - i / 2] = (*pads)[i + 1];
  }
  Value fill = number(b, op.getValue(), in.getValue(), b.elementType(self));
  return b.pad(self, fill, low, high);
}

/// expand(size): right-aligned; -1 keeps the size.
FailureOr<Value> lowerExpand(torch::AtenExpandOp op,
                             torch::AtenExpandOp::Adaptor in, HloBuilder &b) {
  FailureOr<Sizes> shape = sizesOfList(b, op.getSize());
  if (failed(shape))
    return b.decline() << torch::kListOfSizes;
  Value self = in.getSelf();
  int64_t lead = shape->size() - b.rank(self);
  for (auto [dim, size] : llvm::enumerate(*shape))
    if (size.isNumber(-1))
      size = b.sizes.sizeOf(self, dim - lead);
  refine(*shape, b.resultType());
  return b.broadcastTo(self, *shape);
}

FailureOr<Value> lowerFlip(torch::AtenFlipOp op, torch::AtenFlipOp::Adaptor in,
                           HloBuilder &b) {
  auto dims = torch::matchInts(op.getDims());
  if (!dims)
    return b.decline() << torch::kConstantDims;
  for (int64_t &dim : *dims)
    dim = torch::normalDim(dim, b.rank(in.getSelf()));
  return b.create<mhlo::ReverseOp>(in.getSelf(), b.dimsAttr(*dims));
}

FailureOr<Value> lowerPermute(torch::AtenPermuteOp op,
                              torch::AtenPermuteOp::Adaptor in, HloBuilder &b) {
  auto dims = torch::matchInts(op.getDims());
  if (!dims)
    return b.decline() << torch::kConstantDims;
  for (int64_t &dim : *dims)
    dim = torch::normalDim(dim, b.rank(in.getSelf()));
  return b.transpose(in.getSelf(), *dims);
}

/// A bound as in PyTorch: negative counts from the end, and both bounds are
/// clamped to the size.
Size sliceBound(HloBuilder &b, Value original, Value converted, Size size) {
  Size bound = sizeOfInt(original, converted);
  if (bound.isKnown()) {
    // Exporters write the largest int64 for "to the end".
    if (bound.getNumber() == std::numeric_limits<int64_t>::max())
      return size;
    if (bound.isNumber(0))
      return bound;
    if (bound.getNumber() > 0)
      return b.sizes.min(bound, size);
    bound = b.sizes.add(size, bound);
  } else {
    Value zero = b.sizes.materialize(Size(0));
    Value isNegative =
        b.compare(hlo::ComparisonDirection::LT, bound.getValue(), zero);
    bound = b.select(isNegative, b.sizes.materialize(b.sizes.add(bound, size)),
                     bound.getValue());
  }
  return torch::clampBound(b.sizes, bound, size);
}

/// Elements start, start + step ... below end. Negative bounds count from the
/// end; bounds outside are clamped.
FailureOr<Value> lowerSlice(torch::AtenSliceTensorOp op,
                            torch::AtenSliceTensorOp::Adaptor in,
                            HloBuilder &b) {
  std::optional<int64_t> dim = torch::matchInt(op.getDim());
  std::optional<int64_t> step = torch::matchInt(op.getStep());
  if (!dim || !step)
    return b.decline()
           << "expected a dim and a step that are known while compiling";
  Value self = in.getSelf();
  int64_t place = torch::normalDim(*dim, b.rank(self));
  Size size = b.sizes.sizeOf(self, place);
  int64_t count = b.resultType().getDimSize(place);
  bool isOfElements =
      torch::isOfElements(op.getStart()) || torch::isOfElements(op.getEnd());
  if (isOfElements && ShapedType::isDynamic(count))
    return b.decline() << kDependsOnData;
  Size start = torch::isNone(op.getStart())
                   ? Size(0)
                   : sliceBound(b, op.getStart(), in.getStart(), size);
  if (isOfElements) {
    Type index = b.getBuilder().getI64Type();
    Value first = b.broadcastScalar(b.sizes.materialize(start), {count});
    Value steps = b.create<mhlo::MulOp>(
        b.iota({count}, 0, index),
        b.broadcastScalar(b.sizes.materialize(Size(*step)), {count}));
    return selectSlices(b, self, b.create<mhlo::AddOp>(first, steps), place);
  }
  Size end = torch::isNone(op.getEnd())
                 ? size
                 : sliceBound(b, op.getEnd(), in.getEnd(), size);
  return b.sliceDim(self, place, start, b.sizes.max(start, end), *step);
}

/// Removes the given dims, which have size one.
FailureOr<Value> lowerSqueeze(torch::PrimsSqueezeOp op,
                              torch::PrimsSqueezeOp::Adaptor in,
                              HloBuilder &b) {
  auto dims = torch::matchInts(op.getDimensions());
  if (!dims)
    return b.decline() << torch::kConstantDims;
  Value self = in.getA();
  for (int64_t &dim : *dims)
    dim = torch::normalDim(dim, b.rank(self));
  RankedTensorType type = b.resultType();
  // The rank of the result tells whether dims of unknown size are one.
  bool dropsUnknown =
      type.getRank() ==
      b.rank(self) - llvm::count_if(dimsUpTo(b.rank(self)), [&](int64_t dim) {
        int64_t size = b.type(self).getDimSize(dim);
        return llvm::is_contained(*dims, dim) &&
               (size == 1 || ShapedType::isDynamic(size));
      });
  Sizes shape;
  for (auto [dim, size] : llvm::enumerate(b.type(self).getShape())) {
    bool drops = size == 1 || (dropsUnknown && ShapedType::isDynamic(size));
    if (!llvm::is_contained(*dims, dim) || !drops)
      shape.push_back(b.sizes.sizeOf(self, dim));
  }
  return b.reshape(self, shape);
}

FailureOr<Value> lowerUnsqueeze(torch::AtenUnsqueezeOp op,
                                torch::AtenUnsqueezeOp::Adaptor in,
                                HloBuilder &b) {
  std::optional<int64_t> dim = torch::matchInt(op.getDim());
  if (!dim)
    return b.decline() << torch::kConstantDim;
  Value self = in.getSelf();
  Sizes shape = b.sizes.sizesOf(self);
  shape.insert(shape.begin() + torch::normalDim(*dim, b.rank(self) + 1),
               Size(1));
  return b.reshape(self, shape);
}

/// product(all) / product(others), after common factors are cancelled.
Size remaining(HloBuilder &b, Sizes all, Sizes others) {
  llvm::erase_if(others, [&](Size other) {
    auto *same =
        llvm::find_if(all, [&](Size size) { return areSame(size, other); });
    if (same == all.end() || other.isNumber(0))
      return false;
    all.erase(same);
    return true;
  });
  return b.sizes.floorDiv(b.sizes.product(all), b.sizes.product(others));
}

/// view(size): the same elements in order; -1 is inferred from the other sizes.
FailureOr<Value> lowerView(torch::AtenViewOp op, torch::AtenViewOp::Adaptor in,
                           HloBuilder &b) {
  FailureOr<Sizes> shape = sizesOfList(b, op.getSize());
  if (failed(shape))
    return b.decline() << torch::kListOfSizes;
  Value self = in.getSelf();
  refine(*shape, b.resultType());
  for (size_t i = 0; i < shape->size(); ++i) {
    if (!(*shape)[i].isNumber(-1))
      continue;
    Sizes others = *shape;
    others.erase(others.begin() + i);
    (*shape)[i] = remaining(b, b.sizes.sizesOf(self), others);
  }
  return b.reshape(self, *shape);
}

Value bitcast(HloBuilder &b, Value x, Type to) {
  unsigned from = b.elementType(x).getIntOrFloatBitWidth(),
           width = to.getIntOrFloatBitWidth();
  Sizes whole = b.sizes.sizesOf(x), pieces;
  SmallVector<int64_t> shape(b.type(x).getShape());
  if (from > width) {
    pieces = whole;
    whole.back() = b.sizes.mul(whole.back(), from / width);
    shape.push_back(from / width);
  } else if (from < width) {
    whole.back() = b.sizes.floorDiv(whole.back(), width / from);
    pieces = whole;
    pieces.push_back(width / from);
    x = b.reshape(x, pieces);
    shape.assign(b.type(x).getShape().drop_back().begin(),
                 b.type(x).getShape().drop_back().end());
  }
  Value y =
      b.create<mhlo::BitcastConvertOp>(RankedTensorType::get(shape, to), x);
  return from > width ? b.reshape(y, whole) : y;
}

/// The same bytes as elements of another dtype. bitcast_convert puts the
/// narrower elements of a wider one into a last dim; a bool is a byte, and any
/// nonzero byte is true.
FailureOr<Value> lowerViewDtype(torch::AtenViewDtypeOp,
                                torch::AtenViewDtypeOp::Adaptor in,
                                HloBuilder &b) {
  Value x = in.getSelf();
  Type from = b.elementType(x), to = b.resultType().getElementType();
  if (isa<ComplexType>(from) || isa<ComplexType>(to))
    return b.decline() << "expected real numbers, got "
                       << (isa<ComplexType>(from) ? from : to);
  if (from == to)
    return x;
  Type byte = b.getBuilder().getI8Type();
  if (from.isInteger(1))
    x = b.convert(x, byte);
  Value y = bitcast(b, x, to.isInteger(1) ? byte : to);
  return b.convert(y, to); // for i1: not zero
}

/// Shardy's constraint, which XLA reads beside MHLO and StableHLO.
FailureOr<Value>
lowerShardingConstraint(torch::ShardingConstraintOp op,
                        torch::ShardingConstraintOp::Adaptor in,
                        HloBuilder &b) {
  auto sharding = dyn_cast<sdy::TensorShardingAttr>(op.getSharding());
  if (!sharding)
    return b.decline() << "expected a sharding of Shardy, got "
                       << op.getSharding();
  return b.create<sdy::ShardingConstraintOp>(in.getSelf(), sharding);
}

} // namespace

void torch_to_mhlo::populateView(HloLowerings &lowerings) {
  lowerings.add(lowerCat, lowerPad, lowerExpand, lowerFlip, lowerPermute,
                lowerShardingConstraint, lowerSlice, lowerSqueeze,
                lowerForward<torch::TensorStaticInfoCastOp, HloBuilder>,
                lowerUnsqueeze, lowerViewDtype, lowerView);
}
