//===- Scatter.cpp - Writes at positions given by index tensors -----------===//
//
// Positions may repeat, so the writes are sequential.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "IreeOps.h"
#include "Positions.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ReductionArguments.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;
using namespace isthmus::torch;

namespace {

/// Writes of elements, one after the other: x[at] = combine(x[at], update).
struct Writes {
  using ToPosition = decltype(&checkedPosition);
  /// One write for each position of these sizes.
  Sizes sizes;
  /// One index per dim of x; `toPosition` makes it of an element of an index
  /// tensor.
  llvm::function_ref<SmallVector<Value>(LinalgBuilder &, ValueRange position,
                                        ToPosition)>
      at;
  /// One for each position, and perhaps more; null if `combine` ignores them.
  Value updates;
  Combine combine;
};

/// x after the writes. It has one dim while it is written, because IREE
/// computes a wrong place for an element of more dims.
Value write(LinalgBuilder &b, Value x, const Writes &writes) {
  if (llvm::any_of(writes.sizes, [](Size size) { return isKnown(size, 0); }))
    return x;
  Sizes sizes = b.sizes.of(x);
  SmallVector<Value> lengths = llvm::map_to_vector(
      sizes, [&](Size size) { return b.sizes.toIndex(size); });
  auto placeOf = [&](LinalgBuilder &inner, ValueRange position,
                     Writes::ToPosition toPosition) {
    Value place = inner.sizes.toIndex(inner.sizes.constant(0));
    for (auto [number, index] :
         llvm::enumerate(writes.at(inner, position, toPosition)))
      place =
          number == 0
              ? index
              : inner.create<arith::AddIOp>(
                    inner.create<arith::MulIOp>(place, lengths[number]), index);
    return place;
  };
  // IREE cannot compile updates that are one number, for unknown sizes.
  Value updates = writes.updates,
        number = updates ? b.scalarOf(updates) : Value();
  if (number)
    updates = {};
  x = b.flatten(x);
  if (!b.isForIree()) {
    auto loop = b.forEach(
        writes.sizes, x,
        [&](LinalgBuilder &inner, ValueRange position, ValueRange soFar) {
          Value place = placeOf(inner, position, checkedPosition);
          Value old = inner.extract(soFar.front(), place);
          Value update = updates ? inner.extract(updates, position) : number;
          Value value = writes.combine(inner, old, update);
          return SmallVector<Value>{
              inner.create<tensor::InsertOp>(value, soFar.front(), place)};
        });
    return b.reshape(loop.front(), sizes);
  }

  // Kernels cannot stop the program: without elements, no position is valid.
  Size isWritten =
      b.sizes.min(b.sizes.product(writes.sizes), b.sizes.constant(1));
  b.checkAtMost(isWritten, b.sizes.of(x, 0), "elements to write to");
  auto forEachWrite = [&](Type type, auto element) {
    return b.flatten(b.pointwise(
        {}, writes.sizes, type, [&](OpBuilder &body, Location loc, ValueRange) {
          LinalgBuilder inner(body, loc);
          SmallVector<Value> position;
          for (size_t dim : llvm::seq(writes.sizes.size()))
            position.push_back(inner.index(body, dim));
          return element(inner, position);
        }));
  };
  Value places =
      forEachWrite(b.getBuilder().getI64Type(), [&](LinalgBuilder &inner,
                                                    ValueRange position) {
        return inner.sizes.toInt(placeOf(inner, position, clampedPosition));
      });
  // Without updates, those that IREE needs are the old elements.
  Value inOrder =
      forEachWrite(typeOf(x).getElementType(), [&](LinalgBuilder &inner,
                                                   ValueRange position) {
        return updates ? inner.extract(updates, position)
                       : inner.extract(
                             x, placeOf(inner, position, clampedPosition));
      });
  Value written = ireeScatter(
      b, x, places, inOrder,
      [&](LinalgBuilder &inner, Value old, Value update) {
        return writes.combine(inner, old, updates ? update : number);
      });
  return b.reshape(written, sizes);
}

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
  auto at = [&](LinalgBuilder &inner, ValueRange position,
                Writes::ToPosition toPosition) {
    SmallVector<Value> indexed;
    int64_t kept = 0;
    size_t next = 0;
    for (auto [dim, index] : llvm::enumerate(dims->indices)) {
      if (!index)
        indexed.push_back(position[dims->resultDim(kept++)]);
      else
        indexed.push_back(
            toPosition(inner, inner.extract(indices[next++], position),
                       dims->dtypes[dim], sizes[dim], Negative::FromEnd));
    }
    return indexed;
  };
  auto combine = [&](LinalgBuilder &inner, Value old, Value update) {
    return *accumulates ? inner.elements(dtype).add(old, update) : update;
  };
  return write(b, self, {dims->sizes, at, values, combine});
}

/// result[i, index[i, j, k], k] = combine(old value, src[i, j, k]), here for
/// dim 1. src may be null.
Value scatter(LinalgBuilder &b, Value self, int64_t dim, Value index,
              Type indexDtype, Value src, Combine combine) {
  int64_t rank = typeOf(self).getRank();
  dim = normalDim(dim, rank);
  checkCovered(b, index, self, dim);
  if (src)
    checkCovered(b, index, src);
  Value size = rank ? b.sizes.toIndex(b.sizes.of(self, dim)) : Value();
  auto at = [&](LinalgBuilder &inner, ValueRange position,
                Writes::ToPosition toPosition) {
    SmallVector<Value> indexed(position.take_front(rank));
    if (rank)
      indexed[dim] = toPosition(inner, inner.extract(index, position),
                                indexDtype, size, Negative::Outside);
    return indexed;
  };
  return write(b, self, {b.sizes.of(index), at, src, combine});
}

Value replaceBy(LinalgBuilder &, Value, Value update) { return update; }

FailureOr<Value> lowerScatter(AtenScatterSrcOp op, AtenScatterSrcOp::Adaptor in,
                              LinalgBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.decline() << kConstantDim;
  return scatter(b, in.getSelf(), *dim, in.getIndex(), dtypeOf(op.getIndex()),
                 in.getSrc(), replaceBy);
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
  Value base = self;
  if (!arguments->includesSelf)
    base = scatter(b, self, dim, index, indexDtype, /*src=*/{},
                   [&](LinalgBuilder &inner, Value, Value) {
                     Elements e = inner.elements(dtype);
                     return kind == Kind::Product ? e.one()
                            : kind == Kind::Max   ? e.lowest()
                            : kind == Kind::Min   ? e.highest()
                                                  : e.zero();
                   });
  Value result = scatter(b, base, dim, index, indexDtype, in.getSrc(),
                         [&](LinalgBuilder &inner, Value old, Value update) {
                           return (inner.elements(dtype).*combine)(old, update);
                         });
  if (kind != Kind::Mean)
    return result;

  // The mean divides by the number of combined values, self included or not.
  Elements outside = b.elements(dtype);
  Value counts =
      b.filled(b.sizes.of(self),
               arguments->includesSelf ? outside.one() : outside.zero());
  counts = scatter(b, counts, dim, index, indexDtype, /*src=*/{},
                   [&](LinalgBuilder &inner, Value old, Value) {
                     Elements e = inner.elements(dtype);
                     return e.add(old, e.one());
                   });
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
