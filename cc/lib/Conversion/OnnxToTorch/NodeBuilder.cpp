//===- NodeBuilder.cpp - Builds the torch form of one ONNX node -----------===//

#include "GraphConversion.h"
#include "NarrowDtypes.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;

NodeBuilder::NodeBuilder(GraphConversion &graph, OpBuilder &builder,
                         Operation *node)
    : TorchBuilder(builder, node->getLoc(), &graph.constants), graph(graph),
      node(node) {}

UnsupportedOps::Reason NodeBuilder::decline() {
  return graph.unsupported.decline(node);
}

void NodeBuilder::check(Value condition, const Twine &expectation) {
  if (torch::matchBool(condition) != true)
    torch::RuntimeAssertOp::create(getBuilder(), getLoc(), condition,
                                   ("expected " + expectation).str());
}

Type NodeBuilder::declaredDtype(Value onnxResult) {
  if (Type narrow = onnx_to_torch::narrowDtypeOf(onnxResult))
    return onnx_to_torch::bytesFor(narrow);
  auto type = dyn_cast<TensorType>(onnxResult.getType());
  return type ? torch::toTorchDtype(type.getElementType()) : Type();
}

/// The elements of the literal that defines a torch tensor.
static DenseElementsAttr literalBehind(Value tensor) {
  auto literal = tensor.getDefiningOp<torch::ValueTensorLiteralOp>();
  return literal ? dyn_cast<DenseElementsAttr>(literal.getValue())
                 : DenseElementsAttr();
}

FailureOr<SmallVector<Value>> NodeBuilder::ints(Value tensor) {
  if (auto known = graph.scalars.find(tensor); known != graph.scalars.end())
    return known->second.elements;
  if (std::optional<SmallVector<int64_t>> constants = constantInts(tensor))
    return llvm::map_to_vector(*constants,
                               [&](int64_t value) { return constant(value); });
  torch::ValueTensorType type = torch::tensorType(tensor);
  if (!type.hasStaticShape() || type.getRank() > 1 ||
      !torch::isIntegral(type.getDtype()))
    return failure();
  int64_t length = type.getRank() == 0 ? 1 : type.getSizes()[0];
  if (length > ScalarTensor::maxElements)
    return failure();
  SmallVector<Value> elements;
  for (int64_t index = 0; index < length; ++index) {
    Value element = tensor;
    if (type.getRank() == 1)
      element =
          create<torch::AtenSelectIntOp>(tensor, constant(0), constant(index));
    elements.push_back(create<torch::AtenIntTensorOp>(element));
  }
  return elements;
}

std::optional<SmallVector<int64_t>> NodeBuilder::constantInts(Value tensor) {
  SmallVector<int64_t> values;
  if (auto known = graph.scalars.find(tensor); known != graph.scalars.end()) {
    for (Value element : known->second.elements) {
      std::optional<int64_t> value = torch::matchInt(element);
      if (!value)
        return std::nullopt;
      values.push_back(*value);
    }
    return values;
  }
  DenseElementsAttr literal = literalBehind(tensor);
  if (!literal || !isa<IntegerType>(literal.getElementType()))
    return std::nullopt;
  for (const APInt &value : literal.getValues<APInt>())
    values.push_back(torch::integerOf(value, literal.getElementType()));
  return values;
}

std::optional<SmallVector<double>> NodeBuilder::constantFloats(Value tensor) {
  DenseElementsAttr literal = literalBehind(tensor);
  if (!literal || !isa<FloatType>(literal.getElementType()))
    return std::nullopt;
  return llvm::map_to_vector(literal.getValues<APFloat>(), [](APFloat value) {
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return value.convertToDouble();
  });
}

Value NodeBuilder::tensorOfInts(ValueRange elements, Type dtype, bool scalar) {
  OpBuilder &builder = getBuilder();
  unsigned width = cast<IntegerType>(dtype).getWidth();
  SmallVector<APInt> known;
  for (Value element : elements)
    if (std::optional<int64_t> value = torch::matchInt(element))
      known.emplace_back(width, *value, /*isSigned=*/true,
                         /*implicitTrunc=*/true);
  if (known.size() == elements.size()) {
    SmallVector<int64_t> shape;
    if (!scalar)
      shape.push_back(known.size());
    return literal(DenseElementsAttr::get(
        RankedTensorType::get(shape, builder.getIntegerType(width)), known));
  }
  SmallVector<Value> tensors;
  for (Value element : elements) {
    Value tensor =
        convert(fold<torch::PrimNumToTensorScalarOp>(element), dtype);
    tensors.push_back(scalar ? tensor : unsqueeze(tensor, 0));
  }
  return tensors.size() == 1 ? tensors.front() : cat(tensors, 0);
}

FailureOr<SmallVector<Value>> NodeBuilder::inlineRegion(Region &region,
                                                        ValueRange arguments) {
  return graph.inlineBlock(region.front(), arguments, getBuilder());
}

LoopRecord *NodeBuilder::enterLoop(LoopRecord *loop) {
  return std::exchange(graph.loop, loop);
}

LoopRecord *NodeBuilder::nextLoop() {
  return graph.loop ? &graph.loop->next(node) : nullptr;
}

bool NodeBuilder::takeCopies(int64_t nodes) {
  constexpr int64_t most = int64_t(1) << 17;
  if (nodes > most - graph.copies)
    return false;
  graph.copies += nodes;
  return true;
}

void NodeBuilder::forget(Region &region) {
  region.walk([&](Operation *op) {
    for (Value result : op->getResults())
      graph.scalars.erase(result);
  });
}
