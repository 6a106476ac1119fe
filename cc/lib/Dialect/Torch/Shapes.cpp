//===- Shapes.cpp - Operand shapes of ATen ops ----------------------------===//

#include "isthmus/Dialect/Torch/Shapes.h"
#include "TypeRules/Rules.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace isthmus;

namespace {

struct Line {
  StringLiteral op;
  StringLiteral text;
};

const Line lines[] = {
#define SHAPES(OP, TEXT) {#OP, TEXT},
#include "Shapes.def"
};

/// Parsed once. The keys are op names without the dialect. A signature that
/// does not parse is left out; tests/Meta reports it.
const llvm::StringMap<ShapeSignature> &table() {
  static const llvm::StringMap<ShapeSignature> signatures = [] {
    llvm::StringMap<ShapeSignature> made;
    std::string error;
    for (const Line &line : lines)
      if (auto signature = ShapeSignature::parse(line.text, error))
        made[line.op] = std::move(*signature);
    return made;
  }();
  return signatures;
}

/// The shape of a tensor of known rank, or the length of a list whose elements
/// are known.
std::optional<OperandShape> shapeOf(Value operand) {
  Type type = operand.getType();
  if (auto tensor = dyn_cast<torch::ValueTensorType>(type)) {
    if (!tensor.hasRank())
      return std::nullopt;
    return OperandShape{SmallVector<int64_t, 4>(tensor.getSizes()), type};
  }
  if (isa<torch::ListType>(type))
    if (auto elements = torch::matchList(operand))
      return OperandShape{{static_cast<int64_t>(elements->size())}, type};
  return std::nullopt;
}

/// aten.index_put(self, indices, values, accumulate): values broadcast to the
/// shape that self has when indexed.
std::optional<std::string> findWrongValues(MLIRContext *context,
                                           ValueRange operands) {
  torch::TypeInference inference(context, operands);
  if (failed(torch::rules::index(inference)))
    return inference.error;
  auto indexed = cast<torch::ValueTensorType>(inference.results.front());
  torch::ValueTensorType values = inference.tensor(2);
  if (!indexed.hasRank() || !values.hasRank())
    return std::nullopt;
  if (values.getRank() <= indexed.getRank() &&
      torch::broadcastShapes(indexed.getSizes(), values.getSizes()))
    return std::nullopt;
  return "expected values that broadcast to " +
         torch::shapeText(indexed.getSizes()) + ", got " +
         torch::shapeText(values.getSizes());
}

} // namespace

std::optional<std::string> torch::findWrongShape(OperationName op,
                                                 ValueRange operands) {
  if (op.getStringRef() == "torch.aten.index_put")
    return findWrongValues(op.getContext(), operands);
  auto found = table().find(op.stripDialect());
  if (found == table().end())
    return std::nullopt;
  return found->second.findWrong([&](size_t place) {
    SmallVector<OperandShape, 1> shapes;
    if (place < operands.size())
      if (std::optional<OperandShape> shape = shapeOf(operands[place]))
        shapes.push_back(std::move(*shape));
    return shapes;
  });
}

SmallVector<std::string> torch::findWrongSignatures() {
  SmallVector<std::string> wrong;
  StringRef before;
  for (const Line &line : lines) {
    if (line.op <= before)
      wrong.push_back(
          (line.op + ": expected before " + before + ", by the alphabet")
              .str());
    before = line.op;
    std::string error;
    if (!ShapeSignature::parse(line.text, error))
      wrong.push_back((line.op + ": " + error).str());
  }
  return wrong;
}
