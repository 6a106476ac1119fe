//===- Indexing.cpp - Reads at positions given by index tensors -----------===//
//
// Each is one linalg.generic over the result that extracts from the source.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Nonzero.h"
#include "Positions.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;
using namespace isthmus::torch;

namespace {

/// index_select: result[i, j, k] = self[i, index[j], k], here for dim 1.
FailureOr<Value> lowerIndexSelect(AtenIndexSelectOp op,
                                  AtenIndexSelectOp::Adaptor in,
                                  LinalgBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.decline() << kConstantDim;
  Value self = in.getSelf(), index = in.getIndex();
  Sizes sizes = b.sizes.of(self);
  int64_t rank = sizes.size();
  if (rank == 0)
    return self;
  *dim = normalDim(*dim, rank);
  Value size = b.sizes.toIndex(sizes[*dim]);
  sizes[*dim] =
      typeOf(index).getRank() ? b.sizes.of(index, 0) : b.sizes.constant(1);
  Sizes aligned(rank - *dim, b.sizes.constant(1));
  aligned.front() = sizes[*dim];
  Type dtype = dtypeOf(op.getIndex());
  return b.pointwise(
      b.reshape(index, aligned), sizes, typeOf(self).getElementType(),
      [&](OpBuilder &body, Location loc, ValueRange x) -> Value {
        SmallVector<Value> at;
        for (int64_t d : llvm::seq(rank))
          at.push_back(d == *dim ? positionInBody(body, loc, x.front(), dtype,
                                                  size, Negative::Outside)
                                 : b.index(body, d));
        return tensor::ExtractOp::create(body, loc, self, at);
      });
}

/// gather: result[i, j, k] = self[i, index[i, j, k], k], here for dim 1.
FailureOr<Value> lowerGather(AtenGatherOp op, AtenGatherOp::Adaptor in,
                             LinalgBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.decline() << kConstantDim;
  Value self = in.getSelf(), index = in.getIndex();
  int64_t rank = typeOf(self).getRank();
  *dim = normalDim(*dim, rank);
  checkCovered(b, index, self, *dim);
  Value size = rank ? b.sizes.toIndex(b.sizes.of(self, *dim)) : Value();
  Type dtype = dtypeOf(op.getIndex());
  return b.pointwise(
      index, typeOf(self).getElementType(),
      [&](OpBuilder &body, Location loc, ValueRange x) -> Value {
        SmallVector<Value> at;
        for (int64_t d : llvm::seq(rank))
          at.push_back(d == *dim ? positionInBody(body, loc, x.front(), dtype,
                                                  size, Negative::Outside)
                                 : b.index(body, d));
        return tensor::ExtractOp::create(body, loc, self, at);
      });
}

/// index.Tensor: self[i, j, :, k], see IndexedDims.
FailureOr<Value> lowerIndex(AtenIndexTensorOp op, AtenIndexTensorOp::Adaptor in,
                            LinalgBuilder &b) {
  Value self = in.getSelf();
  std::optional<IndexedDims> dims = IndexedDims::of(self, op.getIndices(), b);
  if (!dims)
    return b.decline() << "expected indices of known rank and dtype in a list "
                          "that is made by torch.prim.ListConstruct";
  refine(dims->sizes, op.getResult(), b);
  SmallVector<Value> sizes = llvm::map_to_vector(
      b.sizes.of(self), [&](Size size) { return b.sizes.toIndex(size); });
  return b.pointwise(
      dims->alignedIndices(b), dims->sizes, typeOf(self).getElementType(),
      [&](OpBuilder &body, Location loc, ValueRange elements) -> Value {
        SmallVector<Value> at;
        int64_t kept = 0;
        for (auto [dim, index] : llvm::enumerate(dims->indices)) {
          if (!index) {
            at.push_back(b.index(body, dims->resultDim(kept++)));
            continue;
          }
          at.push_back(positionInBody(body, loc, elements.front(),
                                      dims->dtypes[dim], sizes[dim],
                                      Negative::FromEnd));
          elements = elements.drop_front();
        }
        return tensor::ExtractOp::create(body, loc, self, at);
      });
}

/// nonzero: positions of the nonzero elements, in row-major order.
FailureOr<Value> lowerNonzero(AtenNonzeroOp op, AtenNonzeroOp::Adaptor in,
                              LinalgBuilder &b) {
  return nonzero(b, in.getSelf(), dtypeOf(op.getSelf()));
}

} // namespace

void torch_to_linalg::populateIndexing(LinalgLowerings &lowerings) {
  lowerings.add(lowerGather, lowerIndexSelect, lowerIndex, lowerNonzero);
}
