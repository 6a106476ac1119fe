//===- Reduction.cpp - ATen reductions to TOSA ----------------------------===//
//
// A TOSA reduction keeps its dim with size 1; the common base class drops it by
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
struct ExtremumLowering : TosaLowering<SourceOp> {
  using TosaLowering<SourceOp>::TosaLowering;
  using typename TosaLowering<SourceOp>::Adaptor;
  using typename TosaLowering<SourceOp>::Results;

  FailureOr<Results> lower(SourceOp op, Adaptor adaptor,
                           TosaBuilder &b) const override {
    Value x = adaptor.getSelf();
    auto arguments = torch::ReductionArguments::read(op);
    if (!arguments)
      return this->decline(op) << torch::kConstantReduction;
    for (int64_t dim : llvm::reverse(arguments->dims))
      x = TosaBuilder::elementOf(x).isInteger(1) ? b.reduce<BoolOp>(x, dim)
                                                 : b.reduce<TargetOp>(x, dim);
    return this->one(x);
  }
};

/// sum: 16-bit floats are summed in f32, as PyTorch does.
struct SumLowering : TosaLowering<torch::AtenSumDimIntListOp> {
  using TosaLowering::TosaLowering;
  FailureOr<Results> lower(torch::AtenSumDimIntListOp op, Adaptor adaptor,
                           TosaBuilder &b) const override {
    Type dtype = dtypeOf(op.getResult());
    if (torch::isBoolean(dtype))
      return decline(op) << "expected a dtype of numbers, got bool";
    Value x = promoted(b, op.getSelf(), adaptor.getSelf(), dtype);
    auto arguments = torch::ReductionArguments::read(op);
    if (!arguments)
      return decline(op) << torch::kConstantReduction;
    if (isa<FloatType>(TosaBuilder::elementOf(x)))
      x = b.cast(x, b.f32());
    for (int64_t dim : llvm::reverse(arguments->dims))
      x = b.reduce<tosa::ReduceSumOp>(x, dim);
    return one(b.store(b.cast(x, computeType(dtype)), dtype));
  }
};

/// prod: 16-bit floats are multiplied in f32. For bools, true if all are.
struct ProdLowering : TosaLowering<torch::AtenProdDimIntOp> {
  using TosaLowering::TosaLowering;
  FailureOr<Results> lower(torch::AtenProdDimIntOp op, Adaptor adaptor,
                           TosaBuilder &b) const override {
    Type dtype = dtypeOf(op.getResult());
    Value x = promoted(b, op.getSelf(), adaptor.getSelf(), dtype);
    auto arguments = torch::ReductionArguments::read(op);
    if (!arguments)
      return decline(op) << torch::kConstantReduction;
    if (isa<FloatType>(TosaBuilder::elementOf(x)))
      x = b.cast(x, b.f32());
    for (int64_t dim : llvm::reverse(arguments->dims)) {
      Type element = TosaBuilder::elementOf(x);
      if (element.isInteger(32) &&
          ShapedType::isDynamic(TosaBuilder::sizesOf(x)[dim]))
        return decline(op) << "TOSA multiplies integers of known number only; "
                              "make sizes known "
                              "with --specialize";
      x = element.isInteger(1) ? b.reduce<tosa::ReduceAllOp>(x, dim)
                               : b.reduceProduct(x, dim);
    }
    return one(b.store(b.cast(x, computeType(dtype)), dtype));
  }
};

/// argmax, argmin: the first position of the extremum; NaN is an extremum.
/// Without a dim, the position in the flattened tensor.
template <typename SourceOp, bool largest>
struct ArgExtremumLowering : TosaLowering<SourceOp> {
  using TosaLowering<SourceOp>::TosaLowering;
  using typename TosaLowering<SourceOp>::Adaptor;
  using typename TosaLowering<SourceOp>::Results;

  FailureOr<Results> lower(SourceOp op, Adaptor adaptor,
                           TosaBuilder &b) const override {
    Value x = adaptor.getSelf();
    auto arguments = torch::ArgReductionArguments::read(op);
    if (!arguments)
      return this->decline(op) << torch::kConstantReduction;
    if (arguments->isFlat)
      x = b.reshape(x, {product(TosaBuilder::sizesOf(x))});
    int64_t axis = arguments->isFlat ? 0 : arguments->dims.front();
    if (!isa<FloatType>(TosaBuilder::elementOf(x)))
      return ofIntegers(op, b.cast(x, b.i32()), axis, b);
    if (!largest)
      x = b.neg(x);
    SmallVector<int64_t> sizes(TosaBuilder::sizesOf(x));
    sizes.erase(sizes.begin() + axis);
    return this->one(tosa::ArgMaxOp::create(
        b.getBuilder(), b.getLoc(), b.tensor(sizes, b.i32()), x,
        b.getBuilder().getI32IntegerAttr(axis)));
  }

private:
  /// tosa.argmax does not support i32: the least position whose element is the
  /// extremum.
  FailureOr<Results> ofIntegers(SourceOp op, Value x, int64_t axis,
                                TosaBuilder &b) const {
    int64_t count = TosaBuilder::sizesOf(x)[axis];
    if (ShapedType::isDynamic(count))
      return this->decline(op)
             << "expected a dim of known size for integers; make sizes known "
                "with --specialize";
    Value extremum = largest ? b.reduce<tosa::ReduceMaxOp>(x, axis)
                             : b.reduce<tosa::ReduceMinOp>(x, axis);
    Value places = b.iota(count, axis, TosaBuilder::rankOf(x));
    Value found =
        b.select(b.equal(x, extremum), places, b.splatLike(count, places));
    return this->one(b.reduce<tosa::ReduceMinOp>(found, axis));
  }
};

} // namespace

void torch_to_tosa::populateReduction(const TypeConverter &types,
                                      RewritePatternSet &patterns,
                                      UnsupportedOps &unsupported) {
  using namespace torch;
  patterns
      .add<ArgExtremumLowering<AtenArgmaxOp, true>,
           ArgExtremumLowering<AtenArgminOp, false>,
           ExtremumLowering<AtenAmaxOp, tosa::ReduceMaxOp, tosa::ReduceAnyOp>,
           ExtremumLowering<AtenAminOp, tosa::ReduceMinOp, tosa::ReduceAllOp>,
           ProdLowering, SumLowering>(types, patterns.getContext(),
                                      unsupported);
}
