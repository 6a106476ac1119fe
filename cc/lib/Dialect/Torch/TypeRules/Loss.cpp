//===- Loss.cpp - Type rules of losses ------------------------------------===//
//
// One function per rule that a registry line names. A reduction is 0 (none), 1
// (mean) or 2 (sum).
//
//===----------------------------------------------------------------------===//

#include "Dtypes.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/TypeInference.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace isthmus::torch::rules {

/// One number, or one per element of `sizes` without a reduction; operand
/// `reductionIndex` says which. `sizes` are null if they are unknown.
static LogicalResult giveLoss(TypeInference &op,
                              std::optional<SmallVector<int64_t>> sizes,
                              Type dtype, unsigned reductionIndex) {
  std::optional<int64_t> reduction = op.integer(reductionIndex);
  if (reduction && (*reduction < 0 || *reduction > 2))
    return op.fail("expected a reduction of 0, 1 or 2, got " +
                   Twine(*reduction));
  if (!reduction || (*reduction == 0 && !sizes))
    return op.giveUnranked(dtype);
  return *reduction == 0 ? op.give(*sizes, dtype)
                         : op.give(ArrayRef<int64_t>(), dtype);
}

/// The broadcast of the first `count` operands in `sizes`; null if a shape is
/// unknown. Fails with a message if they do not broadcast.
static LogicalResult
broadcastFirst(TypeInference &op, unsigned count,
               std::optional<SmallVector<int64_t>> &sizes) {
  sizes = SmallVector<int64_t>();
  for (unsigned index = 0; index < count; ++index) {
    ValueTensorType type = op.tensor(index);
    if (!type.hasRank()) {
      sizes.reset();
      return success();
    }
    auto common = broadcastShapes(*sizes, type.getSizes());
    if (!common)
      return op.fail("expected shapes that broadcast, got " +
                     shapeText(*sizes) + " and " + shapeText(type.getSizes()));
    sizes = common;
  }
  return success();
}

/// The loss of each element of the first `count` operands, which broadcast.
static LogicalResult lossOf(TypeInference &op, unsigned count, Type dtype,
                            unsigned reductionIndex) {
  std::optional<SmallVector<int64_t>> sizes;
  if (failed(broadcastFirst(op, count, sizes)))
    return failure();
  if (dtype && isIntegral(dtype) && op.integer(reductionIndex) == 1)
    return op.fail("expected floating point numbers for a mean");
  return giveLoss(op, sizes, dtype, reductionIndex);
}

/// The loss of each element of self and target.
static LogicalResult lossAs(TypeInference &op, unsigned reductionIndex) {
  return lossOf(op, 2, resultDtype(op.getOperands().take_front(2)),
                reductionIndex);
}

/// aten.mse_loss(self, target, reduction, ...). Of complex numbers there is
/// only l1_loss, which is a modulus.
LogicalResult loss(TypeInference &op) {
  return lossOf(op, 2, partDtype(resultDtype(op.getOperands().take_front(2))),
                2);
}

/// aten.binary_cross_entropy(self, target, weight, reduction)
LogicalResult loss_of_weighted(TypeInference &op) { return lossAs(op, 3); }

/// aten.binary_cross_entropy_with_logits(self, target, weight, pos_weight,
/// reduction)
LogicalResult loss_of_logits(TypeInference &op) { return lossAs(op, 4); }

/// aten.poisson_nll_loss(input, target, log_input, full, eps, reduction)
LogicalResult loss_of_poisson(TypeInference &op) {
  Type dtype = toFloating(resultDtype(op.getOperands().take_front(2)));
  return lossOf(op, 2, dtype, 5);
}

/// aten.hinge_embedding_loss(self, target, margin, reduction): the target only
/// selects.
LogicalResult loss_of_hinge(TypeInference &op) {
  return lossOf(op, 2, op.dtype(0), 3);
}

/// aten.margin_ranking_loss(input1, input2, target, margin, reduction)
LogicalResult loss_of_ranking(TypeInference &op) {
  Type dtype = toFloating(resultDtype(op.getOperands().take_front(3)));
  return lossOf(op, 3, dtype, 4);
}

/// The broadcast of the first operands without its last dim, which is compared.
static LogicalResult withoutLast(TypeInference &op, unsigned count,
                                 std::optional<SmallVector<int64_t>> &sizes) {
  if (failed(broadcastFirst(op, count, sizes)))
    return failure();
  if (sizes && sizes->empty())
    return op.fail("expected tensors of rank 1 or more");
  if (sizes)
    sizes->pop_back();
  return success();
}

/// aten.cosine_embedding_loss(input1 [N,d], input2, target [N], margin,
/// reduction): [N], or without N.
LogicalResult loss_of_cosine(TypeInference &op) {
  std::optional<SmallVector<int64_t>> sizes;
  if (failed(withoutLast(op, 2, sizes)))
    return failure();
  ValueTensorType target = op.tensor(2);
  if (sizes && target.hasRank() && target.getRank() != int64_t(sizes->size()))
    return op.fail("expected a target for each pair, got " +
                   shapeText(target.getSizes()) + " for " + shapeText(*sizes));
  if (sizes && target.hasRank())
    sizes = broadcastShapes(*sizes, target.getSizes());
  else
    sizes.reset();
  Type dtype = toFloating(resultDtype(op.getOperands().take_front(2)));
  return giveLoss(op, sizes, dtype, 4);
}

/// aten.triplet_margin_loss(anchor [...,d], positive, negative, margin, p, eps,
/// swap, reduction): [...], in the dtype of both distances from the anchor,
/// which are real.
LogicalResult loss_of_triplet(TypeInference &op) {
  std::optional<SmallVector<int64_t>> sizes;
  if (failed(withoutLast(op, 3, sizes)))
    return failure();
  Type near = toFloating(resultDtype({op[0], op[1]})),
       far = toFloating(resultDtype({op[0], op[2]}));
  return giveLoss(op, sizes, partDtype(promoteDtypes(near, far)), 7);
}

/// A loss for each sample of self [N,C,d...] or [C], [N,d...]. The target has a
/// class for each, or probabilities for each of its classes.
static LogicalResult lossOfClasses(TypeInference &op, unsigned weightIndex,
                                   unsigned reductionIndex) {
  ValueTensorType self = op.tensor(0), target = op.tensor(1);
  Type dtype = self.getDtype();
  bool hasProbabilities =
      target.getDtype() && isFloatingPoint(target.getDtype());
  if (hasProbabilities)
    dtype = promoteDtypes(dtype, target.getDtype());
  if (hasProbabilities && !op.isNone(weightIndex))
    dtype = promoteDtypes(dtype, op.dtype(weightIndex));
  if (!self.hasRank())
    return giveLoss(op, std::nullopt, dtype, reductionIndex);
  if (self.getRank() == 0)
    return op.fail("expected a dim of classes, got a tensor of rank 0");
  int64_t dim = self.getRank() == 1 ? 0 : 1;
  SmallVector<int64_t> samples(self.getSizes());
  samples.erase(samples.begin() + dim);
  ArrayRef<int64_t> wanted = samples;
  if (hasProbabilities)
    wanted = self.getSizes();
  if (target.hasRank() &&
      failed(verifyCompatibleShape(target.getSizes(), wanted)))
    return op.fail("expected a target of " + shapeText(wanted) + " for " +
                   shapeText(self.getSizes()) + ", got " +
                   shapeText(target.getSizes()));
  ValueTensorType weight = op.tensor(weightIndex);
  if (weight.hasRank() &&
      failed(verifyCompatibleShape(weight.getSizes(), self.getSizes()[dim])))
    return op.fail("expected a weight for each class of " +
                   shapeText(self.getSizes()) + ", got " +
                   shapeText(weight.getSizes()));
  return giveLoss(op, samples, dtype, reductionIndex);
}

/// aten.nll_loss_nd(self, target, weight [C], reduction, ...)
LogicalResult loss_of_classes(TypeInference &op) {
  return lossOfClasses(op, 2, 3);
}

/// aten.nll_loss_forward(self, target, weight [C], reduction, ...): the loss,
/// and the sum of the weights.
LogicalResult loss_of_classes_with_weight(TypeInference &op) {
  return failure(failed(lossOfClasses(op, 2, 3)) ||
                 failed(op.give(ArrayRef<int64_t>(), op.dtype(0))));
}

/// Fails unless `given` tensors of rank 0 or 1 have `count` elements.
static LogicalResult expectCount(TypeInference &op, ValueTensorType given,
                                 int64_t count, StringRef what) {
  if (!given.hasRank() ||
      (given.getRank() == 0 && (count == 1 || ShapedType::isDynamic(count))) ||
      (given.getRank() == 1 &&
       succeeded(verifyCompatibleShape(given.getSizes(), count))))
    return success();
  return op.fail("expected " + what + " of " + shapeText(count) + ", got " +
                 shapeText(given.getSizes()));
}

/// aten.multi_margin_loss(self [N,C], [C] or [], target, p, margin, weight [C],
/// reduction): a loss for each element of the target, [N]. A single one may
/// have rank 0.
LogicalResult loss_of_margins(TypeInference &op) {
  ValueTensorType self = op.tensor(0), target = op.tensor(1),
                  weight = op.tensor(4);
  Type dtype = self.getDtype();
  if (!self.hasRank() || !target.hasRank())
    return giveLoss(op, std::nullopt, dtype, 5);
  ArrayRef<int64_t> own = self.getSizes();
  if (own.size() > 2)
    return op.fail("expected scores [N,C] or [C], got " + shapeText(own));
  int64_t samples = own.size() == 2 ? own.front() : 1,
          classes = own.empty() ? 1 : own.back();
  if (failed(expectCount(op, target, samples, "a target")) ||
      failed(expectCount(op, weight, classes, "weights")))
    return failure();
  SmallVector<int64_t> sizes(target.getRank(), samples);
  return giveLoss(op, sizes, dtype, 5);
}

/// aten.multilabel_margin_loss(self [N,C], target [N,C], reduction): [N], or
/// without N. A single class may have rank 0.
LogicalResult loss_of_labels(TypeInference &op) {
  ValueTensorType self = op.tensor(0), target = op.tensor(1);
  auto isRow = [](ValueTensorType type) {
    return type.hasRank() && type.getRank() <= 1;
  };
  std::optional<SmallVector<int64_t>> sizes;
  if (isRow(self) && isRow(target)) {
    int64_t classes = self.getRank() == 0 ? 1 : self.getSizes().front();
    if (failed(expectCount(op, target, classes, "labels")))
      return failure();
    sizes.emplace();
  } else if (failed(withoutLast(op, 2, sizes))) {
    return failure();
  }
  return giveLoss(op, sizes, self.getDtype(), 2);
}

/// aten.multilabel_margin_loss_forward(self, target, reduction): the loss, and
/// a number for each class.
LogicalResult loss_of_labels_with_flags(TypeInference &op) {
  return failure(failed(loss_of_labels(op)) ||
                 failed(op.giveLike(op.tensor(1), op.dtype(0))));
}

} // namespace isthmus::torch::rules
