//===- Indexing.cpp - ONNX gathers and scatters to ATen -------------------===//
//
// One row or one function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
// Indices count from the end of a dim where they are negative, everywhere.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Onnx/Tensor.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// Compress-28: the elements along `axis` (of the flat input if there is none)
/// for which the condition holds. A shorter condition is false for the
/// remaining elements.
FailureOr<Value> lowerCompress(onnx::CompressOp op,
                               onnx::CompressOp::Adaptor in, NodeBuilder &b) {
  Value input = in.getInput();
  int64_t axis = 0;
  if (op.getAxis()) {
    FailureOr<int64_t> dim = axisOf(b, *op.getAxis(), rankOf(input));
    if (failed(dim))
      return failure();
    axis = *dim;
  } else {
    input = b.view(input, b.constant(-1));
  }
  Value indices =
      b.squeeze(b.create<torch::AtenNonzeroOp>(in.getCondition()), {1});
  return Value(
      b.create<torch::AtenIndexSelectOp>(input, b.constant(axis), indices));
}

/// Gather-13: `data` with dim `axis` replaced by the dims of `indices`.
FailureOr<Value> lowerGather(onnx::GatherOp op, onnx::GatherOp::Adaptor in,
                             NodeBuilder &b) {
  FailureOr<int64_t> axis = axisOf(b, op.getAxis(), rankOf(in.getData()));
  if (failed(axis))
    return failure();
  auto known = b.constantInts(in.getIndices());
  if (known && rankOf(in.getIndices()) == 0)
    return Value(b.create<torch::AtenSelectIntOp>(
        in.getData(), b.constant(*axis), b.constant(known->front())));
  return take(b, in.getData(), in.getIndices(), *axis);
}

/// GatherElements-13: out[i][j] = data[i][index[i][j]] for axis 1.
FailureOr<Value> lowerGatherElements(onnx::GatherElementsOp op,
                                     onnx::GatherElementsOp::Adaptor in,
                                     NodeBuilder &b) {
  FailureOr<int64_t> axis = axisOf(b, op.getAxis(), rankOf(in.getData()));
  if (failed(axis))
    return failure();
  Value indices = b.convert(in.getIndices(), int64Dtype(b));
  indices = wrapIndices(b, indices, b.size(in.getData(), *axis));
  return Value(b.create<torch::AtenGatherOp>(in.getData(), b.constant(*axis),
                                             indices, b.constantBool(false)));
}

/// One index tensor per dim that the last dim of `indices` holds an index for,
/// after `batchDims` dims that index themselves.
FailureOr<SmallVector<Value>> indexTuple(NodeBuilder &b, Value data,
                                         Value indices, int64_t batchDims) {
  int64_t last = rankOf(indices) - 1;
  if (batchDims < 0)
    return b.decline() << "expected batch_dims of 0 or more, got " << batchDims;
  if (last < batchDims)
    return b.decline() << "expected indices of a rank above " << batchDims
                       << ", got " << indices.getType();
  int64_t depth = sizeOf(indices, last);
  if (ShapedType::isDynamic(depth))
    return b.decline() << "expected the last dim of the indices to be known "
                          "while compiling, got "
                       << indices.getType();
  if (depth < 1)
    return b.decline() << "expected indices for at least one dim, got "
                       << indices.getType();
  if (depth > rankOf(data) - batchDims)
    return b.decline() << "expected indices for at most "
                       << rankOf(data) - batchDims << " dims, got " << depth;
  SmallVector<Value> tuple;
  for (int64_t dim = 0; dim < batchDims; ++dim)
    tuple.push_back(
        alongAxis(b, iota(b, b.constant(0), b.size(data, dim)), dim, last));
  for (int64_t i = 0; i < depth; ++i)
    tuple.push_back(b.create<torch::AtenSelectIntOp>(indices, b.constant(last),
                                                     b.constant(i)));
  return tuple;
}

/// out[i...] = data[indices[i...]], an index of several dims at once.
FailureOr<Value> gatherND(NodeBuilder &b, Value data, Value indices,
                          int64_t batchDims) {
  FailureOr<SmallVector<Value>> tuple = indexTuple(b, data, indices, batchDims);
  if (failed(tuple))
    return failure();
  return Value(
      b.create<torch::AtenIndexTensorOp>(data, b.optionalTensors(*tuple)));
}

/// GatherND-13
FailureOr<Value> lowerGatherND(onnx::GatherNDOp op,
                               onnx::GatherNDOp::Adaptor in, NodeBuilder &b) {
  return gatherND(b, in.getData(), in.getIndices(), op.getBatchDims());
}

/// onnxruntime's GatherND
FailureOr<Value> lowerMicrosoftGatherND(onnx::MicrosoftGatherNDOp,
                                        onnx::MicrosoftGatherNDOp::Adaptor in,
                                        NodeBuilder &b) {
  return gatherND(b, in.getData(), in.getIndices(), /*batchDims=*/0);
}

/// NonZero-13: the indices of all elements other than 0, one row per dim.
FailureOr<Value> lowerNonZero(onnx::NonZeroOp, onnx::NonZeroOp::Adaptor in,
                              NodeBuilder &b) {
  return b.permute(b.create<torch::AtenNonzeroOp>(in.getX()), {1, 0});
}

/// OneHot-28: a new dim of `depth` elements at `axis`: values[1] at the index,
/// values[0] elsewhere, also for indices out of [-depth, depth - 1].
FailureOr<Value> lowerOneHot(onnx::OneHotOp op, onnx::OneHotOp::Adaptor in,
                             NodeBuilder &b) {
  int64_t rank = rankOf(in.getIndices()) + 1;
  FailureOr<int64_t> axis = axisOf(b, op.getAxis(), rank);
  FailureOr<Value> depth =
      intOf(b, b.convert(in.getDepth(), int64Dtype(b)), "depth");
  if (failed(axis) || failed(depth) ||
      failed(requireAtLeast(b, *depth, 0, "depth")))
    return failure();
  Value indices =
      wrapIndices(b, b.convert(in.getIndices(), int64Dtype(b)), *depth);
  Value places = alongAxis(b, iota(b, b.constant(0), *depth), *axis, rank);
  Value isHot =
      b.create<torch::AtenEqTensorOp>(b.unsqueeze(indices, *axis), places);
  auto value = [&](int64_t index) {
    return b
        .create<torch::AtenSelectIntOp>(in.getValues(), b.constant(0),
                                        b.constant(index))
        .getResult();
  };
  return b.where(isHot, value(1), value(0));
}

/// ReverseSequence-28: the first sequence_lens[i] elements along time_axis of
/// batch i in reverse.
FailureOr<Value> lowerReverseSequence(onnx::ReverseSequenceOp op,
                                      onnx::ReverseSequenceOp::Adaptor in,
                                      NodeBuilder &b) {
  Value input = in.getInput();
  int64_t batch = op.getBatchAxis(), time = op.getTimeAxis();
  if (std::min(batch, time) != 0 || std::max(batch, time) != 1)
    return b.decline() << "expected axes 0 and 1, got " << batch << " and "
                       << time;
  auto places = [&](int64_t axis) {
    return alongAxis(b, iota(b, b.constant(0), b.size(input, axis)), axis, 2);
  };
  Value lengths = alongAxis(b, in.getSequenceLens(), batch, 2);
  Value steps = places(time);
  Value mirrored = b.create<torch::AtenSubScalarOp>(
      b.sub(lengths, steps), b.constant(1), b.constant(1));
  SmallVector<Value> indices(2);
  indices[batch] = places(batch);
  indices[time] =
      b.where(b.create<torch::AtenLtTensorOp>(steps, lengths), mirrored, steps);
  return Value(
      b.create<torch::AtenIndexTensorOp>(input, b.optionalTensors(indices)));
}

/// PyTorch's name of a reduction of scattered elements; declines an unknown
/// one.
FailureOr<StringRef> scatterReduction(NodeBuilder &b, StringRef reduction) {
  StringRef name = llvm::StringSwitch<StringRef>(reduction)
                       .Case("add", "sum")
                       .Case("max", "amax")
                       .Case("min", "amin")
                       .Case("mul", "prod")
                       .Default("");
  if (name.empty())
    return b.decline() << "expected reduction to be one of none, add, max, min "
                          "and mul, got '"
                       << reduction << "'";
  return name;
}

/// ScatterElements-18: out = data; out[i][index[i][j]] = updates[i][j] for axis
/// 1, reduced with the existing elements.
FailureOr<Value> lowerScatterElements(onnx::ScatterElementsOp op,
                                      onnx::ScatterElementsOp::Adaptor in,
                                      NodeBuilder &b) {
  FailureOr<int64_t> axis = axisOf(b, op.getAxis(), rankOf(in.getData()));
  if (failed(axis))
    return failure();
  Value indices = b.convert(in.getIndices(), int64Dtype(b));
  indices = wrapIndices(b, indices, b.size(in.getData(), *axis));
  if (op.getReduction() == "none")
    return Value(b.create<torch::AtenScatterSrcOp>(
        in.getData(), b.constant(*axis), indices, in.getUpdates()));
  FailureOr<StringRef> reduction = scatterReduction(b, op.getReduction());
  if (failed(reduction))
    return failure();
  return Value(b.create<torch::AtenScatterReduceTwoOp>(
      in.getData(), b.constant(*axis), indices, in.getUpdates(),
      b.constantStr(*reduction), b.constantBool(true)));
}

/// ScatterND-18: out = data; out[indices[i...]] = updates[i...], reduced with
/// the existing elements.
FailureOr<Value> lowerScatterND(onnx::ScatterNDOp op,
                                onnx::ScatterNDOp::Adaptor in, NodeBuilder &b) {
  Value data = in.getData(), updates = in.getUpdates();
  FailureOr<SmallVector<Value>> tuple = indexTuple(b, data, in.getIndices(), 0);
  if (failed(tuple))
    return failure();
  // The dims of `indices` but the last, then those of `data` not indexed.
  int64_t rank = rankOf(in.getIndices()) - 1 + rankOf(data) - tuple->size();
  if (rankOf(updates) != rank)
    return b.decline() << "expected updates of rank " << rank << ", got "
                       << updates.getType();
  StringRef reduction = op.getReduction();
  if (reduction == "none" || reduction == "add")
    return Value(b.create<torch::AtenIndexPutOp>(
        data, b.optionalTensors(*tuple), updates,
        b.constantBool(reduction == "add")));
  FailureOr<StringRef> name = scatterReduction(b, reduction);
  if (failed(name))
    return failure();
  // As rows of a matrix: the indexed dims are flattened into one, and so are
  // the others.
  int64_t depth = tuple->size();
  SmallVector<Value> sizes = b.sizes(data);
  Value rows = b.product(ArrayRef(sizes).take_front(depth)),
        width = b.product(ArrayRef(sizes).drop_front(depth)),
        row = b.constant(0);
  for (int64_t dim = 0; dim < depth; ++dim) {
    Value index = wrapIndices(b, (*tuple)[dim], sizes[dim]);
    Value scaled =
        dim ? b.create<torch::AtenMulScalarOp>(row, sizes[dim]).getResult()
            : Value();
    row = dim ? b.add(scaled, index) : index;
  }
  Value all = b.constant(-1);
  Value index = b.expand(b.view(row, {all, b.constant(1)}), {all, width});
  Value scattered = b.create<torch::AtenScatterReduceTwoOp>(
      b.view(data, {rows, width}), b.constant(0), index,
      b.view(updates, {all, width}), b.constantStr(*name),
      b.constantBool(true));
  return b.view(scattered, sizes);
}

/// TensorScatter-24: the cache with the update of batch i written at position
/// write_indices[i] of `axis`; `circular` continues at the beginning.
FailureOr<Value> lowerTensorScatter(onnx::TensorScatterOp op,
                                    onnx::TensorScatterOp::Adaptor in,
                                    NodeBuilder &b) {
  Value cache = in.getPastCache(), update = in.getUpdate();
  int64_t rank = rankOf(cache);
  FailureOr<int64_t> axis = axisOf(b, op.getAxis(), rank);
  if (failed(axis))
    return failure();
  if (*axis == 0)
    return b.decline() << "expected an axis other than that of the batch, got "
                          "0";
  StringRef mode = op.getMode();
  if (mode != "linear" && mode != "circular")
    return b.decline() << "expected mode to be linear or circular, got '"
                       << mode << "'";
  Value places =
      alongAxis(b, iota(b, b.constant(0), b.size(update, *axis)), *axis, rank);
  if (isPresent(in.getWriteIndices()))
    places = b.add(places, alongAxis(b, in.getWriteIndices(), 0, rank));
  if (mode == "circular")
    places = b.create<torch::AtenRemainderTensorOp>(
        places, b.tensorOfInts(b.size(cache, *axis), int64Dtype(b),
                               /*scalar=*/true));
  return Value(b.create<torch::AtenScatterSrcOp>(
      cache, b.constant(*axis), b.expand(places, b.sizes(update)), update));
}

} // namespace

void onnx_to_torch::populateIndexing(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerCompress);
  lowerings.add(lowerGather);
  lowerings.add(lowerGatherElements);
  lowerings.add(lowerGatherND);
  lowerings.add(lowerMicrosoftGatherND);
  lowerings.add(lowerNonZero);
  lowerings.add(lowerOneHot);
  lowerings.add(lowerReverseSequence);
  lowerings.add(lowerScatterElements);
  lowerings.add(lowerScatterND);
  lowerings.add(lowerTensorScatter);
}
