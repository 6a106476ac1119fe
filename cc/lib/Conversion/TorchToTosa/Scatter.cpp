//===- Scatter.cpp - ATen ops that write by index to TOSA -----------------===//
//
// tosa.scatter writes rows [N,W,C] into values [N,K,C] at indices [N,W], each
// row of the result at most once. If indices may repeat, rows are combined
// through a one-hot selection [N,K,W,C] instead.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "IndexedDims.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/ReductionArguments.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

namespace {

/// tosa.scatter does not support bools; they are cast to i8.
Value scatterRows(Value values, Value indices, Value rows, TosaBuilder &b) {
  Type element = TosaBuilder::elementOf(values);
  if (element.isInteger(1)) {
    Type i8 = b.getBuilder().getI8Type();
    values = b.cast(values, i8);
    rows = b.cast(rows, i8);
  }
  Value result = tosa::ScatterOp::create(
      b.getBuilder(), b.getLoc(), values.getType(), values, indices, rows);
  return b.cast(result, element);
}

/// How rows with the same index are combined.
using Combine = torch::ScatterReduceArguments::Kind;

double neutral(Combine combine, Type element) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  bool isFloat = isa<FloatType>(element);
  switch (combine) {
  case Combine::Sum:
  case Combine::Mean:
    return 0;
  case Combine::Product:
    return 1;
  case Combine::Max:
    return isFloat ? -infinity : std::numeric_limits<int32_t>::min();
  case Combine::Min:
    return isFloat ? infinity : std::numeric_limits<int32_t>::max();
  }
  llvm_unreachable("every way to combine is named above");
}

Value reduced(Combine combine, Value x, int64_t dim, TosaBuilder &b) {
  switch (combine) {
  case Combine::Sum:
  case Combine::Mean:
    return b.reduce<tosa::ReduceSumOp>(x, dim);
  case Combine::Product:
    return b.reduceProduct(x, dim);
  case Combine::Max:
    return b.reduce<tosa::ReduceMaxOp>(x, dim);
  case Combine::Min:
    return b.reduce<tosa::ReduceMinOp>(x, dim);
  }
  llvm_unreachable("every way to combine is named above");
}

Value combined(Combine combine, Value x, Value y, TosaBuilder &b) {
  switch (combine) {
  case Combine::Sum:
  case Combine::Mean:
    return b.add(x, y);
  case Combine::Product:
    return b.mul(x, y);
  case Combine::Max:
    return b.max(x, y);
  case Combine::Min:
    return b.min(x, y);
  }
  llvm_unreachable("every way to combine is named above");
}

/// Values [N,K,C] combined with the rows [N,W,C]; without `includeSelf`, the
/// old value of an updated position is ignored.
Value combineRows(Combine combine, Value values, Value indices, Value rows,
                  bool includeSelf, TosaBuilder &b) {
  ArrayRef<int64_t> sizes = TosaBuilder::sizesOf(values);
  int64_t n = sizes[0], k = sizes[1], c = sizes[2],
          w = TosaBuilder::sizesOf(rows)[1];
  Type element = TosaBuilder::elementOf(values);
  Value meets =
      b.equal(b.reshape(indices, {n, 1, w, 1}), b.iota(k, 1, 4)); // [n,k,w,1]
  Value nothing = b.splat(neutral(combine, element), element, {1, 1, 1, 1});
  Value spread = b.select(meets, b.reshape(rows, {n, 1, w, c}), nothing);
  Value gathered = b.reshape(reduced(combine, spread, 2, b), {n, k, c});
  Value count = b.reshape(
      b.reduce<tosa::ReduceSumOp>(b.cast(meets, b.i32()), 2), {n, k, 1});
  Value met = b.greater(count, b.splatLike(0, count));
  Value own =
      includeSelf
          ? values
          : b.select(met,
                     b.splat(neutral(combine, element), element, {1, 1, 1}),
                     values);
  Value result = combined(combine, own, gathered, b);
  if (combine == Combine::Mean) {
    Value parts = includeSelf ? b.add(count, b.splatLike(1, count))
                              : b.max(count, b.splatLike(1, count));
    result = isa<FloatType>(element)
                 ? b.mul(result, b.reciprocal(b.cast(parts, element)))
                 : b.floorDivide(result, parts);
  }
  return result;
}

/// The same for bools: a sum is true if any is, a product if all are.
Value combineFlags(Combine combine, Value values, Value indices, Value rows,
                   bool includeSelf, TosaBuilder &b) {
  bool isAll = combine == Combine::Product || combine == Combine::Min;
  Value result =
      combineRows(isAll ? Combine::Min : Combine::Max, b.cast(values, b.i32()),
                  indices, b.cast(rows, b.i32()), includeSelf, b);
  return b.cast(result, b.i1());
}

/// Returns the values [n,k,1] with the rows [n,w,1] written at the indices
/// [n,w].
using Write =
    llvm::function_ref<Value(Value values, Value indices, Value rows)>;

/// scatter.src, scatter_reduce: self[i][index[i][j][k]][k] = src[i][j][k] for
/// dim 1. With `dim` last, single elements are rows of size one. Positions that
/// the index does not cover in the other dims keep their values.
FailureOr<Value> scatter(int64_t dim, Value x, Value index, Value source,
                         TosaBuilder &b, Write write) {
  for (Value operand : {x, index, source})
    if (!cast<RankedTensorType>(operand.getType()).hasStaticShape())
      return b.decline()
             << "expected tensors of known sizes; make sizes known with "
                "--specialize";
  // A rank-0 tensor is treated as a tensor of one element.
  SmallVector<int64_t> own(TosaBuilder::sizesOf(x));
  for (Value *operand : {&x, &index, &source})
    if (TosaBuilder::rankOf(*operand) == 0)
      *operand = b.reshape(*operand, {1});
  int64_t rank = TosaBuilder::rankOf(x);
  index = b.cast(index, b.i32());
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(order[torch::normalDim(dim, rank)], order.back());
  for (Value *operand : {&x, &index, &source})
    *operand = b.transpose(*operand, order);

  SmallVector<int64_t> reached(TosaBuilder::sizesOf(index));
  Value part = x;
  for (int64_t at = 0; at < rank - 1; ++at)
    part = b.slice(part, at, 0, reached[at]);
  for (int64_t at = 0; at < rank; ++at)
    source = b.slice(source, at, 0, reached[at]);
  int64_t n = product(ArrayRef(reached).drop_back()), w = reached.back();
  int64_t k = TosaBuilder::sizesOf(x).back();
  SmallVector<int64_t> partSizes(TosaBuilder::sizesOf(part));
  Value written = write(b.reshape(part, {n, k, 1}), b.reshape(index, {n, w}),
                        b.reshape(source, {n, w, 1}));
  written = b.reshape(written, partSizes);
  // Restores the sliced-off parts, from the last sliced dim to the first.
  for (int64_t at = rank - 2; at >= 0; --at) {
    Value whole = x;
    for (int64_t outer = 0; outer < at; ++outer)
      whole = b.slice(whole, outer, 0, reached[outer]);
    int64_t size = TosaBuilder::sizesOf(x)[at];
    if (reached[at] < size)
      written = b.concat(
          {written, b.slice(whole, at, reached[at], size - reached[at])}, at);
  }
  return b.reshape(b.transpose(written, order), own);
}

FailureOr<Value> lowerScatter(torch::AtenScatterSrcOp op,
                              torch::AtenScatterSrcOp::Adaptor in,
                              TosaBuilder &b) {
  std::optional<int64_t> dim = torch::matchInt(op.getDim());
  if (!dim)
    return b.decline() << torch::kConstantDim;
  return scatter(*dim, in.getSelf(), in.getIndex(), in.getSrc(), b,
                 [&](Value values, Value indices, Value rows) {
                   return scatterRows(values, indices, rows, b);
                 });
}

FailureOr<Value> lowerScatterReduce(torch::AtenScatterReduceTwoOp op,
                                    torch::AtenScatterReduceTwoOp::Adaptor in,
                                    TosaBuilder &b) {
  auto arguments = torch::ScatterReduceArguments::read(op);
  if (!arguments)
    return b.decline() << torch::kConstantScatterReduce;
  Type dtype = dtypeOf(op.getSelf());
  bool isBool = torch::isBoolean(dtype);
  if (isBool && arguments->kind == Combine::Mean)
    return b.decline() << "expected numbers for a mean, got bool";
  Value x = promoted(b, op.getSelf(), in.getSelf(), dtype);
  Value source = promoted(b, op.getSrc(), in.getSrc(), dtype);
  auto result = scatter(arguments->dim, x, in.getIndex(), source, b,
                        [&](Value values, Value indices, Value rows) {
                          return (isBool ? combineFlags : combineRows)(
                              arguments->kind, values, indices, rows,
                              arguments->includesSelf, b);
                        });
  if (failed(result))
    return failure();
  return b.store(*result, dtype);
}

/// index_put(self, indices, values, accumulate): rows, see IndexedDims.
FailureOr<Value> lowerIndexPut(torch::AtenIndexPutOp op,
                               torch::AtenIndexPutOp::Adaptor in,
                               TosaBuilder &b) {
  std::optional<bool> accumulate = torch::matchBool(op.getAccumulate());
  auto list = torch::matchList(op.getIndices());
  if (!list || !accumulate)
    return b.decline() << "expected indices and accumulate that are known "
                          "while compiling";
  if (!cast<torch::ValueTensorType>(op.getSelf().getType()).hasStaticShape())
    return b.decline() << "expected a tensor of known sizes, got "
                       << op.getSelf().getType()
                       << "; make sizes known with --specialize";
  FailureOr<IndexedDims> indexed =
      readIndices(*list, op.getSelf(), in.getSelf(), b);
  if (failed(indexed))
    return failure();
  if (!indexed->linear)
    return b.decline() << "expected an index tensor, got none";
  Type dtype = dtypeOf(op.getSelf());

  // The shape written is the shape that indexing reads: [place..., index...,
  // rest...].
  ArrayRef<int64_t> shape = indexed->resultSizes;
  Value rows =
      b.store(promoted(b, op.getValues(), in.getValues(), dtype), dtype);
  SmallVector<int64_t> own(TosaBuilder::sizesOf(rows));
  own.insert(own.begin(), shape.size() - own.size(), 1);
  rows = b.tile(b.reshape(rows, own), shape);
  rows = b.reshape(
      rows,
      {indexed->n, product(TosaBuilder::sizesOf(indexed->linear)), indexed->c});
  Value values = b.reshape(b.transpose(in.getSelf(), indexed->order),
                           {indexed->n, indexed->k, indexed->c});
  Value indices = repeatedIndices(indexed->linear, indexed->n, b);
  Value written;
  if (*accumulate && torch::isBoolean(dtype))
    written = combineFlags(Combine::Sum, values, indices, rows,
                           /*includeSelf=*/true, b);
  else if (*accumulate)
    written = b.store(combineRows(Combine::Sum, b.convert(values, dtype, dtype),
                                  indices, b.convert(rows, dtype, dtype),
                                  /*includeSelf=*/true, b),
                      dtype);
  else
    written = scatterRows(values, indices, rows, b);
  SmallVector<int64_t> sizes, back(indexed->order.size());
  for (auto [at, dim] : llvm::enumerate(indexed->order)) {
    sizes.push_back(TosaBuilder::sizesOf(in.getSelf())[dim]);
    back[dim] = at;
  }
  return b.transpose(b.reshape(written, sizes), back);
}

} // namespace

void torch_to_tosa::populateScatter(TosaLowerings &lowerings) {
  lowerings.add(lowerIndexPut, lowerScatterReduce, lowerScatter);
}
