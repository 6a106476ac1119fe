//===- Nn.cpp - Type rules of pooling -------------------------------------===//
//
// One function per rule that a registry line names. Sizes are ints; a size
// known only at run time is ShapedType::kDynamic.
//
//===----------------------------------------------------------------------===//

#include "Dtypes.h"
#include "Windows.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Dialect/Torch/TypeInference.h"
#include "isthmus/Dialect/Torch/WindowArguments.h"

using namespace mlir;

namespace isthmus::torch::rules {

/// Pools the last `spatial` dims. With an index dtype, also gives the indices
/// of the maxima.
static LogicalResult pool(TypeInference &op, int64_t spatial, bool isAverage,
                          Type indexDtype = {}) {
  ValueTensorType type = op.tensor(0);
  std::string error;
  auto arguments =
      PoolingArguments::read(op.getOperands(), spatial, isAverage, &error);
  if (!error.empty())
    return op.fail(error);
  if (!type.hasRank() || !arguments) {
    (void)op.giveUnranked(type.getDtype());
    return indexDtype ? op.giveUnranked(indexDtype) : success();
  }
  if (type.getDtype() &&
      (isComplex(type.getDtype()) || isBoolean(type.getDtype())))
    return op.fail("expected real numbers to pool, got others");
  SmallVector<int64_t> sizes(type.getSizes());
  StaticSizes a;
  for (auto [size, k, s, p, d] : llvm::zip_equal(
           MutableArrayRef(sizes).take_back(spatial), arguments->kernel,
           arguments->stride, arguments->padding, arguments->dilation)) {
    if (failed(expectWindow(op, {k, s, p, d})))
      return failure();
    if (k < 1)
      return op.fail("expected a kernel of 1 or more, got " + Twine(k));
    if (2 * p > k)
      return op.fail("expected a padding of at most half the kernel of " +
                     Twine(k) + ", got " + Twine(p));
    size = arguments->ceilMode ? ceilWindowedSize(a, size, k, p, d, s)
                               : windowedSize(a, size, k, p, p, d, s);
    if (!ShapedType::isDynamic(size) && size < 1)
      return op.fail("expected an input no smaller than the window, got " +
                     shapeText(type.getSizes()));
  }
  (void)op.give(sizes, type.getDtype());
  return indexDtype ? op.give(sizes, indexDtype) : success();
}

/// A pooling with a divisor that replaces the number of elements.
static LogicalResult averagePool(TypeInference &op, int64_t spatial) {
  if (op.integer(6) == 0)
    return op.fail("expected a divisor other than 0");
  return pool(op, spatial, /*isAverage=*/true);
}

/// aten.avg_pool2d(self, kernel_size, stride, padding, ceil_mode, ...)
LogicalResult avg_pool1d(TypeInference &op) {
  return pool(op, 1, /*isAverage=*/true);
}
LogicalResult avg_pool2d(TypeInference &op) { return averagePool(op, 2); }
LogicalResult avg_pool3d(TypeInference &op) { return averagePool(op, 3); }

/// aten.max_pool2d(self, kernel_size, stride, padding, dilation, ceil_mode)
LogicalResult max_pool1d(TypeInference &op) { return pool(op, 1, false); }
LogicalResult max_pool2d(TypeInference &op) { return pool(op, 2, false); }
LogicalResult max_pool3d(TypeInference &op) { return pool(op, 3, false); }

static LogicalResult poolWithIndices(TypeInference &op, int64_t spatial) {
  return pool(op, spatial, /*isAverage=*/false, signedDtype(op, 64));
}

LogicalResult max_pool2d_with_indices(TypeInference &op) {
  return poolWithIndices(op, 2);
}
LogicalResult max_pool3d_with_indices(TypeInference &op) {
  return poolWithIndices(op, 3);
}

/// The last dims of operand 0 get the sizes in operand `index`, after at least
/// `leading` others.
static LogicalResult giveLastSizes(TypeInference &op, unsigned index,
                                   int64_t leading) {
  ValueTensorType type = op.tensor(0);
  auto output = op.integers(index);
  if (!type.hasRank() || !output)
    return op.giveUnranked(type.getDtype());
  int64_t least = static_cast<int64_t>(output->size()) + leading;
  if (type.getRank() < least)
    return op.fail("expected an input of rank " + Twine(least) +
                   " or more, got " + shapeText(type.getSizes()));
  SmallVector<int64_t> sizes(type.getSizes().drop_back(output->size()));
  llvm::append_range(sizes, *output);
  return op.give(sizes, type.getDtype());
}

/// aten.adaptive_avg_pool2d(self [...,H,W], output_size)
LogicalResult adaptive_pool(TypeInference &op) {
  return giveLastSizes(op, 1, /*leading=*/0);
}

/// The sizes of the first result again, of si64.
static LogicalResult giveIndices(TypeInference &op) {
  return op.giveLike(cast<ValueTensorType>(op.results.front()),
                     signedDtype(op, 64));
}

/// aten.adaptive_max_pool2d(self, output_size): also gives the indices of the
/// maxima.
LogicalResult adaptive_pool_with_indices(TypeInference &op) {
  return failure(failed(adaptive_pool(op)) || failed(giveIndices(op)));
}

/// aten.fractional_max_pool2d(self [...,H,W], kernel_size, output_size,
/// random_samples): also gives the indices of the maxima.
LogicalResult fractional_pool(TypeInference &op) {
  return failure(failed(giveLastSizes(op, 2, /*leading=*/1)) ||
                 failed(giveIndices(op)));
}

/// Gives the sizes of the input, with 1 for those that operand 1 lists.
static LogicalResult giveStatistic(TypeInference &op, Type dtype) {
  ValueTensorType type = op.tensor(0);
  auto shape = op.integers(1);
  if (!type.hasRank() || !shape ||
      static_cast<int64_t>(shape->size()) > type.getRank())
    return op.giveUnranked(dtype);
  SmallVector<int64_t> sizes(type.getSizes().drop_back(shape->size()));
  sizes.append(shape->size(), 1);
  return op.give(sizes, dtype);
}

/// aten.native_layer_norm(input, normalized_shape, ...): also gives the mean
/// and the inverse of the standard deviation, with sizes of 1 in the normalized
/// dims.
LogicalResult layer_norm_with_statistics(TypeInference &op) {
  return failure(failed(op.give(op.tensor(0))) ||
                 failed(giveStatistic(op, op.dtype(0))) ||
                 failed(giveStatistic(op, op.dtype(0))));
}

/// aten._fused_rms_norm(input, normalized_shape, ...): also gives the inverse
/// of the root mean square, with sizes of 1 in the normalized dims.
LogicalResult rms_norm_with_statistics(TypeInference &op) {
  return failure(failed(op.give(op.tensor(0))) ||
                 failed(giveStatistic(op, summedDtype(op.dtype(0)))));
}

/// aten.native_group_norm(input [N,C,...], weight, bias, N, C, HxW, group,
/// ...): also gives the mean and the inverse of the standard deviation,
/// [N,group].
LogicalResult group_norm_with_statistics(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  auto orUnknown = [](std::optional<int64_t> size) {
    return size.value_or(ShapedType::kDynamic);
  };
  SmallVector<int64_t> sizes = {orUnknown(op.integer(3)),
                                orUnknown(op.integer(6))};
  return failure(failed(op.give(type)) ||
                 failed(op.give(sizes, type.getDtype())) ||
                 failed(op.give(sizes, type.getDtype())));
}

/// The result and the batch statistics: [C] in training, otherwise empty, [0].
static LogicalResult giveBatchNorm(TypeInference &op,
                                   std::optional<bool> training) {
  ValueTensorType type = op.tensor(0);
  (void)op.give(type);
  int64_t channels = ShapedType::kDynamic;
  if (training && type.hasRank() && type.getRank() > 1)
    channels = *training ? type.getSizes()[1] : 0;
  return failure(failed(op.give({channels}, type.getDtype())) ||
                 failed(op.give({channels}, type.getDtype())));
}

/// The bytes that a library keeps for gradients; here there are none.
static LogicalResult giveReserve(TypeInference &op) {
  return op.give({0},
                 IntegerType::get(op.getContext(), 8, IntegerType::Unsigned));
}

/// Gives the types of the running statistics.
static LogicalResult giveUpdates(TypeInference &op) {
  return failure(failed(op.give(op.tensor(3))) ||
                 failed(op.give(op.tensor(4))));
}

/// aten._native_batch_norm_legit(input [N,C,...], weight, bias, running_mean,
/// running_var, training, momentum, eps): also gives the batch statistics.
LogicalResult batch_norm_with_statistics(TypeInference &op) {
  return giveBatchNorm(op, op.boolean(5));
}

/// aten._native_batch_norm_legit.no_stats(input [N,C,...], weight, bias,
/// training, momentum, eps): also gives the batch statistics.
LogicalResult batch_norm_without_running(TypeInference &op) {
  return giveBatchNorm(op, op.boolean(3));
}

/// aten._native_batch_norm_legit_no_training(input, ...): the batch statistics
/// are empty.
LogicalResult batch_norm_of_inference(TypeInference &op) {
  return giveBatchNorm(op, /*training=*/false);
}

/// aten._batch_norm_no_update(input, ...): also gives a library's own bytes.
LogicalResult batch_norm_no_update(TypeInference &op) {
  return failure(failed(batch_norm_of_inference(op)) ||
                 failed(giveReserve(op)));
}

/// aten._native_batch_norm_legit_functional(input, weight, bias, running_mean,
/// running_var, training, ...): also gives the batch statistics and the updated
/// running ones.
LogicalResult batch_norm_with_updates(TypeInference &op) {
  return failure(failed(batch_norm_with_statistics(op)) ||
                 failed(giveUpdates(op)));
}

/// aten._batch_norm_with_update_functional(input, weight, bias, running_mean,
/// running_var, ...): the batch statistics, a library's own bytes, and the
/// updated running statistics.
LogicalResult batch_norm_of_training(TypeInference &op) {
  return failure(failed(giveBatchNorm(op, /*training=*/true)) ||
                 failed(giveReserve(op)) || failed(giveUpdates(op)));
}

/// aten.max_pool1d_with_indices(self, kernel_size, stride, padding, dilation,
/// ceil_mode)
LogicalResult max_pool1d_with_indices(TypeInference &op) {
  return poolWithIndices(op, 1);
}

/// aten.max_unpool2d(self [...,h,w], indices, output_size)
LogicalResult max_unpool(TypeInference &op) {
  return giveLastSizes(op, 2, /*leading=*/1);
}

/// aten._weight_norm_interface(v, g, dim): the weight and the lengths, which
/// have the sizes of g. Those of half types are of f32, though for f16 exported
/// programs declare f16.
LogicalResult weight_norm(TypeInference &op) {
  if (failed(op.expectDims(2)))
    return failure();
  Type dtype = op.dtype(1);
  if (dtype && dtype.isF16())
    dtype = {};
  else if (dtype && dtype.isBF16())
    dtype = Float32Type::get(op.getContext());
  return failure(failed(op.give(op.tensor(0))) ||
                 failed(op.giveLike(op.tensor(1), dtype)));
}

} // namespace isthmus::torch::rules
