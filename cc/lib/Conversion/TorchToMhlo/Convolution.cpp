//===- Convolution.cpp - aten.convolution to MHLO -------------------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/WindowArguments.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;

namespace {

/// Converts the weight of a transposed convolution, [in, out / groups, ...], to
/// [in / groups, out, ...] with the outputs of each group adjacent, as in a
/// grouped convolution of MHLO.
Value regroup(HloBuilder &b, Value weight, int64_t groups) {
  Sizes shape = b.sizes.sizesOf(weight);
  Size in = b.sizes.floorDiv(shape[0], groups);
  Size out = b.sizes.mul(shape[1], groups);
  Sizes split = {groups, in};
  split.append(shape.begin() + 1, shape.end());
  SmallVector<int64_t> order = dimsUpTo(split.size());
  std::swap(order[0], order[1]);
  Value grouped = b.transpose(b.reshape(weight, split), order);
  Sizes merged = {in, out};
  merged.append(shape.begin() + 2, shape.end());
  return b.reshape(grouped, merged);
}

/// A transposed convolution is a convolution over the input with stride - 1
/// zeros between its elements, with the mirrored kernel and dilation *
/// (kernel - 1) minus the padding as its padding.
Value convolve(HloBuilder &b, Value input, Value weight,
               const torch::ConvolutionArguments &arguments) {
  MLIRContext *context = b.getBuilder().getContext();
  int64_t spatialRank = b.rank(input) - 2;
  SmallVector<int64_t> spatial, paddings;
  SmallVector<int64_t> ones(spatialRank, 1);
  for (int64_t i : dimsUpTo(spatialRank)) {
    spatial.push_back(i + 2);
    int64_t low = arguments.padding[i], high = low;
    if (arguments.isTransposed) {
      int64_t kernel = b.type(weight).getDimSize(i + 2);
      low = arguments.dilation[i] * (kernel - 1) - low;
      high = low + arguments.outputPadding[i];
    }
    paddings.append({low, high});
  }
  if (arguments.isTransposed) {
    weight = b.create<mhlo::ReverseOp>(weight, b.dimsAttr(spatial));
    if (arguments.groups != 1)
      weight = regroup(b, weight, arguments.groups);
  }
  // Weights are [out, in, ...], of transposed convolutions [in, out, ...].
  int64_t inDim = arguments.isTransposed ? 0 : 1;
  auto numbers = mhlo::ConvDimensionNumbersAttr::get(
      context, 0, 1, spatial, inDim, 1 - inDim, spatial, 0, 1, spatial);
  auto paddingType =
      RankedTensorType::get({spatialRank, 2}, b.getBuilder().getI64Type());
  Dims stride = arguments.stride;
  return b.create<mhlo::ConvolutionOp>(
      input, weight, DenseIntElementsAttr::get(paddingType, paddings),
      b.dimsAttr(arguments.isTransposed ? Dims(ones) : stride),
      b.dimsAttr(arguments.isTransposed ? stride : Dims(ones)),
      b.dimsAttr(arguments.dilation), /*window_reversal=*/nullptr, numbers,
      b.getBuilder().getI64IntegerAttr(arguments.groups),
      b.getBuilder().getI64IntegerAttr(1), /*precision_config=*/nullptr);
}

FailureOr<Value> lowerConvolution(torch::AtenConvolutionOp op,
                                  torch::AtenConvolutionOp::Adaptor in,
                                  HloBuilder &b) {
  auto arguments = torch::ConvolutionArguments::read(op);
  if (!arguments)
    return b.decline() << torch::kConstantWindow;
  Value weight = in.getWeight();
  if (arguments->isTransposed)
    for (int64_t dim = 2; dim < b.rank(weight); ++dim)
      if (b.type(weight).isDynamicDim(dim))
        return b.decline()
               << "expected a kernel of known size for a transposed "
                  "convolution, got "
               << op.getWeight().getType();

  Value result = convolve(b, in.getInput(), weight, *arguments);
  if (torch::isNone(op.getBias()))
    return result;
  Value bias = b.broadcast(in.getBias(), b.sizes.sizesOf(result), {1});
  return b.create<mhlo::AddOp>(result, bias);
}

} // namespace

void torch_to_mhlo::populateConvolution(HloLowerings &lowerings) {
  lowerings.add(lowerConvolution);
}
