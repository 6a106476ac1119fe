//===- Reduction.cpp - ATen reductions to TOSA ----------------------------===//
//
// A TOSA reduction keeps its dim with size 1; TosaPattern drops it by
// reshaping to the sizes of the result.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/ReductionArguments.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

namespace {

/// amax, amin: NaN if any element is NaN, as TOSA's are by default.
template <typename SourceOp, typename TargetOp, typename BoolOp>
FailureOr<Value> lowerExtremum(SourceOp op, typename SourceOp::Adaptor in,
                               TosaBuilder &b) {
  Value x = in.getSelf();
  auto arguments = torch::ReductionArguments::read(op);
  if (!arguments)
    return b.decline() << torch::kConstantReduction;
  for (int64_t dim : llvm::reverse(arguments->dims))
    x = TosaBuilder::elementOf(x).isInteger(1) ? b.reduce<BoolOp>(x, dim)
                                               : b.reduce<TargetOp>(x, dim);
  return x;
}

/// sum: 16-bit floats are summed in f32, as PyTorch does.
FailureOr<Value> lowerSum(torch::AtenSumDimIntListOp op,
                          torch::AtenSumDimIntListOp::Adaptor in,
                          TosaBuilder &b) {
  Type dtype = dtypeOf(op.getResult());
  if (torch::isBoolean(dtype))
    return b.decline() << "expected a dtype of numbers, got bool";
  Value x = promoted(b, op.getSelf(), in.getSelf(), dtype);
  auto arguments = torch::ReductionArguments::read(op);
  if (!arguments)
    return b.decline() << torch::kConstantReduction;
  if (isa<FloatType>(TosaBuilder::elementOf(x)))
    x = b.cast(x, b.f32());
  for (int64_t dim : llvm::reverse(arguments->dims))
    x = b.reduce<tosa::ReduceSumOp>(x, dim);
  return b.store(b.cast(x, computeType(dtype)), dtype);
}

/// prod: 16-bit floats are multiplied in f32. For bools, true if all are.
FailureOr<Value> lowerProd(torch::AtenProdDimIntOp op,
                           torch::AtenProdDimIntOp::Adaptor in,
                           TosaBuilder &b) {
  Type dtype = dtypeOf(op.getResult());
  Value x = promoted(b, op.getSelf(), in.getSelf(), dtype);
  auto arguments = torch::ReductionArguments::read(op);
  if (!arguments)
    return b.decline() << torch::kConstantReduction;
  if (isa<FloatType>(TosaBuilder::elementOf(x)))
    x = b.cast(x, b.f32());
  for (int64_t dim : llvm::reverse(arguments->dims)) {
    Type element = TosaBuilder::elementOf(x);
    if (element.isInteger(32) &&
        ShapedType::isDynamic(TosaBuilder::sizesOf(x)[dim]))
      return b.decline() << "TOSA multiplies integers of known number only; "
                            "make sizes known with --specialize";
    x = element.isInteger(1) ? b.reduce<tosa::ReduceAllOp>(x, dim)
                             : b.reduceProduct(x, dim);
  }
  return b.store(b.cast(x, computeType(dtype)), dtype);
}

/// tosa.argmax does not support i32: the least position whose element is the
/// extremum.
FailureOr<Value> argExtremumOfIntegers(bool largest, Value x, int64_t axis,
                                       TosaBuilder &b) {
  int64_t count = TosaBuilder::sizesOf(x)[axis];
  if (ShapedType::isDynamic(count))
    return b.decline()
           << "expected a dim of known size for integers; make sizes known "
              "with --specialize";
  Value extremum = largest ? b.reduce<tosa::ReduceMaxOp>(x, axis)
                           : b.reduce<tosa::ReduceMinOp>(x, axis);
  Value places = b.iota(count, axis, TosaBuilder::rankOf(x));
  Value found =
      b.select(b.equal(x, extremum), places, b.splatLike(count, places));
  return b.reduce<tosa::ReduceMinOp>(found, axis);
}

/// argmax, argmin: the first position of the extremum; NaN is an extremum.
/// Without a dim, the position in the flattened tensor.
template <typename SourceOp, bool largest>
FailureOr<Value> lowerArgExtremum(SourceOp op, typename SourceOp::Adaptor in,
                                  TosaBuilder &b) {
  Value x = in.getSelf();
  auto arguments = torch::ArgReductionArguments::read(op);
  if (!arguments)
    return b.decline() << torch::kConstantReduction;
  if (arguments->isFlat)
    x = b.reshape(x, {product(TosaBuilder::sizesOf(x))});
  int64_t axis = arguments->isFlat ? 0 : arguments->dims.front();
  if (!isa<FloatType>(TosaBuilder::elementOf(x)))
    return argExtremumOfIntegers(largest, b.cast(x, b.i32()), axis, b);
  if (!largest)
    x = b.neg(x);
  SmallVector<int64_t> sizes(TosaBuilder::sizesOf(x));
  sizes.erase(sizes.begin() + axis);
  return Value(tosa::ArgMaxOp::create(b.getBuilder(), b.getLoc(),
                                      b.tensor(sizes, b.i32()), x,
                                      b.getBuilder().getI32IntegerAttr(axis)));
}

} // namespace

void torch_to_tosa::populateReduction(TosaLowerings &lowerings) {
  using namespace torch;
  lowerings.add(lowerArgExtremum<AtenArgmaxOp, true>,
                lowerArgExtremum<AtenArgminOp, false>,
                lowerExtremum<AtenAmaxOp, tosa::ReduceMaxOp, tosa::ReduceAnyOp>,
                lowerExtremum<AtenAminOp, tosa::ReduceMinOp, tosa::ReduceAllOp>,
                lowerProd, lowerSum);
}
