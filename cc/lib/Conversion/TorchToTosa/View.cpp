//===- View.cpp - ATen ops that rearrange elements to TOSA ----------------===//

#include "Families.h"
#include "IndexedDims.h"
#include "isthmus/Dialect/Torch/TorchConversion.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

namespace {

/// unsqueeze, squeeze: the same elements in the same order.
template <typename SourceOp>
FailureOr<Value> lowerReshape(SourceOp op, typename SourceOp::Adaptor in,
                              TosaBuilder &b) {
  return b.reshape(in.getOperands().front(), resultSizes(op));
}

/// True if each unknown size of `tensor` is requested unchanged in the sizes of
/// a view or an expand, which may add leading dims.
bool keepsUnknownSizes(Value sizes, Value tensor) {
  auto asked = torch::matchList(sizes);
  ArrayRef<int64_t> own =
      cast<torch::ValueTensorType>(tensor.getType()).getSizes();
  if (!asked)
    return false;
  ArrayRef<Value> last = ArrayRef(*asked).take_back(own.size());
  return llvm::all_of(llvm::enumerate(own), [&](auto size) {
    return !ShapedType::isDynamic(size.value()) ||
           torch::isSizeOf(last[size.index()], tensor, size.index());
  });
}

/// view: with two unknown sizes, the types do not show that they are unchanged.
FailureOr<Value> lowerView(torch::AtenViewOp op, torch::AtenViewOp::Adaptor in,
                           TosaBuilder &b) {
  ArrayRef<int64_t> sizes = resultSizes(op);
  Value x = in.getSelf();
  bool isAmbiguous = llvm::count(sizes, ShapedType::kDynamic) > 1 &&
                     TosaBuilder::sizesOf(x) == sizes;
  if (isAmbiguous && !keepsUnknownSizes(op.getSize(), op.getSelf()))
    return b.decline()
           << "TOSA 1.0 reshapes to one size that is known at run time "
              "only, got "
           << torch::shapeText(sizes) << "; make sizes known with --specialize";
  return b.reshape(x, sizes);
}

/// expand: leading dims are added, sizes of 1 grow.
FailureOr<Value> lowerExpand(torch::AtenExpandOp op,
                             torch::AtenExpandOp::Adaptor in, TosaBuilder &b) {
  Value x = in.getSelf();
  ArrayRef<int64_t> sizes = resultSizes(op);
  SmallVector<int64_t> own(TosaBuilder::sizesOf(x));
  // An unknown size may be a 1 that is broadcast, unless it is requested
  // unchanged.
  if (!keepsUnknownSizes(op.getSize(), op.getSelf()))
    return b.decline() << "expected to know which dims of "
                       << op.getSelf().getType()
                       << " grow; make sizes known with --specialize";
  size_t added = sizes.size() - own.size();
  if (added) {
    own.insert(own.begin(), added, 1);
    x = b.reshape(x, own);
  }
  return b.tile(x, sizes);
}

FailureOr<Value> lowerPermute(torch::AtenPermuteOp op,
                              torch::AtenPermuteOp::Adaptor in,
                              TosaBuilder &b) {
  std::optional<SmallVector<int64_t>> order = torch::matchInts(op.getDims());
  if (!order)
    return b.decline() << torch::kConstantDims;
  for (int64_t &dim : *order)
    dim = torch::normalDim(dim, order->size());
  return b.transpose(in.getSelf(), *order);
}

/// cat: operands are promoted; empty rank-1 tensors are skipped, as PyTorch
/// does.
FailureOr<Value> lowerCat(torch::AtenCatOp op, torch::AtenCatOp::Adaptor,
                          TosaBuilder &b) {
  auto converted = b.convertedElements(op.getTensors());
  std::optional<int64_t> dim = torch::matchInt(op.getDim());
  if (failed(converted) || !dim)
    return b.decline()
           << "expected a list and a dim that are known while compiling";
  Type dtype = dtypeOf(op.getResult());
  SmallVector<Value> parts;
  for (auto [value, part] :
       llvm::zip_equal(*torch::matchList(op.getTensors()), *converted)) {
    if (llvm::is_contained(TosaBuilder::sizesOf(part), 0))
      continue;
    Value element = b.store(promoted(b, value, part, dtype), dtype);
    // TOSA 1.0 has no concat for i16.
    parts.push_back(TosaBuilder::elementOf(element).isInteger(16)
                        ? b.cast(element, b.i32())
                        : element);
  }
  if (parts.empty())
    return b.decline() << "TOSA has no tensors without elements";
  int64_t rank = TosaBuilder::rankOf(parts.front());
  return b.cast(b.concat(parts, torch::normalDim(*dim, rank)),
                storageType(dtype));
}

/// A slice bound as in PyTorch: negative counts from the end, and both bounds
/// are clamped to the dim.
int64_t sliceBound(int64_t bound, int64_t size) {
  return std::clamp<int64_t>(bound < 0 ? bound + size : bound, 0, size);
}

FailureOr<Value> lowerSlice(torch::AtenSliceTensorOp op,
                            torch::AtenSliceTensorOp::Adaptor in,
                            TosaBuilder &b) {
  Value x = in.getSelf();
  std::optional<int64_t> dim = torch::matchInt(op.getDim()),
                         step = torch::matchInt(op.getStep());
  std::optional<int64_t> start =
      torch::isNone(op.getStart()) ? 0 : torch::matchInt(op.getStart());
  if (!dim || !step)
    return b.decline() << "expected a dim and step that are known while "
                          "compiling; make sizes known with --specialize";
  int64_t at = torch::normalDim(*dim, TosaBuilder::rankOf(x));
  int64_t size = TosaBuilder::sizesOf(x)[at], count = resultSizes(op)[at];
  if (!start && !ShapedType::isDynamic(size) && !ShapedType::isDynamic(count) &&
      llvm::isInt<32>(size) && llvm::isInt<32>(*step)) {
    Value first = in.getStart(), steps = b.iota(count, 0, 1);
    first = b.select(b.greater(b.splatLike(0, first), first),
                     b.add(first, b.splatLike(size, first)), first);
    Value places = b.add(b.mul(steps, b.splatLike(*step, steps)), first);
    return b.reshape(selectSlices(x, places, at, b), resultSizes(op));
  }
  if (!start)
    return b.decline() << "expected a start that is known while compiling; "
                          "make sizes known with --specialize";
  bool toTheEnd =
      torch::isNone(op.getEnd()) ||
      torch::matchInt(op.getEnd()) == std::numeric_limits<int64_t>::max();
  if (ShapedType::isDynamic(size) && toTheEnd && *start >= 0 && *step == 1)
    return b.slice(x, at, *start, size);
  if (ShapedType::isDynamic(size) || ShapedType::isDynamic(count))
    return b.decline()
           << "TOSA 1.0 slices a dim of unknown size from a known start to its "
              "end only; make sizes known with --specialize";
  return b.stridedSlice(x, at, sliceBound(*start, size), count, *step);
}

FailureOr<Value> lowerFlip(torch::AtenFlipOp op, torch::AtenFlipOp::Adaptor in,
                           TosaBuilder &b) {
  std::optional<SmallVector<int64_t>> dims = torch::matchInts(op.getDims());
  if (!dims)
    return b.decline() << torch::kConstantDims;
  // TOSA 1.0 has no reverse for i16.
  Value x = in.getSelf();
  if (TosaBuilder::elementOf(x).isInteger(16))
    x = b.cast(x, b.i32());
  for (int64_t dim : *dims)
    x = tosa::ReverseOp::create(
        b.getBuilder(), b.getLoc(), x.getType(), x,
        b.getBuilder().getI32IntegerAttr(
            torch::normalDim(dim, TosaBuilder::rankOf(x))));
  return b.cast(x, storageType(dtypeOf(op.getResult())));
}

/// constant_pad_nd(self, pad, value): pairs from the last dim backwards; a
/// negative number crops.
FailureOr<Value> lowerPad(torch::AtenConstantPadNdOp op,
                          torch::AtenConstantPadNdOp::Adaptor in,
                          TosaBuilder &b) {
  Value x = in.getSelf();
  std::optional<SmallVector<int64_t>> pads = torch::matchInts(op.getPad());
  std::optional<double> number = torch::matchNumber(op.getValue());
  if (!pads || !number)
    return b.decline()
           << "expected paddings and a value that are known while compiling";
  int64_t rank = TosaBuilder::rankOf(x);
  SmallVector<int64_t> before(rank, 0), after(rank, 0);
  for (size_t pair = 0; pair < pads->size() / 2; ++pair) {
    int64_t dim = rank - 1 - pair, low = (*pads)[2 * pair],
            high = (*pads)[2 * pair + 1];
    if (low < 0 || high < 0) {
      int64_t size = TosaBuilder::sizesOf(x)[dim];
      if (ShapedType::isDynamic(size))
        return b.decline() << "TOSA 1.0 crops dims of known size only; make "
                              "sizes known with --specialize";
      int64_t start = std::max<int64_t>(-low, 0);
      x = b.slice(x, dim, start, size - start + std::min<int64_t>(high, 0));
    }
    before[dim] = std::max<int64_t>(low, 0);
    after[dim] = std::max<int64_t>(high, 0);
  }
  return b.pad(x, before, after,
               b.splat(*number, TosaBuilder::elementOf(x), {1}));
}

} // namespace

void torch_to_tosa::populateView(TosaLowerings &lowerings) {
  using namespace torch;
  lowerings.add(lowerCat, lowerExpand, lowerFlip, lowerPad, lowerPermute,
                lowerReshape<AtenUnsqueezeOp>, lowerView,
                lowerReshape<PrimsSqueezeOp>, lowerSlice,
                lowerForward<torch::ShardingConstraintOp, TosaBuilder>,
                lowerForward<TensorStaticInfoCastOp, TosaBuilder>,
                lowerForward<torch_c::FromBuiltinTensorOp, TosaBuilder>,
                lowerForward<torch_c::ToBuiltinTensorOp, TosaBuilder>);
  lowerings.addUnsupported<AtenViewDtypeOp>(
      "TOSA has no op that reads the bits of a number as another dtype");
}
