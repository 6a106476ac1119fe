//===- Graph.cpp - The graph of a program, as data ------------------------===//

#include "isthmus/Api/Graph.h"
#include "Tensors.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Support/Diagnostics.h"
#include "isthmus/Support/Enclosing.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace isthmus;

/// Whether an op says how devices share a value, as an attribute of a node does
/// in the model.
static bool isSharding(Operation *op) {
  return op->getName().getStringRef() == "onnx.Sharding";
}

/// Excludes constants, and ops that only structure a graph.
static bool isNode(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "torch")
    return op->hasTrait<torch::Core>() || op->hasTrait<torch::Composite>() ||
           isa<torch::OperatorOp>(op);
  return dialect == "onnx" && op->getNumResults() > 0 && !isSharding(op) &&
         !op->hasTrait<OpTrait::ConstantLike>();
}

/// An empty finding about the op, which has only its place.
static std::string placeOf(Operation *op) {
  Diagnostic nothing(op->getLoc(), DiagnosticSeverity::Error);
  return findingOf(nothing);
}

/// An operator without a class is listed by the name in its attribute.
static std::string opOf(Operation *op) {
  if (auto custom = dyn_cast<torch::OperatorOp>(op))
    return "torch." + custom.getName().str();
  return op->getName().getStringRef().str();
}

static std::string nameOf(Operation *op) {
  auto name = op->getLoc()->findInstanceOf<NameLoc>();
  return name ? name.getName().str() : "";
}

/// An attribute of an argument or a result, which importers and passes name
/// differently.
static StringRef getNote(DictionaryAttr notes, StringRef key) {
  for (StringRef prefix : {"isthmus.", "onnx."})
    if (notes)
      if (auto text = notes.getAs<StringAttr>((prefix + key).str()))
        return text.getValue();
  return "";
}

namespace {

/// Gives values their ids.
class Values {
public:
  uint64_t idOf(Value value) {
    while (Operation *op = value.getDefiningOp()) {
      if (!isSharding(op))
        break;
      value = op->getOperand(0);
    }
    return ids.try_emplace(value, ids.size()).first->second;
  }

  ModelValue describe(Value value, DictionaryAttr notes = {}) {
    ModelValue made;
    made.id = idOf(value);
    made.name = getNote(notes, "name").str();
    Type type = value.getType();
    mlir::TensorType tensor = tensorOf(type);
    Type element = tensor ? tensor.getElementType() : type;
    auto torchTensor = dyn_cast<torch::ValueTensorType>(type);
    // A builtin tensor has no sign.
    llvm::raw_string_ostream(made.dtype)
        << (tensor && torchTensor ? torchTensor.getDtype() : element);
    if (!tensor)
      return made;
    if (auto complex = dyn_cast<ComplexType>(element))
      made.bits = 2 * complex.getElementType().getIntOrFloatBitWidth();
    else if (element.isIntOrFloat())
      made.bits = element.getIntOrFloatBitWidth();
    if (tensor.hasRank())
      made.sizes = sizesOf(tensor, getNote(notes, "dim_params"));
    return made;
  }

private:
  llvm::DenseMap<Value, uint64_t> ids;
};

} // namespace

/// Whether a value goes from node to node, unlike the constants that are
/// arguments of operators.
static bool isData(Value value) {
  Operation *op = value.getDefiningOp();
  return !op || isNode(op) ||
         isa<torch::ValueTensorType, mlir::TensorType>(value.getType());
}

static ModelNode describe(Operation *op, Values &values) {
  ModelNode node = {opOf(op), nameOf(op), placeOf(op), {}, {}, {}};
  for (const Enclosing &one : enclosingOf(op->getLoc()))
    node.scopes.push_back({one.name.str(), one.instance.str()});
  for (Value operand : op->getOperands()) {
    if (isData(operand))
      node.inputs.push_back(values.idOf(operand));
    else if (auto list = operand.getDefiningOp<torch::PrimListConstructOp>())
      for (Value element : list->getOperands())
        if (isData(element))
          node.inputs.push_back(values.idOf(element));
  }
  for (Value result : op->getResults())
    node.outputs.push_back(values.describe(result));
  return node;
}

ModelGraph isthmus::graphOf(const Model &model) {
  ModelGraph graph;
  Values values;
  auto functions = model.module().getOps<func::FuncOp>();
  func::FuncOp first = functions.empty() ? func::FuncOp() : *functions.begin();
  if (first && !first.isExternal())
    for (BlockArgument argument : first.getArguments())
      graph.inputs.push_back(values.describe(
          argument, first.getArgAttrDict(argument.getArgNumber())));
  model.module()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isNode(op)) {
      graph.nodes.push_back(describe(op, values));
    } else if (op->hasTrait<OpTrait::ConstantLike>() &&
               tensorOf(op->getResult(0).getType())) {
      graph.weights.push_back(values.describe(op->getResult(0)));
      graph.weights.back().name = nameOf(op);
    } else if (op->hasTrait<OpTrait::ReturnLike>() &&
               op->getParentOp() == first) {
      graph.outputs.clear();
      for (auto [index, value] : llvm::enumerate(op->getOperands()))
        graph.outputs.push_back(
            values.describe(value, first.getResultAttrDict(index)));
    }
  });
  return graph;
}
