//===- Tensor.cpp - ONNX tensor ops to ATen -------------------------------===//
//
// One row or one function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Onnx/Tensor.h"
#include "Families.h"
#include "NarrowDtypes.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Onnx/Nn.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// Cast-28: integers truncate, anything but zero is true.
FailureOr<Value> lowerCast(onnx::CastOp op, onnx::CastOp::Adaptor in,
                           NodeBuilder &b) {
  return castTo(b, decode(b, in.getInput(), op.getInput()), op.getTo(),
                {op.getRoundMode(), bool(op.getSaturate())});
}

/// BitCast-26: the same bits as another dtype of this width.
FailureOr<Value> lowerBitCast(onnx::BitCastOp op, onnx::BitCastOp::Adaptor in,
                              NodeBuilder &b) {
  Type from = dtypeOf(in.getInput()), to = b.declaredDtype(op.getOutput());
  if (!to)
    return b.decline() << "torch has no dtype for " << op.getTo();
  DataLayout layout; // in which a bool is a byte
  if (layout.getTypeSize(from) != layout.getTypeSize(to))
    return b.decline() << "expected dtypes of one width, got " << from
                       << " and " << to;
  return b.create<torch::AtenViewDtypeOp>(in.getInput(), b.dtype(to))
      .getResult();
}

/// CastLike-25: casts to the dtype of `target_type`.
FailureOr<Value> lowerCastLike(onnx::CastLikeOp op,
                               onnx::CastLikeOp::Adaptor in, NodeBuilder &b) {
  return castTo(b, decode(b, in.getInput(), op.getInput()),
                getElementTypeOrSelf(op.getTargetType().getType()),
                {op.getRoundMode(), bool(op.getSaturate())});
}

/// Concat-13: the inputs one after the other along `axis`.
FailureOr<Value> lowerConcat(onnx::ConcatOp op, onnx::ConcatOp::Adaptor in,
                             NodeBuilder &b) {
  FailureOr<int64_t> axis =
      axisOf(b, op.getAxis(), rankOf(in.getInputs().front()));
  if (failed(axis))
    return failure();
  return in.getInputs().size() == 1 ? in.getInputs().front()
                                    : b.cat(in.getInputs(), *axis);
}

/// Views dims `sizes` of a tensor, permutes them and views the result as
/// `result`.
Value rearrange(NodeBuilder &b, Value tensor, ArrayRef<Value> sizes,
                ArrayRef<int64_t> order, ArrayRef<Value> result) {
  return b.view(b.permute(b.view(tensor, sizes), order), result);
}

/// The sizes of a [N, C, H, W] tensor and a block size of 1 or more.
template <typename Op>
FailureOr<SmallVector<Value>> blockedSizes(Op op, Value input, NodeBuilder &b) {
  if (op.getBlocksize() < 1)
    return b.decline() << "expected a blocksize of 1 or more, got "
                       << op.getBlocksize();
  if (op.getMode() != "DCR" && op.getMode() != "CRD")
    return b.decline() << "expected mode to be 'DCR' or 'CRD', got '"
                       << op.getMode() << "'";
  return b.sizes(input);
}

/// DepthToSpace-28: channels become blocks of `blocksize` by `blocksize`
/// pixels. The channel is (depth, column, row), or (column, row, depth) mode by
/// mode.
FailureOr<Value> lowerDepthToSpace(onnx::DepthToSpaceOp op,
                                   onnx::DepthToSpaceOp::Adaptor in,
                                   NodeBuilder &b) {
  FailureOr<SmallVector<Value>> sizes = blockedSizes(op, in.getInput(), b);
  if (failed(sizes))
    return failure();
  Value n = (*sizes)[0], c = (*sizes)[1], h = (*sizes)[2], w = (*sizes)[3];
  Value block = b.constant(op.getBlocksize());
  Value depth = b.floorDivInt(c, b.mulInt(block, block));
  Value result[] = {n, depth, b.mulInt(h, block), b.mulInt(w, block)};
  if (op.getMode() == "DCR")
    return rearrange(b, in.getInput(), {n, block, block, depth, h, w},
                     {0, 3, 4, 1, 5, 2}, result);
  return rearrange(b, in.getInput(), {n, depth, block, block, h, w},
                   {0, 1, 4, 2, 5, 3}, result);
}

/// Flatten-25: a matrix of the dims before `axis` and the dims from there on.
FailureOr<Value> lowerFlatten(onnx::FlattenOp op, onnx::FlattenOp::Adaptor in,
                              NodeBuilder &b) {
  int64_t rank = rankOf(in.getInput()), axis = op.getAxis();
  if (axis < -rank || axis > rank)
    return b.decline() << "expected an axis in [" << -rank << ", " << rank
                       << "], got " << axis;
  if (axis < 0)
    axis += rank;
  SmallVector<Value> sizes = b.sizes(in.getInput());
  return b.view(in.getInput(), {b.product(ArrayRef(sizes).take_front(axis)),
                                b.product(ArrayRef(sizes).drop_front(axis))});
}

/// Identity-25
FailureOr<Value> lowerIdentity(onnx::IdentityOp, onnx::IdentityOp::Adaptor in,
                               NodeBuilder &) {
  return in.getInput();
}

/// Reshape-25: a size of 0 keeps the input's dim (unless allowzero), -1 is
/// inferred.
FailureOr<Value> lowerReshape(onnx::ReshapeOp op, onnx::ReshapeOp::Adaptor in,
                              NodeBuilder &b) {
  FailureOr<SmallVector<Value>> sizes = b.ints(in.getShape());
  if (failed(sizes))
    return b.decline() << "expected a shape of known length, got "
                       << in.getShape().getType();
  Value zero = b.constant(0);
  for (auto [dim, size] : llvm::enumerate(*sizes)) {
    if (op.getAllowzero())
      break;
    bool isDim = static_cast<int64_t>(dim) < rankOf(in.getData());
    if (torch::matchInt(size) == 0) {
      if (!isDim)
        return b.decline() << "expected a size of 0 for a dim of the input "
                              "only, got it for dim "
                           << dim << " of " << in.getData().getType();
      size = b.size(in.getData(), dim);
    } else if (isDim && torch::isOfElements(size)) {
      // The size is data rather than shape arithmetic, so it may be 0: size +
      // (size == 0) * dim
      Value isZero = b.fold<torch::AtenIntBoolOp>(b.eqInt(size, zero));
      size = b.addInt(size, b.mulInt(isZero, b.size(in.getData(), dim)));
    }
  }
  return b.view(in.getData(), *sizes);
}

/// Shape-25 and Size-25 are computed on scalars; only tensors of unknown rank
/// are handled here.
template <typename Op>
FailureOr<Value> declineShape(Op, typename Op::Adaptor in, NodeBuilder &b) {
  return b.decline() << "expected a tensor of known rank, got "
                     << in.getData().getType();
}

/// Elements start, start + step, ... of a dim for a negative step. Counted from
/// the end of the reversed dim these are start' = n - 1 - start, start' - step,
/// ...
FailureOr<Value> sliceBackwards(NodeBuilder &b, Value data, int64_t dim,
                                Value start, Value end, int64_t step) {
  Value last = b.subInt(b.size(data, dim), b.constant(1));
  SmallVector<Value> bounds;
  for (Value bound : {start, end}) {
    std::optional<int64_t> known = torch::matchInt(bound);
    if (!known)
      return b.decline() << "expected starts and ends to be known while "
                            "compiling where a step is "
                            "negative, got values known at run time only";
    if (*known < 0) // -1 is the last element, 0 when reversed
      bounds.push_back(
          b.constant(*known == INT64_MIN ? INT64_MAX : -1 - *known));
    else
      bounds.push_back(b.maxInt(b.subInt(last, bound), b.constant(0)));
  }
  Value reversed =
      b.create<torch::AtenFlipOp>(data, b.ints(ArrayRef<int64_t>(dim)));
  return b.slice(reversed, dim, bounds[0], bounds[1],
                 -std::max(step, -INT64_MAX));
}

/// Slice-13: elements [start, end) of each of `axes`, every step-th; bounds
/// count from the end if negative and are clamped to the dim.
FailureOr<Value> lowerSlice(onnx::SliceOp, onnx::SliceOp::Adaptor in,
                            NodeBuilder &b) {
  FailureOr<SmallVector<Value>> starts = b.ints(in.getStarts()),
                                ends = b.ints(in.getEnds());
  if (failed(starts) || failed(ends) || starts->size() != ends->size())
    return b.decline()
           << "expected starts and ends of the same known length, got "
           << in.getStarts().getType() << " and " << in.getEnds().getType();
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(0, starts->size()));
  SmallVector<int64_t> steps(starts->size(), 1);
  if (isPresent(in.getAxes())) {
    FailureOr<SmallVector<int64_t>> known = knownInts(b, in.getAxes(), "axes");
    if (failed(known))
      return failure();
    axes = *known;
  }
  if (isPresent(in.getSteps())) {
    FailureOr<SmallVector<int64_t>> known =
        knownInts(b, in.getSteps(), "steps");
    if (failed(known))
      return failure();
    steps = *known;
  }
  if (axes.size() != starts->size() || steps.size() != starts->size())
    return b.decline()
           << "expected starts, ends, axes and steps of one length, got "
           << starts->size() << ", " << ends->size() << ", " << axes.size()
           << " and " << steps.size();
  FailureOr<SmallVector<int64_t>> dims = axesOf(b, axes, rankOf(in.getData()));
  if (failed(dims))
    return failure();
  Value result = in.getData();
  for (auto [dim, start, end, step] : llvm::zip(*dims, *starts, *ends, steps)) {
    if (step == 0)
      return b.decline() << "expected a step other than 0, got 0";
    if (step > 0) {
      result = b.slice(result, dim, start, end, step);
      continue;
    }
    FailureOr<Value> sliced = sliceBackwards(b, result, dim, start, end, step);
    if (failed(sliced))
      return failure();
    result = *sliced;
  }
  return result;
}

/// SpaceToDepth-28: blocks of `blocksize` by `blocksize` pixels become
/// channels; the inverse of DepthToSpace.
FailureOr<Value> lowerSpaceToDepth(onnx::SpaceToDepthOp op,
                                   onnx::SpaceToDepthOp::Adaptor in,
                                   NodeBuilder &b) {
  FailureOr<SmallVector<Value>> sizes = blockedSizes(op, in.getInput(), b);
  if (failed(sizes))
    return failure();
  Value n = (*sizes)[0], c = (*sizes)[1];
  Value block = b.constant(op.getBlocksize());
  Value h = b.floorDivInt((*sizes)[2], block),
        w = b.floorDivInt((*sizes)[3], block);
  Value depth = b.mulInt(c, b.mulInt(block, block));
  SmallVector<int64_t> order = {0, 1, 3, 5, 2, 4};
  if (op.getMode() == "DCR")
    order = {0, 3, 5, 1, 2, 4};
  return rearrange(b, in.getInput(), {n, c, h, block, w, block}, order,
                   {n, depth, h, w});
}

/// Split-18: consecutive parts of `axis`, of the sizes in `split` or all equal
/// with a smaller last one.
FailureOr<SmallVector<Value>>
lowerSplit(onnx::SplitOp op, onnx::SplitOp::Adaptor in, NodeBuilder &b) {
  Value input = in.getInput();
  FailureOr<int64_t> axis = axisOf(b, op.getAxis(), rankOf(input));
  if (failed(axis))
    return failure();
  int64_t parts = op.getNumResults();
  SmallVector<Value> lengths;
  if (isPresent(in.getSplit())) {
    FailureOr<SmallVector<Value>> split = b.ints(in.getSplit());
    if (failed(split) || static_cast<int64_t>(split->size()) != parts)
      return b.decline() << "expected split to have one size for each of "
                         << parts << " outputs, got "
                         << in.getSplit().getType();
    lengths = *split;
    Value size = b.size(input, *axis), sum = b.constant(0);
    for (Value length : lengths) {
      if (failed(requireAtLeast(b, length, 0, "sizes in split")))
        return failure();
      sum = b.addInt(sum, length);
    }
    auto known = torch::matchInt(size), total = torch::matchInt(sum);
    if (known && total && *known != *total)
      return b.decline() << "expected sizes in split that sum to the " << *known
                         << " elements along axis " << *axis << ", got "
                         << *total;
    b.check(b.eqInt(sum, size),
            "sizes in split that sum to the number of elements along axis " +
                Twine(*axis));
  } else {
    // ceil(n / parts)
    Value rounded = b.addInt(b.size(input, *axis), b.constant(parts - 1));
    lengths.assign(parts, b.floorDivInt(rounded, b.constant(parts)));
  }
  SmallVector<Value> results;
  Value start = b.constant(0);
  for (Value length : lengths) {
    Value end = b.addInt(start, length);
    results.push_back(b.slice(input, *axis, start, end));
    start = end;
  }
  return results;
}

/// The dims of size 1. Of sizes known at run time only, all or none are 1, as
/// the declared rank of the result says; none if it is not declared.
FailureOr<SmallVector<int64_t>> dimsOfSizeOne(onnx::SqueezeOp op, Value data,
                                              NodeBuilder &b) {
  SmallVector<int64_t> ones, open;
  for (auto [dim, size] : llvm::enumerate(torch::tensorType(data).getSizes())) {
    if (size == 1)
      ones.push_back(dim);
    else if (ShapedType::isDynamic(size))
      open.push_back(dim);
  }
  size_t most = rankOf(data) - ones.size();
  auto declared = dyn_cast<RankedTensorType>(op.getSqueezed().getType());
  size_t rank = declared ? declared.getRank() : most;
  bool areOnes = rank != most;
  if (areOnes && rank + open.size() != most)
    return b.decline() << "expected axes for an input with sizes known at run "
                          "time only, got "
                       << data.getType();
  for (int64_t dim : open) {
    Value size = b.size(data, dim), one = b.constant(1);
    if (areOnes)
      b.check(b.eqInt(size, one),
              "sizes of 1 in the dims that the model squeezes");
    else
      b.check(b.fold<torch::AtenNeIntOp>(size, one),
              "sizes other than 1 in the dims that the model keeps");
  }
  if (areOnes)
    llvm::append_range(ones, open);
  return ones;
}

/// Squeeze-25: drops dims of size 1, all of them unless axes are given.
FailureOr<Value> lowerSqueeze(onnx::SqueezeOp op, onnx::SqueezeOp::Adaptor in,
                              NodeBuilder &b) {
  torch::ValueTensorType type = torch::tensorType(in.getData());
  FailureOr<SmallVector<int64_t>> axes =
      isPresent(in.getAxes()) ? knownInts(b, in.getAxes(), "axes")
                              : dimsOfSizeOne(op, in.getData(), b);
  if (failed(axes))
    return failure();
  FailureOr<SmallVector<int64_t>> dims = axesOf(b, *axes, type.getRank());
  if (failed(dims))
    return failure();
  for (int64_t dim : *dims)
    if (int64_t size = sizeOf(in.getData(), dim);
        !ShapedType::isDynamic(size) && size != 1)
      return b.decline() << "expected dims of size 1, got " << size
                         << " for dim " << dim;
  return b.squeeze(in.getData(), *dims);
}

/// Tile-13: the input `repeats[i]` times along dim i.
FailureOr<Value> lowerTile(onnx::TileOp, onnx::TileOp::Adaptor in,
                           NodeBuilder &b) {
  FailureOr<SmallVector<Value>> repeats = b.ints(in.getRepeats());
  if (failed(repeats) ||
      static_cast<int64_t>(repeats->size()) != rankOf(in.getInput()))
    return b.decline() << "expected one number of repeats per dim, got "
                       << in.getRepeats().getType() << " for "
                       << in.getInput().getType();
  return Value(b.create<torch::AtenRepeatOp>(in.getInput(), b.ints(*repeats)));
}

/// Transpose-25: perm defaults to the dims reversed.
FailureOr<Value> lowerTranspose(onnx::TransposeOp op,
                                onnx::TransposeOp::Adaptor in, NodeBuilder &b) {
  SmallVector<int64_t> reversed(
      llvm::reverse(llvm::seq<int64_t>(0, rankOf(in.getData()))));
  return b.permute(in.getData(), intsOf(op.getPerm(), reversed));
}

/// The elements of a matrix above, or below, the k-th diagonal, and 0
/// elsewhere.
FailureOr<Value> triangleOf(NodeBuilder &b, Value x, Value diagonal,
                            bool isUpper) {
  FailureOr<Value> k = b.constant(0);
  if (isPresent(diagonal))
    k = intOf(b, diagonal, "k");
  if (failed(k))
    return failure();
  if (isUpper)
    return Value(b.create<torch::AtenTriuOp>(x, *k));
  return Value(b.create<torch::AtenTrilOp>(x, *k));
}

/// Trilu-14: keeps the elements above (or below) the k-th diagonal, zeros the
/// rest.
FailureOr<Value> lowerTrilu(onnx::TriluOp op, onnx::TriluOp::Adaptor in,
                            NodeBuilder &b) {
  return triangleOf(b, in.getInput(), in.getK(), op.getUpper());
}

/// Trilu of onnxruntime's, from before ONNX had it
FailureOr<Value> lowerContribTrilu(onnx::MicrosoftTriluOp op,
                                   onnx::MicrosoftTriluOp::Adaptor in,
                                   NodeBuilder &b) {
  return triangleOf(b, in.getX(), in.getK(), op.getUpper());
}

/// ExpandDims of onnxruntime's: inserts a dim of size 1.
FailureOr<Value> lowerExpandDims(onnx::MicrosoftExpandDimsOp,
                                 onnx::MicrosoftExpandDimsOp::Adaptor in,
                                 NodeBuilder &b) {
  FailureOr<int64_t> axis = knownInt(b, in.getAxis(), "axis");
  if (failed(axis))
    return failure();
  FailureOr<int64_t> dim = axisOf(b, *axis, rankOf(in.getX()) + 1);
  if (failed(dim))
    return failure();
  return b.unsqueeze(in.getX(), *dim);
}

/// UnfoldTensor of onnxruntime's: all slices of `size` elements of a dim that
/// begin at multiples of `step`; their elements are the last dim.
FailureOr<Value> lowerUnfoldTensor(onnx::MicrosoftUnfoldTensorOp op,
                                   onnx::MicrosoftUnfoldTensorOp::Adaptor in,
                                   NodeBuilder &b) {
  FailureOr<int64_t> dim = axisOf(b, op.getDim(), rankOf(in.getInput()));
  if (failed(dim))
    return failure();
  return Value(b.create<torch::AtenUnfoldOp>(in.getInput(), b.constant(*dim),
                                             b.constant(op.getSize()),
                                             b.constant(op.getStep())));
}

/// Unsqueeze-25: inserts dims of size 1 at `axes` of the result.
FailureOr<Value> lowerUnsqueeze(onnx::UnsqueezeOp,
                                onnx::UnsqueezeOp::Adaptor in, NodeBuilder &b) {
  FailureOr<SmallVector<int64_t>> axes = knownInts(b, in.getAxes(), "axes");
  if (failed(axes))
    return failure();
  FailureOr<SmallVector<int64_t>> dims = axesOf(
      b, *axes, rankOf(in.getData()) + static_cast<int64_t>(axes->size()));
  if (failed(dims))
    return failure();
  llvm::sort(*dims);
  Value result = in.getData();
  for (int64_t dim : *dims)
    result = b.unsqueeze(result, dim);
  return result;
}

/// Where-16: X where the condition holds, else Y; all three broadcast.
FailureOr<Value> lowerWhere(onnx::WhereOp, onnx::WhereOp::Adaptor in,
                            NodeBuilder &b) {
  return b.where(in.getCondition(), in.getX(), in.getY());
}

} // namespace

void onnx_to_torch::populateTensor(OnnxToTorchLowerings &lowerings) {
  lowerings.add(declineShape<onnx::ShapeOp>);
  lowerings.add(declineShape<onnx::SizeOp>);
  lowerings.add(lowerBitCast);
  lowerings.add(lowerCast);
  lowerings.add(lowerCastLike);
  lowerings.add(lowerConcat);
  lowerings.add(lowerDepthToSpace);
  lowerings.add(lowerFlatten);
  lowerings.add(lowerIdentity);
  lowerings.add(lowerReshape);
  lowerings.add(lowerSlice);
  lowerings.add(lowerSpaceToDepth);
  lowerings.add(lowerSplit);
  lowerings.add(lowerSqueeze);
  lowerings.add(lowerTile);
  lowerings.add(lowerTranspose);
  lowerings.add(lowerContribTrilu);
  lowerings.add(lowerExpandDims);
  lowerings.add(lowerTrilu);
  lowerings.add(lowerUnfoldTensor);
  lowerings.add(lowerUnsqueeze);
  lowerings.add(lowerWhere);
}
