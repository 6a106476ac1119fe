//===- Reduction.cpp - Reductions over dims to linalg.generic -------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/ReductionArguments.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;
using namespace isthmus::torch;

namespace {

/// Restores the reduced dims, with size 1.
Value keepDims(LinalgBuilder &b, Value tensor, ArrayRef<bool> reduced) {
  Sizes own = b.sizes.of(tensor), sizes;
  size_t kept = 0;
  for (bool isReduced : reduced)
    sizes.push_back(isReduced ? b.sizes.constant(1) : own[kept++]);
  return b.reshape(tensor, sizes);
}

/// linalg.generic that folds the reduced dims into `inits`, one value per init.
SmallVector<Value>
reduce(LinalgBuilder &b, Value input, ArrayRef<bool> reduced,
       ArrayRef<Value> inits,
       llvm::function_ref<SmallVector<Value>(OpBuilder &, Location, Value,
                                             ValueRange)>
           combine) {
  int64_t rank = reduced.size();
  OpBuilder &builder = b.getBuilder();
  Sizes sizes;
  SmallVector<AffineExpr> keptDims;
  SmallVector<utils::IteratorType> iterators;
  for (auto [dim, isReduced] : llvm::enumerate(reduced)) {
    iterators.push_back(isReduced ? utils::IteratorType::reduction
                                  : utils::IteratorType::parallel);
    if (isReduced)
      continue;
    sizes.push_back(b.sizes.of(input, dim));
    keptDims.push_back(builder.getAffineDimExpr(dim));
  }
  SmallVector<AffineMap> maps(
      1 + inits.size(),
      AffineMap::get(rank, 0, keptDims, builder.getContext()));
  maps.front() = builder.getMultiDimIdentityMap(rank);
  SmallVector<Value> outputs;
  for (Value init : inits)
    outputs.push_back(b.filled(sizes, init));
  auto generic = b.create<linalg::GenericOp>(
      ValueRange(outputs).getTypes(), input, outputs, maps, iterators,
      [&](OpBuilder &body, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(
            body, loc,
            combine(body, loc, arguments.front(), arguments.drop_front()));
      });
  return llvm::to_vector_of<Value>(generic.getResults());
}

/// Sums and products of f16 and bf16 are computed in f32, of integers in the
/// result's dtype; maxima and minima in their own dtype.
enum class Kind { Sum, Product, Max, Min };

Value combine(Kind kind, const Elements &e, Value a, Value b) {
  switch (kind) {
  case Kind::Sum:
    return e.add(a, b);
  case Kind::Product:
    return e.mul(a, b);
  case Kind::Max:
    return e.max(a, b);
  case Kind::Min:
    return e.min(a, b);
  }
  llvm_unreachable("every case returns");
}

template <typename Op, Kind kind>
FailureOr<Value> lowerReduce(Op op, typename Op::Adaptor in, LinalgBuilder &b) {
  Type from = dtypeOf(op.getSelf()), result = dtypeOf(op.getResult());
  constexpr bool isOrder = kind == Kind::Max || kind == Kind::Min;
  Type dtype = isOrder ? result : wide(result);
  auto arguments = ReductionArguments::read(op);
  if (!arguments)
    return b.decline() << kConstantReduction;
  SmallVector<bool> reduced = arguments->mask(typeOf(in.getSelf()).getRank());

  Elements elements = b.elements(dtype);
  Value init = kind == Kind::Sum       ? elements.zero()
               : kind == Kind::Product ? elements.one()
               : kind == Kind::Max     ? elements.lowest()
                                       : elements.highest();
  Value value =
      reduce(b, in.getSelf(), reduced, init,
             [&](OpBuilder &body, Location loc, Value x, ValueRange soFar) {
               Elements e(body, loc, dtype);
               x = e.convert(x, from);
               return SmallVector<Value>{combine(kind, e, soFar.front(), x)};
             })
          .front();
  if (arguments->keepdim)
    value = keepDims(b, value, reduced);
  return b.convert(value, dtype, result);
}

/// The next (best, at) after element x; independent of the iteration order.
SmallVector<Value> step(Comparison better, Elements e, Elements index, Value x,
                        Value here, Value best, Value at) {
  OpBuilder &builder = e.getBuilder();
  Location loc = e.getLoc();
  auto both = [&](Value a, Value b) {
    return arith::AndIOp::create(builder, loc, a, b);
  };
  auto either = [&](Value a, Value b) {
    return arith::OrIOp::create(builder, loc, a, b);
  };
  Value earlier = index.compare(Comparison::lt, here, at);
  Value equal = e.compare(Comparison::eq, x, best);
  Value isBetter = e.compare(better, x, best);
  if (e.isFloat()) {
    Value isNan = e.isNan(x), bestIsNan = e.isNan(best);
    equal = either(equal, both(isNan, bestIsNan));
    Value bestIsNumber = e.compare(Comparison::eq, best, best);
    isBetter = either(isBetter, both(isNan, bestIsNumber));
  }
  Value takes = either(isBetter, both(equal, earlier));
  return {e.select(takes, x, best), e.select(takes, here, at)};
}

/// argmax, argmin: the first position of the extremum. NaN counts as more
/// extreme than any number. Without a dim, the tensor is flattened.
template <typename Op, Comparison better>
FailureOr<Value> lowerArgExtremum(Op op, typename Op::Adaptor in,
                                  LinalgBuilder &b) {
  Value input = in.getSelf();
  Type dtype = dtypeOf(op.getSelf());
  int64_t rank = typeOf(input).getRank();
  auto arguments = ArgReductionArguments::read(op);
  if (!arguments)
    return b.decline() << kConstantReduction;

  SmallVector<bool> kept = arguments->mask(rank), reduced = kept;
  if (arguments->isFlat) {
    input = b.flatten(input);
    reduced = {true};
  }
  int64_t along = llvm::find(reduced, true) - reduced.begin();
  Elements elements = b.elements(dtype);
  Value init =
      better == Comparison::gt ? elements.lowest() : elements.highest();
  Type i64 = IntegerType::get(op.getContext(), 64, IntegerType::Signed);
  Value index =
      reduce(b, input, reduced, {init, b.elements(i64).highest()},
             [&](OpBuilder &body, Location loc, Value x, ValueRange soFar) {
               Value here = arith::IndexCastOp::create(
                   body, loc, body.getI64Type(), b.index(body, along));
               return step(better, Elements(body, loc, dtype),
                           Elements(body, loc, i64), x, here, soFar[0],
                           soFar[1]);
             })
          .back();
  return arguments->keepdim ? keepDims(b, index, kept) : index;
}

} // namespace

void torch_to_linalg::populateReduction(LinalgLowerings &lowerings) {
  lowerings.addReal(lowerArgExtremum<AtenArgmaxOp, Comparison::gt>,
                    lowerArgExtremum<AtenArgminOp, Comparison::lt>,
                    lowerReduce<AtenAmaxOp, Kind::Max>,
                    lowerReduce<AtenAminOp, Kind::Min>,
                    lowerReduce<AtenProdDimIntOp, Kind::Product>,
                    lowerReduce<AtenSumDimIntListOp, Kind::Sum>);
}
