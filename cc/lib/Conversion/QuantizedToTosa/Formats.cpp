//===- Formats.cpp - How results are quantized ----------------------------===//

#include "Formats.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/NnComposites.h"
#include "isthmus/Dialect/Torch/NnOps.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "isthmus/Dialect/Torch/WindowArguments.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::quantized_to_tosa;

bool quantized_to_tosa::isClamp(Operation *op) {
  return isa<torch::AtenClampMaxOp, torch::AtenClampMinOp, torch::AtenClampOp,
             torch::AtenHardtanhOp, torch::AtenRelu6Op, torch::AtenReluOp>(op);
}

std::optional<std::pair<double, double>>
quantized_to_tosa::readLimits(Operation *op) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (isa<torch::AtenReluOp>(op))
    return std::pair(0.0, infinity);
  if (isa<torch::AtenRelu6Op>(op))
    return std::pair(0.0, 6.0);
  auto read = [&](unsigned index, double otherwise) -> std::optional<double> {
    Value given = op->getOperand(index);
    auto number = torch::isNone(given) ? std::optional(otherwise)
                                       : torch::matchNumber(given);
    // An infinite limit of the other kind leaves infinity.
    return number == -otherwise ? std::nullopt : number;
  };
  bool isMax = isa<torch::AtenClampMaxOp>(op);
  auto low = isMax ? std::optional(-infinity) : read(1, -infinity);
  auto high = isMax                            ? read(1, infinity)
              : isa<torch::AtenClampMinOp>(op) ? std::optional(infinity)
                                               : read(2, infinity);
  if (!low || !high || !(*low <= *high))
    return std::nullopt;
  return std::pair(*low, *high);
}

bool quantized_to_tosa::isIdentity(Operation *op) {
  if (auto dropout = dyn_cast<torch::AtenDropoutOp>(op))
    return torch::matchBool(dropout.getTrain()) == false;
  return isa<torch::AtenAliasOp, torch::AtenCloneOp, torch::AtenContiguousOp,
             torch::AtenDetachOp>(op);
}

bool quantized_to_tosa::isView(Operation *op) {
  return isIdentity(op) ||
         isa<torch::AtenExpandOp, torch::AtenFlattenUsingIntsOp,
             torch::AtenPermuteOp, torch::AtenReshapeOp, torch::AtenSelectIntOp,
             torch::AtenSliceTensorOp, torch::AtenSqueezeDimOp,
             torch::AtenSqueezeDimsOp, torch::AtenTOp,
             torch::AtenTransposeIntOp, torch::AtenUnsqueezeOp,
             torch::AtenViewOp>(op);
}

bool quantized_to_tosa::isMaximum(Operation *op) {
  if (!isa<torch::AtenMaxPool2dOp>(op))
    return false;
  auto arguments = torch::PoolingArguments::read(op);
  return arguments &&
         (!arguments->isPadded() ||
          llvm::all_of(arguments->dilation, [](int64_t n) { return n == 1; }));
}

bool quantized_to_tosa::isSum(Operation *op) {
  return isa<torch::AtenAddScalarOp, torch::AtenAddTensorOp,
             torch::AtenSubScalarOp, torch::AtenSubTensorOp>(op) &&
         torch::matchNumber(op->getOperand(2)) == 1.0;
}

bool quantized_to_tosa::isMean(Operation *op) {
  return isa<torch::AtenAdaptiveAvgPool2dOp, torch::Aten_AdaptiveAvgPool2dOp,
             torch::AtenMeanDimOp>(op);
}

/// The format in which `user`, or the last op of ONNX's formula that starts
/// there, quantizes `real`.
static std::optional<Format> formatOf(Value real, Operation *user) {
  constexpr int maxOps = 4; // divide, round, add, clamp
  for (int i = 0; i <= maxOps; ++i) {
    if (auto quantization = matchQuantize(user))
      return quantization->x == real ? std::optional(quantization->format)
                                     : std::nullopt;
    if (user->getNumResults() != 1 || !user->hasOneUse())
      break;
    user = *user->user_begin();
  }
  return std::nullopt;
}

/// The formats of all uses, perhaps after `sums` sums one after the other and
/// means; nullopt if there are other uses, or too many.
static std::optional<SmallVector<Format>> formatsOf(Value real, int sums,
                                                    bool throughMeans) {
  constexpr size_t maxValues = 16, maxUses = 64;
  SmallVector<Format> formats;
  SmallVector<std::pair<Value, int>, 16> values = {{real, sums}};
  size_t uses = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    auto [value, left] = values[i];
    for (Operation *user : value.getUsers()) {
      if (++uses > maxUses || values.size() > maxValues)
        return std::nullopt;
      if (auto format = formatOf(value, user))
        formats.push_back(*format);
      else if (isClamp(user) || isView(user) || isMaximum(user) ||
               (throughMeans &&
                (isMean(user) ||
                 isa<torch::AtenCatOp, torch::PrimListConstructOp>(user))))
        values.push_back({user->getResult(0), left});
      else if (left > 0 && isSum(user))
        values.push_back({user->getResult(0), left - 1});
      else
        return std::nullopt;
    }
  }
  return formats;
}

std::optional<Format> quantized_to_tosa::formatOfAll(Value real) {
  auto formats = formatsOf(real, /*sums=*/0, /*throughMeans=*/false);
  if (!formats || formats->empty() || !llvm::all_equal(*formats))
    return std::nullopt;
  return formats->front();
}

std::optional<double> quantized_to_tosa::leastScale(Value real) {
  auto formats = formatsOf(real, /*sums=*/1, /*throughMeans=*/true);
  if (!formats || formats->empty())
    return std::nullopt;
  double least = formats->front().scale;
  for (const Format &format : *formats)
    least = std::min(least, format.scale);
  return least;
}
