//===- Indexing.cpp - Elements chosen by index tensors to MHLO ------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/ReductionArguments.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/TorchBuilder.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;
using Direction = hlo::ComparisonDirection;

namespace {

/// PyTorch indexes a rank-0 tensor like a tensor of one element.
Value atLeastOneDim(HloBuilder &b, Value value) {
  return b.rank(value) == 0 ? b.reshape(value, Size(1)) : value;
}

/// Reshapes a result of atLeastOneDim(like) back to the rank of `like`.
Value withRankOf(HloBuilder &b, Value value, Value like) {
  return b.rank(like) == 0 ? b.reshape(value, {}) : value;
}

/// Full coordinates [..., rank] of the elements that gather and scatter access:
/// an element's own coordinates, with `index` in dim `dim`.
Value coordinates(HloBuilder &b, Value index, int64_t dim) {
  Type element = b.getBuilder().getI64Type();
  Sizes shape = b.sizes.sizesOf(index), column = shape;
  column.push_back(1);
  SmallVector<Value> columns;
  for (int64_t i : dimsUpTo(shape.size()))
    columns.push_back(i == dim ? b.reshape(b.convert(index, element), column)
                               : b.iota(column, i, element));
  return b.concatenate(columns, shape.size());
}

/// Scatters scalars to full coordinates.
Value scatterScalars(HloBuilder &b, Value self, Value coordinates,
                     Value updates, HloBuilder::Body body) {
  SmallVector<int64_t> all = dimsUpTo(b.rank(self));
  auto numbers = mhlo::ScatterDimensionNumbersAttr::get(
      b.getBuilder().getContext(), /*updateWindowDims=*/{},
      /*insertedWindowDims=*/all, {}, {}, /*scatterDimsToOperandDims=*/all,
      b.rank(coordinates) - 1);
  auto op = mhlo::ScatterOp::create(
      b.getBuilder(), b.getLoc(), self.getType(), self, coordinates, updates,
      numbers, /*indices_are_sorted=*/nullptr, /*unique_indices=*/nullptr);
  Type element = b.elementType(self);
  b.fillBody(op.getUpdateComputation(), {element, element}, body);
  return op->getResult(0);
}

/// The update replaces the old value.
SmallVector<Value> takeUpdate(HloBuilder &, ValueRange args) {
  return {args[1]};
}

/// gather(dim, index): result[..., i, ...] = self[..., index[..., i, ...],
/// ...].
FailureOr<Value> lowerGather(torch::AtenGatherOp op,
                             torch::AtenGatherOp::Adaptor in, HloBuilder &b) {
  auto dim = torch::matchInt(op.getDim());
  if (!dim)
    return b.decline() << torch::kConstantDim;
  Value self = atLeastOneDim(b, in.getSelf());
  Value index = atLeastOneDim(b, in.getIndex());
  int64_t rank = b.rank(self);
  SmallVector<int64_t> all = dimsUpTo(rank), ones(rank, 1);
  auto numbers = mhlo::GatherDimensionNumbersAttr::get(
      op.getContext(), /*offsetDims=*/{}, /*collapsedSliceDims=*/all, {}, {},
      /*startIndexMap=*/all, rank);
  Value gathered = b.create<mhlo::GatherOp>(
      self, coordinates(b, index, torch::normalDim(*dim, rank)), numbers,
      b.dimsAttr(ones), /*indices_are_sorted=*/nullptr);
  return withRankOf(b, gathered, in.getIndex());
}

/// The part of src that `index` covers.
Value matchingPart(HloBuilder &b, Value src, Value index) {
  return b.slice(src, Sizes(b.rank(src), 0), b.sizes.sizesOf(index),
                 SmallVector<int64_t>(b.rank(src), 1));
}

/// scatter(dim, index, src): self[..., index[..., i, ...], ...] = src[..., i,
/// ...].
FailureOr<Value> lowerScatter(torch::AtenScatterSrcOp op,
                              torch::AtenScatterSrcOp::Adaptor in,
                              HloBuilder &b) {
  auto dim = torch::matchInt(op.getDim());
  if (!dim)
    return b.decline() << torch::kConstantDim;
  Value self = atLeastOneDim(b, in.getSelf());
  Value index = atLeastOneDim(b, in.getIndex());
  Value src = atLeastOneDim(b, in.getSrc());
  Value scattered = scatterScalars(
      b, self, coordinates(b, index, torch::normalDim(*dim, b.rank(self))),
      matchingPart(b, src, index), takeUpdate);
  return withRankOf(b, scattered, in.getSelf());
}

using Kind = torch::ScatterReduceArguments::Kind;

/// The element that a reduction of scatter_reduce starts from.
Value neutralOf(HloBuilder &b, Kind kind, Type element) {
  switch (kind) {
  case Kind::Sum:
  case Kind::Mean:
    return b.scalar(int64_t(0), element);
  case Kind::Product:
    return b.scalar(int64_t(1), element);
  case Kind::Max:
    return b.lowest(element);
  case Kind::Min:
    return b.highest(element);
  }
  llvm_unreachable("every case returns");
}

HloBuilder::Body combinerOf(Kind kind) {
  switch (kind) {
  case Kind::Sum:
  case Kind::Mean:
    return HloBuilder::binary<mhlo::AddOp>;
  case Kind::Product:
    return HloBuilder::binary<mhlo::MulOp>;
  case Kind::Max:
    return HloBuilder::binary<mhlo::MaxOp>;
  case Kind::Min:
    return HloBuilder::binary<mhlo::MinOp>;
  }
  llvm_unreachable("every case returns");
}

/// Like scatter, but combines all updates of a position. Without include_self,
/// positions with an update start from the neutral element.
FailureOr<Value> lowerScatterReduce(torch::AtenScatterReduceTwoOp op,
                                    torch::AtenScatterReduceTwoOp::Adaptor in,
                                    HloBuilder &b) {
  auto arguments = torch::ScatterReduceArguments::read(op);
  if (!arguments)
    return b.decline() << torch::kConstantScatterReduce;
  Kind kind = arguments->kind;
  Value self = atLeastOneDim(b, in.getSelf());
  Value index = atLeastOneDim(b, in.getIndex());
  Type element = b.elementType(self);
  Value places = coordinates(b, index, arguments->dim);
  Value src = matchingPart(b, atLeastOneDim(b, in.getSrc()), index);
  Value start = self;
  if (!arguments->includesSelf)
    start = scatterScalars(
        b, self, places,
        b.broadcastScalar(neutralOf(b, kind, element), b.sizes.sizesOf(src)),
        takeUpdate);
  Value combined = scatterScalars(b, start, places, src, combinerOf(kind));
  if (kind == Kind::Mean) {
    Value count = scatterScalars(
        b, b.fullLike(arguments->includesSelf ? 1.0 : 0.0, self), places,
        b.fullLike(1.0, src), HloBuilder::binary<mhlo::AddOp>);
    // Positions without an update keep their element: a count of zero becomes
    // one.
    count = b.create<mhlo::MaxOp>(count, b.fullLike(1.0, count));
    combined = isa<FloatType>(element) ? b.create<mhlo::DivOp>(combined, count)
                                       : b.floorDivide(combined, count);
  }
  return withRankOf(b, combined, in.getSelf());
}

/// Slices of size one along some dims and of full size along the others,
/// gathered at `places`, whose last dim holds the coordinates in the `indexed`
/// dims.
Value gatherSlices(HloBuilder &b, Value self, Value places, Dims indexed,
                   Dims offsetDims) {
  Sizes slice = b.sizes.sizesOf(self);
  for (int64_t dim : indexed)
    slice[dim] = 1;
  auto numbers = mhlo::GatherDimensionNumbersAttr::get(
      b.getBuilder().getContext(), offsetDims,
      /*collapsedSliceDims=*/indexed, {}, {}, /*startIndexMap=*/indexed,
      b.rank(places) - 1);
  if (areKnown(slice))
    return b.create<mhlo::GatherOp>(
        self, places, numbers,
        b.dimsAttr(llvm::map_to_vector(
            slice, [](Size size) { return size.getNumber(); })),
        /*indices_are_sorted=*/nullptr);
  int64_t batchRank = b.rank(places) - 1;
  SmallVector<int64_t> shape;
  Sizes batch = b.sizes.sizesOf(places);
  auto nextBatch = batch.begin();
  auto nextOffset = slice.begin();
  for (int64_t dim : dimsUpTo(batchRank + offsetDims.size())) {
    if (!llvm::is_contained(offsetDims, dim)) {
      shape.push_back((nextBatch++)->getNumber());
      continue;
    }
    while (llvm::is_contained(indexed, nextOffset - slice.begin()))
      ++nextOffset;
    shape.push_back((nextOffset++)->getNumber());
  }
  return b.create<mhlo::DynamicGatherOp>(
      RankedTensorType::get(shape, b.elementType(self)), self, places,
      b.sizes.materialize(slice), numbers, /*indices_are_sorted=*/nullptr);
}

/// index_select(dim, index): slices of one dim.
FailureOr<Value> lowerIndexSelect(torch::AtenIndexSelectOp op,
                                  torch::AtenIndexSelectOp::Adaptor in,
                                  HloBuilder &b) {
  auto dim = torch::matchInt(op.getDim());
  if (!dim)
    return b.decline() << torch::kConstantDim;
  Value self = atLeastOneDim(b, in.getSelf());
  Value index = atLeastOneDim(b, in.getIndex());
  int64_t place = torch::normalDim(*dim, b.rank(self));
  return withRankOf(b, selectSlices(b, self, index, place), in.getSelf());
}

/// Index tensors of aten.index and index_put, in the form for gather and
/// scatter.
struct IndexTensors {
  Value places;                    // [common shape..., number of indexed dims]
  SmallVector<int64_t> indexed;    // the dims of self they index
  SmallVector<int64_t> offsetDims; // the other dims of the result

  /// The common shape of the indices replaces the first indexed dim, or comes
  /// first if other dims lie between the indexed ones (NumPy's advanced
  /// indexing).
  static FailureOr<IndexTensors> match(HloBuilder &b, Value self, Value list) {
    auto elements = torch::matchList(list);
    auto converted = b.convertedElements(list);
    if (!elements || failed(converted))
      return failure();
    if (llvm::all_of(*elements, [](Value v) { return torch::isNone(v); }))
      return failure();
    IndexTensors result;
    SmallVector<Value> indices;
    for (auto [dim, element] : llvm::enumerate(*elements)) {
      if (torch::isNone(element))
        continue;
      result.indexed.push_back(dim);
      indices.push_back(
          fromFront(b, (*converted)[dim], b.sizes.sizeOf(self, dim)));
    }

    Sizes common = b.commonShape(indices), column = common;
    column.push_back(1);
    for (Value &index : indices)
      index = b.reshape(b.broadcastTo(index, common), column);
    result.places = b.concatenate(indices, common.size());

    int64_t first = result.indexed.front(), count = result.indexed.size();
    bool isContiguous = result.indexed.back() - first + 1 == count;
    int64_t place = isContiguous ? first : 0;
    int64_t resultRank = b.rank(self) - count + common.size();
    for (int64_t dim : dimsUpTo(resultRank))
      if (dim < place || dim >= place + static_cast<int64_t>(common.size()))
        result.offsetDims.push_back(dim);
    return result;
  }

private:
  /// Negative indices count from the end of the dim.
  static Value fromFront(HloBuilder &b, Value index, Size size) {
    Type element = b.getBuilder().getI64Type();
    index = b.convert(index, element);
    Value isNegative =
        b.compare(Direction::LT, index, b.fullLike(int64_t(0), index));
    Value length =
        b.broadcastScalar(b.sizes.materialize(size), b.sizes.sizesOf(index));
    return b.select(isNegative, b.create<mhlo::AddOp>(index, length), index);
  }
};

constexpr StringLiteral expectedIndices =
    "expected a constructed list of index tensors";

/// True if the list contains bools.
bool hasMask(Value list) {
  std::optional<SmallVector<Value>> elements = torch::matchList(list);
  return elements && llvm::any_of(*elements, [](Value index) {
           Type dtype = torch::tensorType(index).getDtype();
           return dtype && torch::isBoolean(dtype);
         });
}

constexpr StringLiteral maskIsData =
    "a mask picks as many elements as are true, which XLA cannot compile";

/// self[indices].
FailureOr<Value> lowerIndex(torch::AtenIndexTensorOp op,
                            torch::AtenIndexTensorOp::Adaptor in,
                            HloBuilder &b) {
  if (hasMask(op.getIndices()))
    return b.decline() << maskIsData;
  FailureOr<IndexTensors> indices =
      IndexTensors::match(b, in.getSelf(), op.getIndices());
  if (failed(indices))
    return b.decline() << expectedIndices;
  return gatherSlices(b, in.getSelf(), indices->places, indices->indexed,
                      indices->offsetDims);
}

/// self[indices] = values, or += values.
FailureOr<Value> lowerIndexPut(torch::AtenIndexPutOp op,
                               torch::AtenIndexPutOp::Adaptor in,
                               HloBuilder &b) {
  auto accumulates = torch::matchBool(op.getAccumulate());
  if (!accumulates)
    return b.decline()
           << "expected an accumulate that is known while compiling";
  if (hasMask(op.getIndices()))
    return b.decline() << maskIsData;
  Value self = in.getSelf();
  FailureOr<IndexTensors> indices =
      IndexTensors::match(b, self, op.getIndices());
  if (failed(indices))
    return b.decline() << expectedIndices;

  // Values broadcast to the shape of self[indices].
  Sizes batch = b.sizes.sizesOf(indices->places), shape;
  auto nextBatch = batch.begin();
  int64_t nextDim = 0;
  int64_t rank = b.rank(indices->places) - 1 + indices->offsetDims.size();
  for (int64_t dim : dimsUpTo(rank)) {
    if (!llvm::is_contained(indices->offsetDims, dim)) {
      shape.push_back(*nextBatch++);
      continue;
    }
    while (llvm::is_contained(indices->indexed, nextDim))
      ++nextDim;
    shape.push_back(b.sizes.sizeOf(self, nextDim++));
  }
  Value values = b.broadcastTo(in.getValues(), shape);

  auto numbers = mhlo::ScatterDimensionNumbersAttr::get(
      op.getContext(), /*updateWindowDims=*/indices->offsetDims,
      /*insertedWindowDims=*/indices->indexed, {}, {},
      /*scatterDimsToOperandDims=*/indices->indexed,
      b.rank(indices->places) - 1);
  auto scatter = mhlo::ScatterOp::create(
      b.getBuilder(), b.getLoc(), self.getType(), self, indices->places, values,
      numbers, /*indices_are_sorted=*/nullptr,
      /*unique_indices=*/nullptr);
  Type element = b.elementType(self);
  b.fillBody(scatter.getUpdateComputation(), {element, element},
             *accumulates ? HloBuilder::binary<mhlo::AddOp> : takeUpdate);
  return scatter->getResult(0);
}

} // namespace

Value torch_to_mhlo::selectSlices(HloBuilder &b, Value tensor, Value indices,
                                  int64_t dim) {
  Sizes column = b.sizes.sizesOf(indices);
  column.push_back(1);
  SmallVector<int64_t> offsetDims = dimsUpTo(b.rank(tensor));
  llvm::erase(offsetDims, dim);
  return gatherSlices(b, tensor, b.reshape(indices, column), {dim}, offsetDims);
}

void torch_to_mhlo::populateIndexing(HloLowerings &lowerings) {
  lowerings.add(lowerGather, lowerIndex, lowerIndexPut, lowerIndexSelect,
                lowerScatter, lowerScatterReduce);
  lowerings.addUnsupported<torch::AtenNonzeroOp>(kDependsOnData);
}
