//===- ObjectDetection.cpp - ONNX regions and boxes to ATen ---------------===//
//
// One function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Onnx/ObjectDetection.h"
#include "Families.h"
#include "Loops.h"
#include "Sampling.h"
#include "isthmus/Dialect/Onnx/Nn.h"
#include "isthmus/Dialect/Torch/DetectionComposites.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/SortingOps.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

//===----------------------------------------------------------------------===//
// RoiAlign
//===----------------------------------------------------------------------===//

/// Positions [regions, bins * perBin] along a dim, evenly inside each of `bins`
/// parts of a region from `begin` to `end`.
Value positionsInBins(NodeBuilder &b, Value begin, Value end, int64_t bins,
                      int64_t perBin, bool isAtLeastOne) {
  Value length = b.sub(end, begin);
  if (isAtLeastOne)
    length = b.create<torch::AtenClampOp>(length, b.constantFloat(1), b.none());
  Value places = b.convert(iota(b, b.constant(0), b.constant(bins * perBin)),
                           dtypeOf(begin));
  Value shares = scaled(b, addNumber(b, places, 0.5), 1.0 / (bins * perBin));
  Value inside = b.mul(b.unsqueeze(length, 1), b.unsqueeze(shares, 0));
  return b.add(b.unsqueeze(begin, 1), inside);
}

/// Linear taps of RoiAlign: zero more than a pixel outside, and the border
/// value up to there.
Taps regionTaps(NodeBuilder &b, Value position, Value size, int64_t axis) {
  position = b.unsqueeze(position, axis);
  Value isNear = b.create<torch::AtenLogicalAndOp>(
      b.create<torch::AtenGeScalarOp>(position, b.constantFloat(-1)),
      b.create<torch::AtenLeScalarOp>(position, size));
  Value inner =
      b.create<torch::AtenClampOp>(position, b.constant(0), lastOf(b, size));
  Taps taps = linearTaps(b, inner, size, /*isZeroOutside=*/false);
  Value zero = b.scalarTensor(0.0, dtypeOf(position));
  for (Tap &tap : taps)
    tap.weight = b.where(isNear, tap.weight, zero);
  return taps;
}

/// The maximum of the weighted elements of all points of each bin.
FailureOr<Value> maximaOfPoints(onnx::RoiAlignOp op,
                                onnx::RoiAlignOp::Adaptor in, NodeBuilder &b) {
  Value x = in.getX();
  int64_t ratio = op.getSamplingRatio();
  if (ratio < 1)
    return b.decline() << "expected a sampling_ratio of 1 or more, got "
                       << ratio
                       << ", which leaves the number of points to each region";
  int64_t height = op.getOutputHeight(), width = op.getOutputWidth();
  constexpr int64_t most = 1 << 16;
  if (std::min(height, width) < 1 || std::max({height, width, ratio}) > most)
    return b.decline() << "expected an output size and a sampling_ratio of at "
                          "most "
                       << most << ", got " << height << " x " << width
                       << " and " << ratio;
  Type dtype = dtypeOf(x), wide = wideDtype(dtype);
  bool isHalfPixel = op.getCoordinateTransformationMode() == "half_pixel";
  Value rois = scaled(b, b.convert(in.getRois(), wide),
                      op.getSpatialScale().convertToDouble());
  if (isHalfPixel)
    rois = addNumber(b, rois, -0.5);
  auto corner = [&](int64_t index) -> Value {
    return b.create<torch::AtenSelectIntOp>(rois, b.constant(1),
                                            b.constant(index));
  };
  Value rows = positionsInBins(b, corner(1), corner(3), height, ratio,
                               /*isAtLeastOne=*/!isHalfPixel);
  Value columns = positionsInBins(b, corner(0), corner(2), width, ratio,
                                  /*isAtLeastOne=*/!isHalfPixel);
  // Places are [regions, rows, columns].
  Taps taps[] = {regionTaps(b, rows, b.size(x, 2), 2),
                 regionTaps(b, columns, b.size(x, 3), 1)};
  Value images = b.view(b.convert(in.getBatchIndices(), int64Dtype(b)),
                        {b.constant(-1), b.constant(1), b.constant(1)});
  auto larger = [&](Value a, Value y) -> Value {
    return b.create<torch::AtenMaximumOp>(a, y);
  };
  Value image = moveToEnd(b, b.convert(x, wide), 1);
  Value points = sample(b, image, images, taps, larger);
  Value binned =
      b.view(points, {b.size(rois, 0), b.constant(height), b.constant(ratio),
                      b.constant(width), b.constant(ratio), b.size(x, 1)});
  Value dims = b.ints(ArrayRef<int64_t>{2, 4}), keepdim = b.constantBool(false);
  Value pooled = b.create<torch::AtenAmaxOp>(binned, dims, keepdim);
  return b.convert(moveFromEnd(b, pooled, 1), dtype);
}

/// Regions [n,5] of torchvision: the image of each, and its corners.
Value withImages(NodeBuilder &b, Value images, Value regions) {
  Value column = b.unsqueeze(b.convert(images, dtypeOf(regions)), 1);
  return b.cat({column, regions}, 1);
}

/// RoiAlign-22: each region (x1, y1, x2, y2) of an image in bins, the mean (or
/// maximum) of sampling_ratio * sampling_ratio interpolated points each.
FailureOr<Value> lowerRoiAlign(onnx::RoiAlignOp op,
                               onnx::RoiAlignOp::Adaptor in, NodeBuilder &b) {
  if (op.getMode() == "max")
    return maximaOfPoints(op, in, b);
  if (op.getMode() != "avg")
    return b.decline() << "expected mode to be avg or max, got '"
                       << op.getMode() << "'";
  Value x = in.getX();
  Value rois = b.convert(in.getRois(), wideDtype(dtypeOf(x)));
  bool isAligned = op.getCoordinateTransformationMode() == "half_pixel";
  return b
      .create<torch::TorchvisionRoiAlignOp>(
          x, withImages(b, in.getBatchIndices(), rois),
          b.constantFloat(op.getSpatialScale().convertToDouble()),
          b.constant(op.getOutputHeight()), b.constant(op.getOutputWidth()),
          b.constant(op.getSamplingRatio()), b.constantBool(isAligned))
      .getResult();
}

//===----------------------------------------------------------------------===//
// MaxRoiPool
//===----------------------------------------------------------------------===//

/// MaxRoiPool-22: the maximum of each bin of each region (image, x1, y1, x2,
/// y2), whose corners are pixels; 0 where a bin has none.
FailureOr<Value> lowerMaxRoiPool(onnx::MaxRoiPoolOp op,
                                 onnx::MaxRoiPoolOp::Adaptor in,
                                 NodeBuilder &b) {
  SmallVector<int64_t> pooled = intsOf(op.getPooledShape());
  if (pooled.size() != 2)
    return b.decline() << "expected a pooled_shape of 2 sizes, got "
                       << pooled.size();
  return b
      .create<torch::TorchvisionRoiPoolOp>(
          in.getX(), in.getRois(),
          b.constantFloat(op.getSpatialScale().convertToDouble()),
          b.constant(pooled[0]), b.constant(pooled[1]))
      ->getResult(0);
}

//===----------------------------------------------------------------------===//
// NonMaxSuppression
//===----------------------------------------------------------------------===//

/// Boxes [batch, boxes, 4] as their smaller and larger corners per dim.
struct Corners {
  Value low[2], high[2];

  static Corners of(NodeBuilder &b, Value boxes, bool isCentred) {
    auto part = [&](int64_t index) -> Value {
      return b.create<torch::AtenSelectIntOp>(boxes, b.constant(2),
                                              b.constant(index));
    };
    Corners corners;
    for (int64_t dim : {0, 1}) {
      Value first = part(dim), second = part(dim + 2);
      if (isCentred) { // the centre and the length
        Value half = scaled(b, second, 0.5);
        corners.low[dim] = b.sub(first, half);
        corners.high[dim] = b.add(first, half);
      } else {
        corners.low[dim] = b.create<torch::AtenMinimumOp>(first, second);
        corners.high[dim] = b.create<torch::AtenMaximumOp>(first, second);
      }
    }
    return corners;
  }
};

/// At [image, i, j]: whether the intersection of boxes i and j exceeds the
/// fraction `threshold` of their union. A box without an area intersects
/// nothing.
Value overlaps(NodeBuilder &b, const Corners &boxes, Value threshold) {
  Value common, area;
  for (int64_t dim : {0, 1}) {
    auto between = [&](Value lines, auto choose) {
      return choose(b.unsqueeze(lines, 2), b.unsqueeze(lines, 1));
    };
    Value low = between(boxes.low[dim], [&](Value i, Value j) -> Value {
      return b.create<torch::AtenMaximumOp>(i, j);
    });
    Value high = between(boxes.high[dim], [&](Value i, Value j) -> Value {
      return b.create<torch::AtenMinimumOp>(i, j);
    });
    Value shared = b.create<torch::AtenClampOp>(b.sub(high, low),
                                                b.constantFloat(0), b.none());
    Value length = b.sub(boxes.high[dim], boxes.low[dim]);
    common = common ? b.mul(common, shared) : shared;
    area = area ? b.mul(area, length) : length;
  }
  Value both = b.sub(b.add(b.unsqueeze(area, 2), b.unsqueeze(area, 1)), common);
  Value isShared = b.create<torch::AtenGtScalarOp>(common, b.constantFloat(0));
  // If there is no intersection, the union `both` may be 0.
  Value ratio = b.div(
      common, b.where(isShared, both, b.scalarTensor(1.0, dtypeOf(both))));
  return b.create<torch::AtenLogicalAndOp>(
      isShared, b.create<torch::AtenGtScalarOp>(ratio, threshold));
}

/// NonMaxSuppression-11: of each class, the boxes by falling score without
/// those that overlap a better one: (image, class, box) each.
FailureOr<Value> lowerNonMaxSuppression(onnx::NonMaxSuppressionOp op,
                                        onnx::NonMaxSuppressionOp::Adaptor in,
                                        NodeBuilder &b) {
  Value boxes = in.getBoxes(), scores = in.getScores();
  if (sizeOf(boxes, 2) != 4)
    return b.decline() << "expected boxes of 4 numbers known while compiling, "
                          "got "
                       << boxes.getType();
  FailureOr<Value> most = b.constant(0);
  if (isPresent(in.getMaxOutputBoxesPerClass()))
    most =
        intOf(b, in.getMaxOutputBoxesPerClass(), "max_output_boxes_per_class");
  if (failed(most))
    return failure();
  Value threshold = b.constantFloat(0);
  if (isPresent(in.getIouThreshold()))
    threshold = numberOf(b, in.getIouThreshold());
  Value images = b.size(scores, 0), classes = b.size(scores, 1);
  Value count = b.size(scores, 2), zero = b.constant(0), one = b.constant(1);
  Value last = b.constant(2);
  Value overlap = overlaps(
      b, Corners::of(b, boxes, op.getCenterPointBox() != 0), threshold);
  Value order = b.create<torch::AtenSortStableOp>(scores, b.constantBool(true),
                                                  last, b.constantBool(true))
                    ->getResult(1);

  Value isLeft;
  if (isPresent(in.getScoreThreshold()))
    isLeft = b.create<torch::AtenGtScalarOp>(
        scores, numberOf(b, in.getScoreThreshold()));
  else
    isLeft =
        filled(b, {images, classes, count}, b.constantBool(true), boolDtype(b));
  Value places = counted(b, count, 2, 3), image = counted(b, images, 0, 2);
  // By falling score, each remaining box removes those that it overlaps.
  auto step = [&](Value number, ValueRange carried) -> FailureOr<Step> {
    Value left = carried.front();
    Value best = b.create<torch::AtenSelectIntOp>(order, last, number);
    Value best3 = b.unsqueeze(best, 2);
    Value isBestLeft =
        b.create<torch::AtenGatherOp>(left, last, best3, b.constantBool(false));
    Value overlapped = b.create<torch::AtenIndexTensorOp>(
        overlap, b.optionalTensors({image, best}));
    Value isOther = b.create<torch::AtenNeTensorOp>(places, best3);
    Value goes = b.create<torch::AtenLogicalAndOp>(
        b.create<torch::AtenLogicalAndOp>(isBestLeft, overlapped), isOther);
    Value stays = b.create<torch::AtenLogicalNotOp>(goes);
    return Step{Value(), {b.create<torch::AtenLogicalAndOp>(left, stays)}};
  };
  FailureOr<Values> left = buildLoop(b, count, Value(), isLeft, step);
  if (failed(left))
    return failure();

  // In order, the first `most` of each class.
  Value chosen = b.create<torch::AtenGatherOp>(left->front(), last, order,
                                               b.constantBool(false));
  Value rank = b.create<torch::AtenCumsumOp>(b.convert(chosen, int64Dtype(b)),
                                             last, b.none());
  chosen = b.create<torch::AtenLogicalAndOp>(
      chosen, b.create<torch::AtenLeScalarOp>(rank, *most));
  Value found = b.create<torch::AtenNonzeroOp>(chosen);
  SmallVector<Value> at;
  for (int64_t column : {0, 1, 2})
    at.push_back(
        b.create<torch::AtenSelectIntOp>(found, one, b.constant(column)));
  Value box = b.create<torch::AtenIndexTensorOp>(order, b.optionalTensors(at));
  return b.cat({b.slice(found, 1, zero, last), b.unsqueeze(box, 1)}, 1);
}

} // namespace

void onnx_to_torch::populateObjectDetection(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerMaxRoiPool);
  lowerings.add(lowerNonMaxSuppression);
  lowerings.add(lowerRoiAlign);
}
