//===- Indexing.cpp - ATen gathers to TOSA --------------------------------===//
//
// tosa.gather takes rows: values [N,K,C] and indices [N,W] give [N,W,C]. What
// stands before the indexed dim is N, the dim is K, what follows is C.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "isthmus/Conversion/TorchLowering.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

namespace {

/// tosa.gather takes no bools; they go as i8.
Value gatherRows(Value values, Value indices, TosaBuilder &b) {
  Type element = TosaBuilder::elementOf(values);
  if (element.isInteger(1))
    values = b.cast(values, b.getBuilder().getI8Type());
  return b.cast(b.gather(values, indices), element);
}

/// Indices of any shape as [N,W], the same for every n.
Value repeatedIndices(Value indices, int64_t n, TosaBuilder &b) {
  int64_t count = product(TosaBuilder::sizesOf(indices));
  return b.tile(b.reshape(b.cast(indices, b.i32()), {1, count}), {n, count});
}

/// index_select(self, dim, index [n]): dim becomes n.
struct IndexSelectLowering : TosaLowering<torch::AtenIndexSelectOp> {
  using TosaLowering::TosaLowering;
  FailureOr<Results> lower(torch::AtenIndexSelectOp op, Adaptor adaptor,
                           TosaBuilder &b) const override {
    Value x = adaptor.getSelf();
    std::optional<int64_t> dim = torch::matchInt(op.getDim());
    if (!dim)
      return decline(op) << "expected a dim that is known while compiling";
    if (TosaBuilder::rankOf(x) == 0)
      return one(x);
    ArrayRef<int64_t> sizes = TosaBuilder::sizesOf(x);
    int64_t at = normalized(*dim, sizes.size());
    int64_t n = product(sizes.take_front(at)), c = product(sizes.drop_front(at + 1));
    Value rows = b.reshape(x, {n, sizes[at], c});
    return one(gatherRows(rows, repeatedIndices(adaptor.getIndex(), n, b), b));
  }
};

/// gather: out[i][j][k] = self[i][index[i][j][k]][k] for dim 1. Single elements
/// are rows of one, once `dim` is the last.
struct GatherLowering : TosaLowering<torch::AtenGatherOp> {
  using TosaLowering::TosaLowering;
  FailureOr<Results> lower(torch::AtenGatherOp op, Adaptor adaptor, TosaBuilder &b) const override {
    Value x = adaptor.getSelf(), index = b.cast(adaptor.getIndex(), b.i32());
    std::optional<int64_t> dim = torch::matchInt(op.getDim());
    if (!dim)
      return decline(op) << "expected a dim that is known while compiling";
    int64_t rank = TosaBuilder::rankOf(x);
    if (rank != TosaBuilder::rankOf(index))
      return decline(op) << "expected an index of the input's rank, got "
                         << op.getIndex().getType();
    if (rank == 0)
      return one(x);
    int64_t at = normalized(*dim, rank);
    // The index may be smaller than the input in the other dims.
    for (int64_t other = 0; other < rank; ++other)
      if (other != at)
        x = b.slice(x, other, 0, TosaBuilder::sizesOf(index)[other]);
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(order[at], order[rank - 1]);
    x = b.transpose(x, order);
    index = b.transpose(index, order);
    SmallVector<int64_t> sizes(TosaBuilder::sizesOf(index));
    int64_t n = product(ArrayRef(sizes).drop_back());
    Value picked = gatherRows(b.reshape(x, {n, TosaBuilder::sizesOf(x).back(), 1}),
                              b.reshape(index, {n, sizes.back()}), b);
    return one(b.transpose(b.reshape(picked, sizes), order));
  }
};

/// index.Tensor(self, indices): the indexed dims are brought side by side and
/// merged into one, and the index tensors into one that counts in it.
struct IndexLowering : TosaLowering<torch::AtenIndexTensorOp> {
  using TosaLowering::TosaLowering;
  FailureOr<Results> lower(torch::AtenIndexTensorOp op, Adaptor adaptor,
                           TosaBuilder &b) const override {
    Value x = adaptor.getSelf();
    std::optional<SmallVector<Value>> list = torch::matchList(op.getIndices());
    auto &rewriter = static_cast<ConversionPatternRewriter &>(b.getBuilder());
    if (!list)
      return decline(op) << "expected a list of indices that is known while compiling";

    int64_t rank = TosaBuilder::rankOf(x);
    SmallVector<int64_t> indexed, kept;
    SmallVector<Value> indices;
    for (int64_t dim = 0; dim < rank; ++dim) {
      if (dim >= static_cast<int64_t>(list->size()) || torch::isNone((*list)[dim])) {
        kept.push_back(dim);
        continue;
      }
      Value index = origin((*list)[dim]);
      if (!isa<torch::ValueTensorType>(index.getType()))
        return decline(op) << "expected index tensors, got " << index.getType();
      if (torch::isBoolean(dtypeOf(index)))
        return decline(op) << "a bool index picks as many elements as are true, which TOSA cannot "
                              "say; use where instead";
      indexed.push_back(dim);
      Value converted = rewriter.getRemappedValue(index);
      Type type = getTypeConverter()->convertType(index.getType());
      if (!converted || !type || converted.getType() != type)
        return decline(op) << "expected index tensors that are lowered already";
      indices.push_back(b.cast(converted, b.i32()));
    }
    if (indexed.empty())
      return one(x);
    if (llvm::is_contained(TosaBuilder::sizesOf(x), ShapedType::kDynamic))
      return decline(op) << "expected a tensor of known sizes, got " << op.getSelf().getType()
                         << "; make sizes known with --specialize";

    // Dims that stand side by side stay where they are, others go first.
    bool adjacent = indexed.back() - indexed.front() + 1 == static_cast<int64_t>(indexed.size());
    int64_t place = adjacent ? indexed.front() : 0;
    SmallVector<int64_t> order(kept);
    order.insert(order.begin() + place, indexed.begin(), indexed.end());
    SmallVector<int64_t> sizes(TosaBuilder::sizesOf(x));
    x = b.transpose(x, order);
    ArrayRef<int64_t> ordered = TosaBuilder::sizesOf(x);
    int64_t n = product(ordered.take_front(place));
    int64_t k = product(ordered.slice(place, indexed.size()));
    int64_t c = product(ordered.drop_front(place + indexed.size()));

    Value linear;
    for (auto [dim, index] : llvm::zip_equal(indexed, indices)) {
      // A negative index counts from the end.
      Value size = b.splatLike(sizes[dim], index), zero = b.splatLike(0, index);
      index = b.select(b.less(index, zero), b.add(index, size), index);
      linear = linear ? b.add(b.mul(linear, b.splatLike(sizes[dim], linear)), index) : index;
    }
    Value rows = gatherRows(b.reshape(x, {n, k, c}), repeatedIndices(linear, n, b), b);
    return one(rows);
  }

private:
  static Value origin(Value value) {
    while (auto derefine = value.getDefiningOp<torch::DerefineOp>())
      value = derefine.getOperand();
    return value;
  }
};

} // namespace

void torch_to_tosa::populateIndexing(const TypeConverter &types, RewritePatternSet &patterns,
                                     UnsupportedOps &unsupported) {
  patterns.add<GatherLowering, IndexLowering, IndexSelectLowering>(types, patterns.getContext(),
                                                                   unsupported);
}
