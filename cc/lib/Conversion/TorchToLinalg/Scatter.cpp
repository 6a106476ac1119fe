//===- Scatter.cpp - Writes at positions given by index tensors -----------===//
//
// Positions may repeat, so the writes are sequential.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Positions.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ReductionArguments.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;
using namespace isthmus::torch;

namespace {

/// The value to store, given the old value and the update.
using Combine = llvm::function_ref<Value(Elements, Value old, Value update)>;

/// index_put: self[i, j, :, k] = values, or += values.
FailureOr<Value> lowerIndexPut(AtenIndexPutOp op, AtenIndexPutOp::Adaptor in,
                               LinalgBuilder &b) {
  std::optional<bool> accumulates = matchBool(op.getAccumulate());
  if (!accumulates)
    return b.decline()
           << "expected an accumulate that is known while compiling";
  Type dtype = dtypeOf(op.getSelf());
  Value self = in.getSelf();
  std::optional<IndexedDims> dims = IndexedDims::of(self, op.getIndices(), b);
  if (!dims)
    return b.decline() << "expected indices of known rank and dtype in a list "
                          "that is made by torch.prim.ListConstruct";
  // Every position needs its own indices and its own value.
  SmallVector<Value> indices =
      llvm::map_to_vector(dims->alignedIndices(b), [&](Value index) {
        return b.broadcastTo(index, dims->sizes);
      });
  Value values = b.broadcastTo(
      b.convert(in.getValues(), dtypeOf(op.getValues()), dtype), dims->sizes);
  SmallVector<Value> sizes = llvm::map_to_vector(
      b.sizes.of(self), [&](Size size) { return b.sizes.toIndex(size); });
  return b
      .forEach(
          dims->sizes, self,
          [&](LinalgBuilder &inner, ValueRange position, ValueRange soFar) {
            SmallVector<Value> at;
            int64_t kept = 0;
            size_t next = 0;
            for (auto [dim, index] : llvm::enumerate(dims->indices)) {
              if (!index)
                at.push_back(position[dims->resultDim(kept++)]);
              else
                at.push_back(checkedPosition(
                    inner, inner.extract(indices[next++], position),
                    dims->dtypes[dim], sizes[dim], Negative::FromEnd));
            }
            Value value = inner.extract(values, position);
            if (*accumulates)
              value = inner.elements(dtype).add(
                  inner.extract(soFar.front(), at), value);
            return SmallVector<Value>{
                inner.create<tensor::InsertOp>(value, soFar.front(), at)};
          })
      .front();
}

/// result[i, index[i, j, k], k] = combine(old value, src[i, j, k]), here for
/// dim 1.
Value scatter(LinalgBuilder &b, Value self, Type dtype, int64_t dim,
              Value index, Type indexDtype, Value src, Combine combine) {
  int64_t rank = typeOf(self).getRank();
  dim = normalDim(dim, rank);
  checkCovered(b, index, self, dim);
  if (src)
    checkCovered(b, index, src);
  Value size = rank ? b.sizes.toIndex(b.sizes.of(self, dim)) : Value();
  return b
      .forEach(
          b.sizes.of(index), self,
          [&](LinalgBuilder &inner, ValueRange position, ValueRange soFar) {
            SmallVector<Value> at(position.take_front(rank));
            if (rank)
              at[dim] = checkedPosition(inner, inner.extract(index, position),
                                        indexDtype, size, Negative::Outside);
            Value value =
                combine(inner.elements(dtype), inner.extract(soFar.front(), at),
                        src ? inner.extract(src, position) : Value());
            return SmallVector<Value>{
                inner.create<tensor::InsertOp>(value, soFar.front(), at)};
          })
      .front();
}

Value replaceBy(Elements, Value, Value update) { return update; }

FailureOr<Value> lowerScatter(AtenScatterSrcOp op, AtenScatterSrcOp::Adaptor in,
                              LinalgBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.decline() << "expected a dim that is known while compiling";
  return scatter(b, in.getSelf(), dtypeOf(op.getSelf()), *dim, in.getIndex(),
                 dtypeOf(op.getIndex()), in.getSrc(), replaceBy);
}

/// scatter_reduce: combines all updates of a position. Without include_self,
/// the old value of an updated position is ignored.
FailureOr<Value> lowerScatterReduce(AtenScatterReduceTwoOp op,
                                    AtenScatterReduceTwoOp::Adaptor in,
                                    LinalgBuilder &b) {
  auto arguments = ScatterReduceArguments::read(op);
  if (!arguments)
    return b.decline() << kConstantScatterReduce;
  using Kind = ScatterReduceArguments::Kind;
  Kind kind = arguments->kind;
  int64_t dim = arguments->dim;
  auto combine = kind == Kind::Product ? &Elements::mul
                 : kind == Kind::Max   ? &Elements::max
                 : kind == Kind::Min   ? &Elements::min
                                       : &Elements::add;
  Type dtype = dtypeOf(op.getSelf()), indexDtype = dtypeOf(op.getIndex());

  Value self = in.getSelf(), index = in.getIndex();
  auto neutral = [&](Elements e) {
    return kind == Kind::Product ? e.one()
           : kind == Kind::Max   ? e.lowest()
           : kind == Kind::Min   ? e.highest()
                                 : e.zero();
  };
  Value base = self;
  if (!arguments->includesSelf)
    base = scatter(b, self, dtype, dim, index, indexDtype, {},
                   [&](Elements e, Value, Value) { return neutral(e); });
  Value result = scatter(b, base, dtype, dim, index, indexDtype, in.getSrc(),
                         [&](Elements e, Value old, Value update) {
                           return (e.*combine)(old, update);
                         });
  if (kind != Kind::Mean)
    return result;

  // The mean divides by the number of combined values, self included or not.
  Elements outside = b.elements(dtype);
  Value counts =
      b.filled(b.sizes.of(self),
               arguments->includesSelf ? outside.one() : outside.zero());
  counts = scatter(
      b, counts, dtype, dim, index, indexDtype, {},
      [&](Elements e, Value old, Value) { return e.add(old, e.one()); });
  return b.pointwise({result, counts}, elementType(dtype),
                     [&](OpBuilder &body, Location loc, ValueRange x) {
                       Elements e(body, loc, dtype);
                       Value count = e.max(x[1], e.one());
                       return e.isFloat() ? e.div(x[0], count)
                                          : e.floorDiv(x[0], count);
                     });
}

} // namespace

void torch_to_linalg::populateScatter(LinalgLowerings &lowerings) {
  lowerings.add(lowerScatter);
  lowerings.addReal(lowerIndexPut, lowerScatterReduce);
}
