//===- OutlinedPart.cpp - One call to be moved into a function ------------===//

#include "OutlinedPart.h"
#include "isthmus/Conversion/CustomOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include <functional>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::custom_ops;
using llvm::json::Object;

//===----------------------------------------------------------------------===//
// The attributes of a body
//===----------------------------------------------------------------------===//

/// The constant operands of a module's ops: a kernel cannot otherwise know its
/// eps. "layer_norm.eps"; for a second op, "layer_norm_1.eps".
static Object constantsOf(ArrayRef<Operation *> ops) {
  Object constants;
  llvm::StringMap<int> counts;
  for (Operation *op : ops) {
    std::string full = fullName(op), why;
    if (full.empty())
      continue;
    StringRef name = full;
    name.consume_front("torch.");
    name.consume_front("aten.");
    int number = counts[name]++;
    std::string label = name.str();
    if (number > 0)
      label += "_" + std::to_string(number);
    std::optional<CustomOp> custom = encode(op, Encoding::Attributes, why);
    if (!custom)
      continue;
    auto isKnown = [](const llvm::json::Value &value) {
      const llvm::json::Array *list = value.getAsArray();
      return !value.getAsObject() &&
             (!list || llvm::none_of(*list, [](const llvm::json::Value &one) {
               return one.getAsObject();
             }));
    };
    const auto *arguments =
        custom->attributes.getAsObject()->getArray("arguments");
    for (auto [index, argument] : llvm::enumerate(*arguments)) {
      const Object &says = *argument.getAsObject();
      const llvm::json::Value *value = says.get("value");
      if (!value || !isKnown(*value))
        continue;
      std::string which =
          says.getString("name").value_or(std::to_string(index)).str();
      constants[label + "." + which] =
          Object{{"type", says.getString("type")->str()}, {"value", *value}};
    }
  }
  return constants;
}

/// "weight" of a parameter "encoder.norm.weight" in "encoder.norm@1", the
/// second call of the module "encoder.norm".
static std::string parameterName(Value input, StringRef instance) {
  auto literal = input.getDefiningOp<torch::ValueTensorLiteralOp>();
  auto location =
      literal ? literal->getLoc()->findInstanceOf<NameLoc>() : NameLoc();
  StringRef name = location ? location.getName().getValue() : "";
  return name.consume_front(instance.split('@').first) &&
                 name.consume_front(".")
             ? name.str()
             : "";
}

//===----------------------------------------------------------------------===//
// The way into a function
//===----------------------------------------------------------------------===//

bool custom_ops::isMadeAnew(Operation *op) {
  return isa<torch::DerefineOp, torch::PrimListConstructOp>(op) ||
         (op->hasTrait<OpTrait::ConstantLike>() &&
          !isa<torch::ValueTensorLiteralOp>(op));
}

bool OutlinedPart::uses(Value value,
                        const llvm::DenseSet<Operation *> &others) const {
  Operation *defining = definedIn(value);
  if (!defining || others.contains(defining))
    return defining;
  return isAnew(defining) &&
         llvm::any_of(defining->getOperands(),
                      [&](Value operand) { return uses(operand, others); });
}

bool OutlinedPart::uses(Operation *op,
                        const llvm::DenseSet<Operation *> &others) const {
  return op
      ->walk([&](Operation *nested) {
        bool found = llvm::any_of(nested->getOperands(), [&](Value value) {
          return uses(value, others);
        });
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult OutlinedPart::moveTogether() {
  llvm::DenseSet<Operation *> behind, all = inside;
  SmallVector<Operation *> ordered;
  for (Operation *op = ops.front(); op != ops.back(); op = op->getNextNode())
    if (!inside.contains(op) && uses(op, all)) {
      ordered.push_back(op);
      all.insert(op);
      if (!isAnew(op))
        behind.insert(op);
    }
  if (llvm::any_of(ops, [&](Operation *op) { return uses(op, behind); }))
    return failure();
  for (Operation *op : llvm::reverse(ordered))
    op->moveAfter(ops.back());
  return success();
}

/// Parameters come last, as they would in a call of the module.
void OutlinedPart::findInputs() {
  llvm::SetVector<Value> found;
  llvm::SetVector<Operation *> made;
  std::function<void(Value)> add = [&](Value value) {
    Operation *defining = definedIn(value);
    if (defining && inside.contains(defining))
      return;
    if (!isAnew(value.getDefiningOp())) {
      found.insert(value);
      return;
    }
    for (Value operand : value.getDefiningOp()->getOperands())
      add(operand);
    made.insert(value.getDefiningOp());
  };
  for (Operation *op : ops)
    op->walk(
        [&](Operation *nested) { llvm::for_each(nested->getOperands(), add); });
  anew = made.takeVector();
  if (signature) {
    arguments = signature->arguments;
    return;
  }
  auto isParameter = [](Value value) {
    return isa_and_nonnull<torch::ValueTensorLiteralOp>(value.getDefiningOp());
  };
  llvm::copy_if(found, std::back_inserter(arguments), std::not_fn(isParameter));
  llvm::copy_if(found, std::back_inserter(arguments), isParameter);
}

bool OutlinedPart::isUsedOutside(Value value) const {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (isInside(user))
      return false;
    return !isAnew(user) || llvm::any_of(user->getResults(), [&](Value made) {
      return isUsedOutside(made);
    });
  });
}

void OutlinedPart::findOutputs() {
  if (signature) {
    outputs = signature->results;
    return;
  }
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (isUsedOutside(result))
        outputs.push_back(result);
}

static bool isNumber(Type type) {
  return isa<torch::IntType, torch::FloatType, torch::BoolType>(type);
}

/// A number is passed as a tensor of rank 0, which all targets support.
static Type asTensor(Type type) {
  if (!isNumber(type))
    return type;
  Builder builder(type.getContext());
  Type dtype = torch::isInt(type)            ? builder.getIntegerType(64, true)
               : isa<torch::FloatType>(type) ? Type(builder.getF64Type())
                                             : builder.getI1Type();
  return torch::ValueTensorType::get(type.getContext(), {}, dtype);
}

static Value toTensor(OpBuilder &builder, Location loc, Value value) {
  if (!isNumber(value.getType()))
    return value;
  return torch::PrimNumToTensorScalarOp::create(
      builder, loc, asTensor(value.getType()), value);
}

static Value fromTensor(OpBuilder &builder, Location loc, Value value,
                        Type type) {
  if (torch::isInt(type))
    return torch::AtenIntTensorOp::create(builder, loc, type, value);
  if (isa<torch::FloatType>(type))
    return torch::AtenFloatTensorOp::create(builder, loc, type, value);
  if (isa<torch::BoolType>(type))
    return torch::AtenBoolTensorOp::create(builder, loc, type, value);
  return value;
}

/// The attributes that identify the function, like those of an op with its
/// arguments.
FailureOr<DictionaryAttr> OutlinedPart::identify() {
  OpBuilder builder(ops.front()->getContext());
  NamedAttrList attributes;
  for (NamedAttribute attribute : of.attributes)
    attributes.set((kOnnxAttrPrefix + attribute.getName().getValue()).str(),
                   attribute.getValue());
  OperationState state(
      ops.front()->getLoc(), torch::OperatorOp::getOperationName(), arguments,
      llvm::to_vector(ValueRange(outputs).getTypes()), attributes);
  state.getOrAddProperties<torch::OperatorOp::Properties>().name = of.name;
  OwningOpRef<Operation *> whole(Operation::create(state));
  std::string why;
  std::optional<CustomOp> custom =
      encode(whole.get(), Encoding::Attributes, why);
  for (const Operand &operand : custom ? custom->operands : ArrayRef<Operand>())
    if (operand.value)
      inputs.push_back(operand.value);
    else
      why = "expected attributes that are no tensors";
  if (!why.empty())
    return fail() << why;
  Object &says = *custom->attributes.getAsObject();
  for (auto [index, argument] : llvm::enumerate(*says.getArray("arguments")))
    if (std::string name =
            signature ? signature->names[index]
                      : parameterName(arguments[index], of.instance.getValue());
        !name.empty())
      (*argument.getAsObject())["name"] = name;
  if (of.attributes.empty() && !signature)
    if (Object constants = constantsOf(ops); !constants.empty())
      says["attributes"] = std::move(constants);
  auto text = [&](const Twine &value) { return builder.getStringAttr(value); };
  StringRef domain = of.name.getValue().rsplit('.').first;
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("attributes", text(toText(custom->attributes))),
       builder.getNamedAttr("domain", text(domain)),
       builder.getNamedAttr("name", of.name)});
}

/// The function, or an existing one with the same body and attributes.
static func::FuncOp insert(SymbolTable &symbols, func::FuncOp function) {
  auto module = cast<ModuleOp>(symbols.getOp());
  for (auto other : module.getOps<func::FuncOp>())
    if (other.getFunctionType() == function.getFunctionType() &&
        other->getAttr(kFunctionAttr) == function->getAttr(kFunctionAttr) &&
        OperationEquivalence::isRegionEquivalentTo(
            &other.getBody(), &function.getBody(),
            OperationEquivalence::IgnoreLocations)) {
      function.erase();
      return other;
    }
  symbols.insert(function);
  return function;
}

/// The value inside the body. Constants are placed at its beginning, lists
/// before their users.
Value OutlinedPart::within(Value value, OpBuilder &builder, Block &body,
                           IRMapping &own) const {
  if (Value known = own.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!isAnew(op) || body.findAncestorOpInBlock(*op))
    return value;
  IRMapping operands;
  for (Value operand : op->getOperands())
    operands.map(operand, within(operand, builder, body, own));
  OpBuilder::InsertionGuard guard(builder);
  if (op->getNumOperands() == 0)
    builder.setInsertionPointToStart(&body);
  Value made = builder.clone(*op, operands)
                   ->getResult(cast<OpResult>(value).getResultNumber());
  if (op->getNumOperands() == 0)
    own.map(value, made);
  return made;
}

void OutlinedPart::eraseUnused() {
  for (Operation *op : llvm::reverse(anew))
    if (isOpTriviallyDead(op))
      op->erase();
}

LogicalResult OutlinedPart::outline(SymbolTable &symbols) {
  findInputs();
  findOutputs();
  FailureOr<DictionaryAttr> says = identify();
  if (failed(says))
    return failure();
  Location loc = ops.front()->getLoc();
  OpBuilder outer(ops.back()->getNextNode());
  SmallVector<Value> operands, returned;
  for (Value input : inputs)
    operands.push_back(toTensor(outer, loc, input));
  SmallVector<Type> types;
  for (Value output : outputs)
    types.push_back(asTensor(output.getType()));

  auto function = func::FuncOp::create(
      loc, of.name,
      outer.getFunctionType(TypeRange(ValueRange(operands)), types));
  function.setPrivate();
  function->setAttr(kFunctionAttr, *says);
  Block *body = function.addEntryBlock();
  OpBuilder inner = OpBuilder::atBlockEnd(body);
  IRMapping own;
  for (auto [input, argument] : llvm::zip_equal(inputs, body->getArguments()))
    own.map(input, fromTensor(inner, loc, argument, input.getType()));
  for (Operation *op : ops) {
    op->moveBefore(body, body->end());
    op->walk([&](Operation *nested) {
      inner.setInsertionPoint(nested);
      for (OpOperand &operand : nested->getOpOperands())
        operand.set(within(operand.get(), inner, *body, own));
    });
  }
  inner.setInsertionPointToEnd(body);
  for (Value output : outputs)
    returned.push_back(toTensor(inner, loc, output));
  func::ReturnOp::create(inner, loc, returned);

  auto call = func::CallOp::create(outer, loc, function, operands);
  for (auto [output, result] : llvm::zip_equal(outputs, call.getResults())) {
    Value value = fromTensor(outer, loc, result, output.getType());
    output.replaceUsesWithIf(value, [&](OpOperand &use) {
      return !function->isProperAncestor(use.getOwner());
    });
  }
  eraseUnused();
  call.setCallee(insert(symbols, function).getSymName());
  return success();
}
