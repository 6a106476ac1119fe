//===- Convolution.cpp - Convolutions by their number of dims -------------===//

#include "Decompositions.h"
#include "isthmus/Dialect/Torch/LinearOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// aten.conv1d, conv2d and conv3d are aten.convolution, which tells the number
/// of dims by its operands.
template <typename Op>
static Value convolution(Op op, TorchBuilder &b) {
  SmallVector<int64_t> noOutputPadding(tensorType(op.getInput()).getRank() - 2,
                                       0);
  return b.create<AtenConvolutionOp>(
      op.getInput(), op.getWeight(), op.getBias(), op.getStride(),
      op.getPadding(), op.getDilation(), b.constantBool(false),
      b.ints(noOutputPadding), op.getGroups());
}

template <typename Op>
static Value transposed(Op op, TorchBuilder &b) {
  return b.create<AtenConvolutionOp>(
      op.getInput(), op.getWeight(), op.getBias(), op.getStride(),
      op.getPadding(), op.getDilation(), b.constantBool(true),
      op.getOutputPadding(), op.getGroups());
}

void populateConvolution(Decompositions &decompositions) {
  decompositions.add(convolution<AtenConv1dOp>, convolution<AtenConv2dOp>,
                     convolution<AtenConv3dOp>,
                     transposed<AtenConvTranspose1dOp>,
                     transposed<AtenConvTranspose2dInputOp>,
                     transposed<AtenConvTranspose3dInputOp>);
}

} // namespace isthmus::decompose_torch
