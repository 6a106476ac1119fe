//===- Reduction.cpp - ONNX reductions to ATen ----------------------------===//
//
// One row or one function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Onnx/Reduction.h"
#include "Families.h"
#include "Operands.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// A reduction over some dims: all of them, or none under noop_with_empty_axes,
/// when no axes are given. ATen treats an empty list as all dims, so an empty
/// `dims` is handled separately: nothing is reduced.
struct Reduction {
  Value data;
  SmallVector<int64_t> dims;
  bool keepdims;

  template <typename Aten>
  Value reduce(Value tensor, NodeBuilder &b) const {
    if (dims.empty())
      return tensor;
    return b.create<Aten>(tensor, b.ints(dims), b.constantBool(keepdims));
  }

  Value sum(Value tensor, NodeBuilder &b) const {
    if (dims.empty())
      return tensor;
    return b.create<torch::AtenSumDimIntListOp>(tensor, b.ints(dims),
                                                b.constantBool(keepdims),
                                                b.dtype(dtypeOf(tensor)));
  }

  /// The number of elements reduced to each result.
  Value count(NodeBuilder &b) const {
    Value product = b.constant(1);
    for (int64_t dim : dims)
      product = b.mulInt(product, b.size(data, dim));
    return product;
  }

  bool isEmpty() const {
    return llvm::any_of(dims,
                        [&](int64_t dim) { return sizeOf(data, dim) == 0; });
  }

  /// The result if there is nothing to reduce.
  Value fill(Value number, NodeBuilder &b) const {
    SmallVector<Value> sizes;
    for (auto [dim, size] : llvm::enumerate(b.sizes(data)))
      if (!llvm::is_contained(dims, dim))
        sizes.push_back(size);
      else if (keepdims)
        sizes.push_back(b.constant(1));
    return filled(b, sizes, number, dtypeOf(data));
  }
};

template <typename Op>
FailureOr<Reduction> reductionOf(Op op, typename Op::Adaptor in,
                                 NodeBuilder &b) {
  Reduction reduction{in.getData(), {}, op.getKeepdims() != 0};
  int64_t rank = rankOf(in.getData());
  if (isPresent(in.getAxes())) {
    FailureOr<SmallVector<int64_t>> axes = knownInts(b, in.getAxes(), "axes");
    FailureOr<SmallVector<int64_t>> dims =
        failed(axes) ? axes : axesOf(b, *axes, rank);
    if (failed(dims))
      return failure();
    reduction.dims = *dims;
  }
  if (reduction.dims.empty() && !op.getNoopWithEmptyAxes())
    llvm::append_range(reduction.dims, llvm::seq<int64_t>(0, rank));
  return reduction;
}

/// Adds the reduction that `lower` builds from a Reduction.
template <typename Op, Value (*lower)(const Reduction &, NodeBuilder &)>
FailureOr<Value> lowerReduce(Op op, typename Op::Adaptor in, NodeBuilder &b) {
  FailureOr<Reduction> reduction = reductionOf(op, in, b);
  if (failed(reduction))
    return failure();
  return lower(*reduction, b);
}

/// ReduceL1-18: sum(|x|)
Value lowerL1(const Reduction &over, NodeBuilder &b) {
  return over.sum(b.create<torch::AtenAbsOp>(over.data), b);
}

/// ReduceL2-18: sqrt(sum(x * x))
Value lowerL2(const Reduction &over, NodeBuilder &b) {
  Type dtype = dtypeOf(over.data);
  Value squares = over.sum(b.mul(over.data, over.data), b);
  return b.convert(b.create<torch::AtenSqrtOp>(squares), dtype);
}

/// ReduceLogSum-28: log(sum(x))
Value lowerLogSum(const Reduction &over, NodeBuilder &b) {
  return b.convert(b.create<torch::AtenLogOp>(over.sum(over.data, b)),
                   dtypeOf(over.data));
}

/// ReduceLogSumExp-28: log(sum(exp(x)))
Value lowerLogSumExp(const Reduction &over, NodeBuilder &b) {
  return over.reduce<torch::AtenLogsumexpOp>(over.data, b);
}

/// The smallest or largest number of a dtype.
Value extreme(Type dtype, bool largest, NodeBuilder &b) {
  if (torch::isFloatingPoint(dtype)) {
    double infinity = std::numeric_limits<double>::infinity();
    return b.constantFloat(largest ? infinity : -infinity);
  }
  if (torch::isBoolean(dtype))
    return b.constantBool(largest);
  unsigned width = dtype.getIntOrFloatBitWidth();
  if (dtype.isUnsignedInteger())
    return b.constant(
        largest ? static_cast<int64_t>(APInt::getMaxValue(width).getZExtValue())
                : 0);
  return b.constant((largest ? APInt::getSignedMaxValue(width)
                             : APInt::getSignedMinValue(width))
                        .getSExtValue());
}

/// ReduceMax-20: the largest element; for no elements, the smallest number of
/// the dtype.
Value lowerMax(const Reduction &over, NodeBuilder &b) {
  if (over.isEmpty())
    return over.fill(extreme(dtypeOf(over.data), /*largest=*/false, b), b);
  return over.reduce<torch::AtenAmaxOp>(over.data, b);
}

/// ReduceMean-18: sum(x) / count; integers round towards zero.
Value lowerMean(const Reduction &over, NodeBuilder &b) {
  if (over.dims.empty())
    return over.data;
  if (!torch::isIntegral(dtypeOf(over.data)))
    return b.create<torch::AtenMeanDimOp>(
        over.data, b.ints(over.dims), b.constantBool(over.keepdims), b.none());
  Value count =
      b.tensorOfInts(over.count(b), dtypeOf(over.data), /*scalar=*/true);
  return b.create<torch::AtenDivTensorModeOp>(over.sum(over.data, b), count,
                                              b.constantStr("trunc"));
}

/// ReduceMin-20: the smallest element; for no elements, the largest number of
/// the dtype.
Value lowerMin(const Reduction &over, NodeBuilder &b) {
  if (over.isEmpty())
    return over.fill(extreme(dtypeOf(over.data), /*largest=*/true, b), b);
  return over.reduce<torch::AtenAminOp>(over.data, b);
}

/// ReduceProd-18: the product of the elements. ATen has it for one dim at a
/// time.
Value lowerProd(const Reduction &over, NodeBuilder &b) {
  SmallVector<int64_t> dims = over.dims;
  llvm::sort(dims, std::greater<>());
  Value product = over.data;
  for (int64_t dim :
       dims) // the last first, so that dropping it shifts no other
    product = b.create<torch::AtenProdDimIntOp>(product, b.constant(dim),
                                                b.constantBool(over.keepdims),
                                                b.dtype(dtypeOf(over.data)));
  return product;
}

/// ReduceSum-13: sum(x)
Value lowerSum(const Reduction &over, NodeBuilder &b) {
  return over.sum(over.data, b);
}

/// ReduceSumSquare-18: sum(x * x)
Value lowerSumSquare(const Reduction &over, NodeBuilder &b) {
  return over.sum(b.mul(over.data, over.data), b);
}

/// The index of an extremum along `axis`: the first one, or the last one.
template <typename Aten, typename Op>
FailureOr<Value> lowerArg(Op op, typename Op::Adaptor in, NodeBuilder &b) {
  Value data = in.getData();
  FailureOr<int64_t> axis = axisOf(b, op.getAxis(), rankOf(data));
  if (failed(axis))
    return failure();
  Value dim = b.constant(*axis), keepdims = b.constantBool(op.getKeepdims());
  if (!op.getSelectLastIndex())
    return Value(b.create<Aten>(data, dim, keepdims));
  // The last one is the first one of the reversed dim.
  Value reversed =
      b.create<torch::AtenFlipOp>(data, b.ints(ArrayRef<int64_t>(*axis)));
  Value fromEnd = b.create<Aten>(reversed, dim, keepdims);
  Value last = b.subInt(b.size(data, *axis), b.constant(1));
  Value negated = b.create<torch::AtenNegOp>(fromEnd);
  return Value(b.create<torch::AtenAddScalarOp>(negated, last, b.constant(1)));
}

} // namespace

void onnx_to_torch::populateReduction(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerArg<torch::AtenArgmaxOp, onnx::ArgMaxOp>); // ArgMax-13
  lowerings.add(lowerArg<torch::AtenArgminOp, onnx::ArgMinOp>); // ArgMin-13
  lowerings.add(lowerReduce<onnx::ReduceL1Op, lowerL1>);
  lowerings.add(lowerReduce<onnx::ReduceL2Op, lowerL2>);
  lowerings.add(lowerReduce<onnx::ReduceLogSumExpOp, lowerLogSumExp>);
  lowerings.add(lowerReduce<onnx::ReduceLogSumOp, lowerLogSum>);
  lowerings.add(lowerReduce<onnx::ReduceMaxOp, lowerMax>);
  lowerings.add(lowerReduce<onnx::ReduceMeanOp, lowerMean>);
  lowerings.add(lowerReduce<onnx::ReduceMinOp, lowerMin>);
  lowerings.add(lowerReduce<onnx::ReduceProdOp, lowerProd>);
  lowerings.add(lowerReduce<onnx::ReduceSumOp, lowerSum>);
  lowerings.add(lowerReduce<onnx::ReduceSumSquareOp, lowerSumSquare>);
}
