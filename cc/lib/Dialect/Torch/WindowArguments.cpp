//===- WindowArguments.cpp - Arguments of windows -------------------------===//

#include "isthmus/Dialect/Torch/WindowArguments.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/TorchTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;
using Numbers = SmallVector<int64_t>;

/// One number of a list for each of `count` dims; `otherwise` replaces an empty
/// list. Returns nullopt if the list is not constant. A list of another length
/// or with unknown numbers is an error.
static std::optional<Numbers> perDim(Value list, int64_t count,
                                     ArrayRef<int64_t> otherwise,
                                     std::string *error) {
  std::optional<Numbers> numbers = matchSizes(list);
  if (!numbers)
    return std::nullopt;
  if (numbers->empty())
    numbers->assign(otherwise.begin(), otherwise.end());
  if (numbers->size() == 1)
    numbers->assign(count, numbers->front());
  if (static_cast<int64_t>(numbers->size()) == count &&
      !llvm::is_contained(*numbers, ShapedType::kDynamic))
    return numbers;
  if (error)
    *error = count == 1 ? "expected 1 known number per window argument"
                        : "expected 1 or " + std::to_string(count) +
                              " known numbers per window argument";
  return std::nullopt;
}

/// The digit before the last "d" of "torch.aten.max_pool2d_with_indices".
static int64_t spatialOf(Operation *op) {
  StringRef name = op->getName().getStringRef();
  size_t digit = name.find_last_of("123");
  assert(digit != StringRef::npos &&
         name.drop_front(digit + 1).starts_with("d"));
  return name[digit] - '0';
}

static bool isAverage(Operation *op) {
  return op->getName().getStringRef().contains("avg_pool");
}

bool PoolingArguments::isPadded() const {
  return llvm::any_of(padding, [](int64_t number) { return number != 0; });
}

void PoolingArguments::cut(ArrayRef<int64_t> sizes) {
  ArrayRef<int64_t> own = sizes.take_back(spatial());
  for (int64_t i = 0; ceilMode && i < spatial(); ++i)
    if (dilation[i] == 1 && !ShapedType::isDynamic(own[i]))
      kernel[i] = std::min(kernel[i], own[i] + 2 * padding[i]);
}

std::optional<PoolingArguments> PoolingArguments::read(ValueRange operands,
                                                       int64_t spatial,
                                                       bool isAverage,
                                                       std::string *error) {
  auto kernel = perDim(operands[1], spatial, {}, error);
  if (!kernel)
    return std::nullopt;
  auto stride = perDim(operands[2], spatial, *kernel, error),
       padding = perDim(operands[3], spatial, {}, error);
  std::optional<Numbers> dilation = Numbers(spatial, 1);
  if (!isAverage)
    dilation = perDim(operands[4], spatial, {}, error);
  std::optional<bool> ceilMode = matchBool(operands[isAverage ? 4 : 5]);
  if (!stride || !padding || !dilation || !ceilMode)
    return std::nullopt;
  return PoolingArguments{*kernel, *stride, *padding, *dilation, *ceilMode};
}

std::optional<PoolingArguments> PoolingArguments::read(Operation *op) {
  return read(op->getOperands(), spatialOf(op), isAverage(op));
}

std::optional<AveragingArguments> AveragingArguments::read(Operation *op) {
  auto shared = PoolingArguments::read(op);
  std::optional<bool> countIncludePad = matchBool(op->getOperand(5));
  if (!shared || !countIncludePad)
    return std::nullopt;
  std::optional<int64_t> divisor;
  if (op->getNumOperands() > 6 && !isNone(op->getOperand(6))) {
    divisor = matchInt(op->getOperand(6));
    if (!divisor)
      return std::nullopt;
  }
  return AveragingArguments{std::move(*shared), *countIncludePad, divisor};
}

std::optional<ConvolutionArguments>
ConvolutionArguments::read(ValueRange operands,
                           const ConvolutionOperands &places, int64_t spatial,
                           std::string *error) {
  auto at = [&](std::optional<unsigned> place) -> std::optional<Numbers> {
    if (!place)
      return Numbers(spatial, 0);
    return perDim(operands[*place], spatial, {}, error);
  };
  auto stride = at(places.stride), padding = at(places.padding),
       dilation = at(places.dilation);
  std::optional<Numbers> outputPadding = Numbers(spatial, 0);
  if (places.outputPadding)
    outputPadding =
        perDim(operands[*places.outputPadding], spatial, {0}, error);
  std::optional<int64_t> groups = 1;
  if (places.groups)
    groups = matchInt(operands[*places.groups]);
  if (!stride || !padding || !dilation || !outputPadding || !groups)
    return std::nullopt;
  return ConvolutionArguments{*stride, *padding, *dilation, *outputPadding,
                              *groups};
}

std::optional<ConvolutionArguments> ConvolutionArguments::read(Operation *op) {
  int64_t rank = cast<ValueTensorType>(op->getOperand(0).getType()).getRank();
  auto arguments = read(op->getOperands(), kConvolutionOperands, rank - 2);
  std::optional<bool> isTransposed = matchBool(op->getOperand(6));
  if (!arguments || !isTransposed)
    return std::nullopt;
  arguments->isTransposed = *isTransposed;
  return arguments;
}
