//===- Gradient.cpp - Type rules of gradients -----------------------------===//
//
// One function per rule that a registry line names. Sizes are ints; a size
// known only at run time is ShapedType::kDynamic. A gradient that is masked out
// is none, whatever its type.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Torch/TypeInference.h"

using namespace mlir;

namespace isthmus::torch::rules {

/// Parameters have the dtype of the weight, if there is one.
static Type parameterDtype(TypeInference &op, unsigned weight) {
  return op.dtype(op.isNone(weight) ? 1 : weight);
}

/// The gradients of the input, which is operand 1, the weight [C] and the bias
/// [C].
static LogicalResult giveOfNorm(TypeInference &op, int64_t channels,
                                unsigned weight) {
  Type dtype = parameterDtype(op, weight);
  return failure(failed(op.give(op.tensor(1))) ||
                 failed(op.give({channels}, dtype)) ||
                 failed(op.give({channels}, dtype)));
}

/// The size of dim 1, if the rank is known.
static int64_t channelsOf(ValueTensorType type) {
  return type.hasRank() && type.getRank() > 1 ? type.getSizes()[1]
                                              : ShapedType::kDynamic;
}

/// aten.native_batch_norm_backward(grad_out, input [N,C,...], weight?, ...)
LogicalResult batch_norm_backward(TypeInference &op) {
  return giveOfNorm(op, channelsOf(op.tensor(1)), 2);
}

/// aten.convolution_backward(grad_output [N,C,...], input, weight, ...): the
/// gradients of the input, the weight and the bias [C].
LogicalResult convolution_backward(TypeInference &op) {
  ValueTensorType gradient = op.tensor(0);
  return failure(failed(op.give(op.tensor(1))) ||
                 failed(op.give(op.tensor(2))) ||
                 failed(op.give({channelsOf(gradient)}, gradient.getDtype())));
}

/// aten.embedding_dense_backward(grad_output [...,E], indices, num_weights,
/// ...): [num_weights,E].
LogicalResult embedding_backward(TypeInference &op) {
  ValueTensorType gradient = op.tensor(0);
  if (!gradient.hasRank() || gradient.getRank() == 0)
    return op.giveUnranked(gradient.getDtype());
  return op.give({op.integer(2).value_or(ShapedType::kDynamic),
                  gradient.getSizes().back()},
                 gradient.getDtype());
}

/// The rows of a table [count, E] for the gradient [B,E] of its bags.
static LogicalResult giveRows(TypeInference &op, std::optional<int64_t> count) {
  ValueTensorType gradient = op.tensor(0);
  int64_t width = gradient.hasRank() && gradient.getRank() == 2
                      ? gradient.getSizes()[1]
                      : ShapedType::kDynamic;
  return op.give({count.value_or(ShapedType::kDynamic), width},
                 gradient.getDtype());
}

/// aten._embedding_bag_backward(grad [B,E], indices, offsets, offset2bag,
/// bag_size, maximum_indices, num_weights, ...): [num_weights, E].
LogicalResult embedding_bag_backward(TypeInference &op) {
  return giveRows(op, op.integer(6));
}

/// The same without offsets.
LogicalResult embedding_bag_dense_backward(TypeInference &op) {
  return giveRows(op, op.integer(5));
}

/// aten._embedding_bag_per_sample_weights_backward(grad, weight, indices, ...):
/// the indices' sizes.
LogicalResult embedding_bag_weights_backward(TypeInference &op) {
  return op.giveLike(op.tensor(2), op.dtype(0));
}

/// aten.grid_sampler_2d_backward(grad_output, input, grid, ...): the gradients
/// of the input and the grid.
LogicalResult grid_sampler_backward(TypeInference &op) {
  return failure(failed(op.give(op.tensor(1))) ||
                 failed(op.give(op.tensor(2))));
}

/// aten.native_group_norm_backward(grad_out, input, mean, rstd, weight, N, C,
/// ...)
LogicalResult group_norm_backward(TypeInference &op) {
  return giveOfNorm(op, op.integer(6).value_or(ShapedType::kDynamic), 4);
}

/// aten.native_layer_norm_backward(grad_out, input, normalized_shape, ...): the
/// gradients of the input, the weight and the bias; the last two have the shape
/// normalized_shape.
LogicalResult layer_norm_backward(TypeInference &op) {
  Type dtype = parameterDtype(op, 5);
  auto shape = op.integers(2);
  (void)op.give(op.tensor(1));
  for (int parameter = 0; parameter < 2; ++parameter)
    (void)(shape ? op.give(*shape, dtype) : op.giveUnranked(dtype));
  return success();
}

/// aten._prelu_kernel_backward(grad_output, self, weight): the gradients of
/// self and, for each element of self, of the weight.
LogicalResult prelu_backward(TypeInference &op) {
  return failure(failed(op.give(op.tensor(1))) ||
                 failed(op.give(op.tensor(1))));
}

/// aten.upsample_nearest2d_backward(grad_output, output_size, input_size, ...),
/// aten.masked_scatter_backward(grad_output, mask, sizes)
LogicalResult sizes_given(TypeInference &op) {
  auto sizes = op.integers(2);
  return sizes ? op.give(*sizes, op.dtype(0)) : op.giveUnranked(op.dtype(0));
}

/// aten.slice_backward(grad_output, input_sizes, ...), aten.select_backward,
/// aten.diagonal_backward
LogicalResult sizes_of_input(TypeInference &op) {
  auto sizes = op.integers(1);
  return sizes ? op.give(*sizes, op.dtype(0)) : op.giveUnranked(op.dtype(0));
}

/// aten._softmax_backward_data(grad_output, output, dim, input_dtype)
LogicalResult softmax_backward(TypeInference &op) {
  if (failed(op.expectDims(2)))
    return failure();
  return op.giveLike(op.tensor(0), op.dtypeArgument(3, op.dtype(0)));
}

/// aten._weight_norm_interface_backward(grad_w, saved_v, saved_g, ...): the
/// gradients of v and g.
LogicalResult weight_norm_backward(TypeInference &op) {
  return failure(failed(op.give(op.tensor(1))) ||
                 failed(op.give(op.tensor(2))));
}

} // namespace isthmus::torch::rules
