//===- Loss.cpp - Type rules of losses ------------------------------------===//
//
// One function per rule that a registry line names. A reduction is 0 (none), 1
// (mean) or 2 (sum).
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Torch/RegistryOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

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

/// The loss of each element of self and target, which broadcast.
static LogicalResult lossAs(TypeInference &op, unsigned reductionIndex) {
  ValueTensorType self = op.tensor(0), target = op.tensor(1);
  Type dtype = resultDtype(op.getOperands().take_front(2));
  std::optional<SmallVector<int64_t>> sizes;
  if (self.hasRank() && target.hasRank()) {
    sizes = broadcastShapes(self.getSizes(), target.getSizes());
    if (!sizes)
      return op.fail("expected shapes that broadcast, got " +
                     shapeText(self.getSizes()) + " and " +
                     shapeText(target.getSizes()));
  }
  if (isIntegral(dtype) && op.integer(reductionIndex) == 1)
    return op.fail("expected floating point numbers for a mean");
  return giveLoss(op, sizes, dtype, reductionIndex);
}

/// aten.mse_loss(self, target, reduction, ...)
LogicalResult rules::loss(TypeInference &op) { return lossAs(op, 2); }

/// aten.binary_cross_entropy(self, target, weight, reduction)
LogicalResult rules::loss_of_weighted(TypeInference &op) {
  return lossAs(op, 3);
}

/// aten.binary_cross_entropy_with_logits(self, target, weight, pos_weight,
/// reduction)
LogicalResult rules::loss_of_logits(TypeInference &op) { return lossAs(op, 4); }

/// aten.nll_loss_nd(self [N,C,d...] or [C], target, weight [C], reduction,
/// ...): a loss for each sample, [N,d...]. The target has a class for each, or
/// probabilities for each of its classes.
LogicalResult rules::loss_of_classes(TypeInference &op) {
  ValueTensorType self = op.tensor(0), target = op.tensor(1);
  Type dtype = self.getDtype();
  bool hasProbabilities =
      target.getDtype() && isFloatingPoint(target.getDtype());
  if (hasProbabilities)
    dtype = promoteDtypes(dtype, target.getDtype());
  if (hasProbabilities && !op.isNone(2))
    dtype = promoteDtypes(dtype, op.dtype(2));
  if (!self.hasRank())
    return giveLoss(op, std::nullopt, dtype, 3);
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
  ValueTensorType weight = op.tensor(2);
  if (weight.hasRank() &&
      failed(verifyCompatibleShape(weight.getSizes(), self.getSizes()[dim])))
    return op.fail("expected a weight for each class of " +
                   shapeText(self.getSizes()) + ", got " +
                   shapeText(weight.getSizes()));
  return giveLoss(op, samples, dtype, 3);
}
