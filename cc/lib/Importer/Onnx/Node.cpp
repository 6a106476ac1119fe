//===- Node.cpp - Converts a node of ai.onnx to an op ---------------------===//

#include "Node.h"
#include "isthmus/Dialect/Onnx/Onnx.h"
#include "isthmus/Dialect/Onnx/Structure.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

NamedAttribute NodeBuilder::attribute(StringRef name, int64_t value) {
  Type si64 = builder.getIntegerType(64, /*isSigned=*/true);
  return builder.getNamedAttr(name, builder.getIntegerAttr(si64, value));
}

Value NodeBuilder::ints(ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get(values.size(), builder.getI64Type());
  return ConstantOp::create(builder, loc, DenseElementsAttr::get(type, values));
}

Value NodeBuilder::floats(ArrayRef<float> values) {
  auto type = RankedTensorType::get(values.size(), builder.getF32Type());
  return ConstantOp::create(builder, loc, DenseElementsAttr::get(type, values));
}

Value NodeBuilder::scalar(int64_t value) {
  auto type = RankedTensorType::get({}, builder.getI64Type());
  return ConstantOp::create(builder, loc, DenseElementsAttr::get(type, value));
}

Value NodeBuilder::scalar(double value, Type elementType) {
  auto type = RankedTensorType::get({}, elementType);
  return ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          type, Attribute(builder.getFloatAttr(elementType, value))));
}

Value NodeBuilder::create(StringRef op, ValueRange operands,
                          ArrayRef<NamedAttribute> attributes, Type declared) {
  Node node;
  node.op = op;
  node.operands.assign(operands.begin(), operands.end());
  node.attributes.assign(attributes);
  node.resultTypes.push_back(declared);
  return succeeded(create(node)) ? node.results.front() : Value();
}

LogicalResult NodeBuilder::create(Node &node) {
  auto schema = findSchema(node.op, getNewestOpset());
  // Positions are those of the schema: parameters omitted at the end are added,
  // except for a variadic parameter.
  auto pad = [](auto &list, ArrayRef<Parameter> parameters, auto filler) {
    bool variadic =
        !parameters.empty() && parameters.back().option == Option::Variadic;
    list.resize(std::max(list.size(), parameters.size() - variadic), filler);
  };
  pad(node.operands, schema->inputs, absent);
  pad(node.resultTypes, schema->outputs, Type(builder.getNoneType()));
  for (Value &operand : node.operands)
    operand = operand ? operand : absent;
  inferResultTypes(node, *schema, builder.getContext(), node.resultTypes);

  OperationState state(loc, ("onnx." + node.op).str(), node.operands,
                       node.resultTypes, node.attributes);
  for (std::unique_ptr<Region> &region : node.regions)
    state.addRegion(std::move(region));
  Operation *made = builder.create(state);
  node.noteName(made);
  node.results.assign(made->result_begin(), made->result_end());
  return subject.import.verify(made, subject);
}
