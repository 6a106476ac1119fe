//===- Detection.cpp - Boxes that overlap others --------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/DetectionComposites.h"
#include "isthmus/Dialect/Torch/IndexingComposites.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/SortingOps.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// At [i, j]: the intersection of boxes (x1, y1, x2, y2) over their union.
static Tensor intersectionsOverUnions(Tensor boxes) {
  TorchBuilder &b = boxes.builder();
  auto column = [&](int64_t index) -> Tensor {
    return {b,
            b.create<AtenSelectIntOp>(boxes, b.constant(1), b.constant(index))};
  };
  auto first = [&](Tensor x) -> Tensor { return {b, b.unsqueeze(x, 1)}; };
  Tensor area = (column(2) - column(0)) * (column(3) - column(1));
  auto common = [&](int64_t dim) {
    Tensor low = column(dim), high = column(dim + 2);
    return max(min(first(high), high) - max(first(low), low), 0);
  };
  Tensor both = common(0) * common(1);
  return both / (first(area) + area - both);
}

/// torchvision.nms(dets [n,4], scores [n], iou_threshold): by falling score,
/// the boxes that overlap no better one that remains by more than the
/// threshold.
static Value nms(TorchvisionNmsOp op, TorchBuilder &b) {
  Value zero = b.constant(0), yes = b.constantBool(true);
  Tensor boxes(b, op.getDets());
  Tensor order(
      b,
      b.create<AtenSortStableOp>(op.getScores(), yes, zero, yes)->getResult(1));
  Tensor sorted = boxes.apply<AtenIndexSelectOp>(zero, order);
  if (!sorted.dtype().isF64())
    sorted = sorted.widened();
  Tensor ratio = intersectionsOverUnions(sorted);
  Value count = b.size(boxes, 0);
  Tensor isWorse = columnMinusRow(b, count, count) > 0;
  // The threshold is of f64, which decides ratios such as 3 / 10.
  Type wide = Float64Type::get(b.getContext());
  Tensor overlaps =
      (ratio.as(wide) > scalar(b, op.getIouThreshold(), wide)) & isWorse;
  // By falling score, each remaining box removes those that it overlaps.
  auto step = [&](Value number, ArrayRef<Tensor> states) -> States {
    Tensor left = states.front();
    Tensor isLeft = left.apply<AtenSelectIntOp>(zero, number);
    Tensor row = overlaps.apply<AtenSelectIntOp>(zero, number);
    return {left & !(isLeft & row)};
  };
  Tensor all = filled(b, {count}, 1, b.getBuilder().getI1Type());
  Tensor left = loop(b, count, {all}, step).front();
  return order.apply<AtenMaskedSelectOp>(left);
}

void populateDetection(Decompositions &decompositions) {
  decompositions.add(nms);
}

} // namespace isthmus::decompose_torch
