//===- Detection.cpp - Type rules of boxes and regions --------------------===//

#include "Dtypes.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/TypeInference.h"

using namespace mlir;

namespace isthmus::torch::rules {

static int64_t orOpen(std::optional<int64_t> size) {
  return size.value_or(ShapedType::kDynamic);
}

/// The sizes [regions, channels, pooled_height, pooled_width] that follow from
/// (input [N,C,H,W], rois [K,5], spatial_scale, pooled_height, pooled_width,
/// ...); nullopt if a rank is unknown. Fails if a pooled size is not positive.
static FailureOr<std::optional<SmallVector<int64_t>>>
pooledSizes(TypeInference &op) {
  ValueTensorType type = op.tensor(0), regions = op.tensor(1);
  for (ValueTensorType each : {type, regions})
    if (each.getDtype() && !isFloatingPoint(each.getDtype()))
      return op.fail("expected an image and regions of floating point");
  if (!type.hasRank() || !regions.hasRank() || type.getRank() != 4 ||
      regions.getRank() != 2)
    return std::optional<SmallVector<int64_t>>();
  int64_t height = orOpen(op.integer(3)), width = orOpen(op.integer(4));
  for (int64_t size : {height, width})
    if (!ShapedType::isDynamic(size) && size < 1)
      return op.fail("expected pooled sizes of 1 or more, got " +
                     shapeText({height, width}));
  return std::optional(SmallVector<int64_t>{regions.getSizes()[0],
                                            type.getSizes()[1], height, width});
}

static LogicalResult givePooled(TypeInference &op,
                                std::optional<ArrayRef<int64_t>> sizes,
                                Type dtype) {
  return sizes ? op.give(*sizes, dtype) : op.giveUnranked(dtype);
}

/// torchvision.roi_align(input, rois, spatial_scale, pooled_height,
/// pooled_width, sampling_ratio, aligned)
LogicalResult pooled_regions(TypeInference &op) {
  auto sizes = pooledSizes(op);
  if (failed(sizes))
    return failure();
  return givePooled(op, *sizes, op.dtype(0));
}

/// torchvision.roi_pool(input, rois, spatial_scale, pooled_height,
/// pooled_width): the maxima, and their positions in the images.
LogicalResult pooled_regions_with_indices(TypeInference &op) {
  auto sizes = pooledSizes(op);
  if (failed(sizes))
    return failure();
  return failure(failed(givePooled(op, *sizes, op.dtype(0))) ||
                 failed(givePooled(op, *sizes, signedDtype(op, 32))));
}

/// torchvision.ps_roi_pool(input [N, C * pooled_height * pooled_width, H, W],
/// rois, spatial_scale, pooled_height, pooled_width): means with C channels,
/// and the channel that each is taken from.
LogicalResult pooled_by_position(TypeInference &op) {
  auto sizes = pooledSizes(op);
  if (failed(sizes))
    return failure();
  if (*sizes) {
    SmallVector<int64_t> &known = **sizes;
    int64_t height = known[2], width = known[3];
    bool isOpen = llvm::any_of(ArrayRef(known).drop_front(),
                               [](int64_t size) { return size < 0; });
    if (isOpen) {
      known[1] = ShapedType::kDynamic;
    } else {
      // Division first: the product may overflow.
      if (known[1] % height != 0 || known[1] / height % width != 0)
        return op.fail("expected channels for each of " + Twine(height) +
                       " x " + Twine(width) + " positions, got " +
                       Twine(known[1]));
      known[1] = known[1] / height / width;
    }
  }
  return failure(failed(givePooled(op, *sizes, op.dtype(0))) ||
                 failed(givePooled(op, *sizes, signedDtype(op, 32))));
}

/// torchvision.nms(dets [n,4], scores [n], iou_threshold): the numbers of the
/// boxes that remain.
LogicalResult nms(TypeInference &op) {
  if (Type dtype = op.dtype(0); dtype && !isFloatingPoint(dtype))
    return op.fail("expected boxes of floating point");
  return op.give({ShapedType::kDynamic}, signedDtype(op, 64));
}

/// torchvision.deform_conv2d(input [N,C,H,W], weight [out,_,_,_], offset
/// [N,_,h,w], ...): [N,out,h,w].
LogicalResult deform_conv(TypeInference &op) {
  ValueTensorType type = op.tensor(0), weight = op.tensor(1),
                  offset = op.tensor(2);
  if (!type.hasRank() || !weight.hasRank() || !offset.hasRank() ||
      type.getRank() != 4 || weight.getRank() != 4 || offset.getRank() != 4)
    return op.giveUnranked(type.getDtype());
  return op.give({type.getSizes()[0], weight.getSizes()[0],
                  offset.getSizes()[2], offset.getSizes()[3]},
                 type.getDtype());
}

} // namespace isthmus::torch::rules
