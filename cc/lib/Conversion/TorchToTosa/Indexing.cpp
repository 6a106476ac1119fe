//===- Indexing.cpp - ATen gathers to TOSA --------------------------------===//
//
// tosa.gather gathers rows: values [N,K,C] and indices [N,W] give [N,W,C]. N is
// the product of the dims before the indexed dim, K the indexed dim, C the
// product of the dims after it.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "IndexedDims.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

namespace {

/// tosa.gather does not support bools; they are cast to i8.
Value gatherRows(Value values, Value indices, TosaBuilder &b) {
  Type element = TosaBuilder::elementOf(values);
  if (element.isInteger(1))
    values = b.cast(values, b.getBuilder().getI8Type());
  return b.cast(b.gather(values, indices), element);
}

/// index_select(self, dim, index [n]): dim becomes n.
FailureOr<Value> lowerIndexSelect(torch::AtenIndexSelectOp op,
                                  torch::AtenIndexSelectOp::Adaptor in,
                                  TosaBuilder &b) {
  Value x = in.getSelf();
  std::optional<int64_t> dim = torch::matchInt(op.getDim());
  if (!dim)
    return b.decline() << torch::kConstantDim;
  if (TosaBuilder::rankOf(x) == 0)
    return x;
  return selectSlices(x, in.getIndex(),
                      torch::normalDim(*dim, TosaBuilder::rankOf(x)), b);
}

/// gather: out[i][j][k] = self[i][index[i][j][k]][k] for dim 1. With `dim`
/// last, single elements are rows of size one.
FailureOr<Value> lowerGather(torch::AtenGatherOp op,
                             torch::AtenGatherOp::Adaptor in, TosaBuilder &b) {
  Value x = in.getSelf(), index = b.cast(in.getIndex(), b.i32());
  std::optional<int64_t> dim = torch::matchInt(op.getDim());
  if (!dim)
    return b.decline() << torch::kConstantDim;
  // A rank-0 tensor has a single element, which is repeated at each position.
  if (TosaBuilder::rankOf(x) == 0)
    return b.tile(
        b.reshape(x, SmallVector<int64_t>(TosaBuilder::rankOf(index), 1)),
        TosaBuilder::sizesOf(index));
  if (TosaBuilder::rankOf(index) == 0)
    index = b.reshape(index, {1});
  int64_t rank = TosaBuilder::rankOf(x);
  int64_t at = torch::normalDim(*dim, rank);
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
  Value picked =
      gatherRows(b.reshape(x, {n, TosaBuilder::sizesOf(x).back(), 1}),
                 b.reshape(index, {n, sizes.back()}), b);
  return b.transpose(b.reshape(picked, sizes), order);
}

/// index.Tensor(self, indices): rows, see IndexedDims.
FailureOr<Value> lowerIndex(torch::AtenIndexTensorOp op,
                            torch::AtenIndexTensorOp::Adaptor in,
                            TosaBuilder &b) {
  Value x = in.getSelf();
  std::optional<SmallVector<Value>> indices = torch::matchList(op.getIndices());
  if (!indices)
    return b.decline()
           << "expected a list of indices that is known while compiling";
  FailureOr<IndexedDims> indexed = readIndices(*indices, op.getSelf(), x, b);
  if (failed(indexed))
    return failure();
  if (!indexed->linear)
    return x;
  Value rows = b.reshape(b.transpose(x, indexed->order),
                         {indexed->n, indexed->k, indexed->c});
  return gatherRows(rows, repeatedIndices(indexed->linear, indexed->n, b), b);
}

} // namespace

Value torch_to_tosa::selectSlices(Value x, Value indices, int64_t dim,
                                  TosaBuilder &b) {
  ArrayRef<int64_t> sizes = TosaBuilder::sizesOf(x);
  int64_t n = product(sizes.take_front(dim)),
          c = product(sizes.drop_front(dim + 1));
  Value rows = b.reshape(x, {n, sizes[dim], c});
  return gatherRows(rows, repeatedIndices(indices, n, b), b);
}

void torch_to_tosa::populateIndexing(TosaLowerings &lowerings) {
  lowerings.add(lowerGather, lowerIndex, lowerIndexSelect);
  lowerings.addUnsupported<torch::AtenNonzeroOp>(
      "the result has as many rows as elements are not 0, which TOSA cannot "
      "say");
}
