//===- VerifySchema.cpp - The single verifier of all ai.onnx ops ----------===//

#include "isthmus/Dialect/Onnx/Onnx.h"
#include "isthmus/Dialect/Onnx/Schemas.h"
#include "isthmus/Dialect/Onnx/Structure.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

namespace {

/// The type that a type variable binds to: tensors become their element types,
/// because their shapes may differ.
Type getBound(Type type) {
  if (auto seq = dyn_cast<SeqType>(type))
    return SeqType::get(type.getContext(), getBound(seq.getElementType()));
  if (auto opt = dyn_cast<OptType>(type))
    return OptType::get(type.getContext(), getBound(opt.getElementType()));
  if (auto tensor = dyn_cast<TensorType>(type))
    return tensor.getElementType();
  return type;
}

/// The element type of a sequence; any other type is returned unchanged.
Type getElement(Type type) {
  auto seq = dyn_cast<SeqType>(type);
  return seq ? seq.getElementType() : type;
}

/// Whether `type` contains an unknown dtype, which equals any other dtype.
bool isUnknown(Type type) {
  return type.walk([](UnknownType) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Whether a value of type `from` may be passed as one of type `to`.
bool mayBe(Type from, Type to) {
  if (isUnknown(from) || isUnknown(to) || getBound(from) == getBound(to))
    return true;
  auto optional = dyn_cast<OptType>(to);
  return optional && mayBe(from, optional.getElementType());
}

class Verifier {
public:
  Verifier(Operation *op, const Schema &schema) : op(op), schema(schema) {}

  LogicalResult verify() {
    return success(
        succeeded(
            verifyList("operand", schema.inputs, op->getOperandTypes())) &&
        succeeded(verifyList("result", schema.outputs, op->getResultTypes())) &&
        succeeded(verifyNamedDtype()) && succeeded(verifyGraphs()));
  }

private:
  LogicalResult verifyList(StringRef kind, ArrayRef<Parameter> parameters,
                           TypeRange types) {
    bool variadic =
        !parameters.empty() && parameters.back().option == Option::Variadic;
    size_t fixed = parameters.size() - variadic;
    size_t least = fixed + (variadic ? parameters.back().minArity : 0);
    if (types.size() < least || (!variadic && types.size() > fixed))
      return op->emitOpError("expected ")
             << (variadic ? "at least " : "") << least << ' ' << kind
             << (least == 1 ? "" : "s") << ", got " << types.size();

    for (auto [i, type] : llvm::enumerate(types)) {
      const Parameter &parameter =
          parameters[std::min(i, parameters.size() - 1)];
      if (failed(verifyType(kind, parameter, type)))
        return failure();
    }
    return success();
  }

  LogicalResult verifyType(StringRef kind, const Parameter &parameter,
                           Type type) {
    if (isa<NoneType>(type)) {
      if (parameter.option != Option::Optional)
        return op->emitOpError("expected ")
               << kind << " '" << parameter.name << "', got none";
      return success();
    }
    if (!parameter.getTypes().contains(type))
      return op->emitOpError() << kind << " '" << parameter.name
                               << "': ONNX does not allow " << type;

    if (parameter.variable < 0 || isUnknown(type))
      return success();
    auto [bound, isNew] = bindings.try_emplace(parameter.variable,
                                               getBound(type), parameter.name);
    if (isNew || bound->second.first == getBound(type))
      return success();
    return op->emitOpError()
           << kind << " '" << parameter.name << "': expected the type of '"
           << bound->second.second << "', " << bound->second.first << ", got "
           << getBound(type);
  }

  /// The attribute `to` of Cast and BitCast names the dtype of their result.
  LogicalResult verifyNamedDtype() {
    auto to = op->getAttrOfType<TypeAttr>("to");
    if (!to)
      return success();
    Type result = getBound(op->getResult(0).getType());
    if (isUnknown(result) || result == to.getValue())
      return success();
    return op->emitOpError("result '")
           << schema.outputs.front().name << "': expected the type that 'to' "
           << "names, " << to << ", got " << result;
  }

  /// Verifies that the parameters and outputs of an op's graphs match its
  /// operands and results.
  LogicalResult verifyGraphs() {
    if (op->getNumRegions() == 0)
      return success();
    SmallVector<Type> taken(op->getOperandTypes()),
        yielded(op->getResultTypes());
    StringRef name = op->getName().stripDialect();
    if (name == "If") {
      taken.clear(); // its graphs have no parameters
    } else if (name == "Loop") {
      Builder b(op->getContext());
      taken[0] = RankedTensorType::get({}, b.getI64Type());
      taken[1] = RankedTensorType::get({}, b.getI1Type());
      yielded.insert(yielded.begin(), taken[1]);
    } else if (name == "SequenceMap") {
      for (Type &type : llvm::concat<Type>(taken, yielded))
        type = getElement(type);
    } else if (name == "ai.onnx.preview.FlexAttention") {
      // Scores, whose dtype the parameter of the graph says.
      taken.assign(1,
                   UnrankedTensorType::get(UnknownType::get(op->getContext())));
      yielded = taken;
    }
    for (Region &graph : op->getRegions()) {
      if (graph.empty() || graph.front().empty())
        continue; // an omitted graph, or MLIR reports it
      Block &body = graph.front();
      auto yield = dyn_cast<YieldOp>(body.back());
      if (!yield)
        return op->emitOpError("expected a graph that ends in onnx.Yield, got ")
               << body.back().getName();
      TypeRange parameters = body.getArgumentTypes();
      if (failed(verifyCount("parameter", taken.size(), parameters.size())) ||
          failed(
              verifyCount("output", yielded.size(), yield->getNumOperands())))
        return failure();
      for (auto [i, from, to] : llvm::enumerate(taken, parameters))
        if (!isa<NoneType>(from) && !mayBe(from, to))
          return mismatch("parameter", i, from, to);
      for (auto [i, from, to] :
           llvm::enumerate(yield.getOperandTypes(), yielded))
        if (!isa<NoneType>(to) && !mayBe(from, to))
          return mismatch("output", i, to, from);
    }
    return success();
  }

  LogicalResult verifyCount(StringRef kind, size_t expected, size_t got) {
    if (expected == got)
      return success();
    return op->emitOpError("expected a graph of ")
           << expected << ' ' << kind << (expected == 1 ? "" : "s") << ", got "
           << got;
  }

  LogicalResult mismatch(StringRef kind, size_t i, Type expected, Type got) {
    return op->emitOpError("expected ")
           << kind << ' ' << i << " of its graph to be of "
           << getBound(expected) << ", got " << getBound(got);
  }

  Operation *op;
  const Schema &schema;
  /// The type bound to each type variable, and the parameter that bound it.
  llvm::SmallDenseMap<int, std::pair<Type, StringRef>, 4> bindings;
};

} // namespace

LogicalResult onnx::verifySchema(Operation *op) {
  auto schema = findSchema(op->getName().stripDialect(), getNewestOpset());
  return schema ? Verifier(op, *schema).verify() : success();
}
