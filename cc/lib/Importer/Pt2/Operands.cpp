//===- Operands.cpp - Arguments of a node as operands ---------------------===//
//
// A failure has been reported, or is due to a value whose own import failed and
// was reported.
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::pt2;
using torch::TorchBuilder;
using Kind = schema::Argument::Kind;

static FailureOr<Value> orFailure(Value value) {
  if (!value)
    return failure();
  return value;
}

/// The int that PyTorch's dispatcher passes for a member of an enumeration.
static std::optional<int64_t> getCode(const schema::Argument &argument) {
  switch (argument.kind) {
  case Kind::ScalarType:
    return getDtypeCode(argument.integer);
  case Kind::Layout: // 7 is Strided, the only layout that tensors here have
    return argument.integer == 7 ? std::optional<int64_t>(0) : std::nullopt;
  case Kind::MemoryFormat:
    switch (argument.integer) {
    case 1: // contiguous
      return 0;
    case 2: // channels last
      return 2;
    case 3: // channels last, 3D
      return 3;
    case 4: // preserve
      return 1;
    default:
      return std::nullopt;
    }
  default:
    return std::nullopt;
  }
}

static bool isEnumeration(Kind kind) {
  return kind == Kind::ScalarType || kind == Kind::Layout ||
         kind == Kind::MemoryFormat;
}

FailureOr<GraphImporter::Operands>
GraphImporter::getOperands(NodeContext &context,
                           ArrayRef<FormalArgument> formals) {
  const auto &inputs = context.node.inputs;
  bool failed = false;
  for (const schema::NamedArgument &input : inputs)
    if (llvm::none_of(formals, [&](const FormalArgument &formal) {
          return formal.name == input.name;
        }))
      failed |= mlir::failed(context.subject.fail(
          "expected an argument of this operator, got '" + input.name + "'"));

  Operands operands;
  for (const FormalArgument &formal : formals) {
    auto given = llvm::find_if(
        inputs, [&](const auto &input) { return formal.name == input.name; });
    const schema::Argument *argument = given != inputs.end() ? &given->arg
                                       : formal.defaultValue
                                           ? &*formal.defaultValue
                                           : nullptr;
    if (!argument) {
      failed |= mlir::failed(context.subject.fail("expected argument '" +
                                                  formal.name + "', got none"));
      continue;
    }
    FailureOr<Value> operand = getOperand(context, *argument, formal.type);
    failed |= mlir::failed(operand);
    operands.push_back(operand.value_or(Value()));
  }
  if (failed)
    return failure();
  return operands;
}

FailureOr<Value> GraphImporter::getOperand(NodeContext &context,
                                           const schema::Argument &argument,
                                           ArgumentType type) {
  const Subject &subject = context.subject;
  TorchBuilder &b = context.builder;
  if (argument.kind == Kind::None) {
    if (!type.isOptional())
      return subject.fail("expected an argument of type " + type.text +
                          ", got None");
    return b.none();
  }
  type = type.required();
  if (type.isList())
    return getList(context, argument, type.element());
  if (type == "Tensor") {
    if (argument.kind == Kind::Tensor)
      return orFailure(getValue(argument, b, subject));
    return getScalarTensor(context, argument);
  }
  if (type == "str" && argument.kind == Kind::String)
    return b.constantStr(argument.text);
  if (type == "Device" && argument.kind == Kind::Device)
    return orFailure(getValue(argument, b, subject));
  return getScalar(context, argument, type);
}

FailureOr<Value> GraphImporter::getScalar(NodeContext &context,
                                          const schema::Argument &argument,
                                          ArgumentType type) {
  const Subject &subject = context.subject;
  TorchBuilder &b = context.builder;
  bool isNumber = type == "number";
  if (isEnumeration(argument.kind) && type == "int") {
    if (std::optional<int64_t> code = getCode(argument))
      return b.constant(*code);
    return subject.fail("expected a known member, got " +
                        Twine(argument.integer) + " as " +
                        describe(argument.kind));
  }
  switch (argument.kind) {
  case Kind::Int:
    if (type == "int" || isNumber)
      return b.constant(argument.integer);
    if (type == "float")
      return b.constantFloat(argument.integer);
    break;
  case Kind::Float:
    if (type == "float" || isNumber)
      return b.constantFloat(argument.number);
    break;
  case Kind::Bool:
    if (type == "bool" || isNumber)
      return b.constantBool(argument.integer);
    if (type == "int")
      return b.constant(argument.integer);
    break;
  case Kind::Symbol: {
    Value value = getValue(argument, b, subject);
    if (!value)
      return failure();
    if (type == "float" && torch::isInt(value.getType()))
      return b.fold<torch::AtenFloatScalarOp>(value);
    return value;
  }
  default:
    break;
  }
  return subject.fail("expected an argument of type " + type.text + ", got " +
                      describe(argument.kind));
}

/// A complex number as a rank-0 tensor.
static ElementsAttr complexLiteral(std::complex<double> number,
                                   ComplexType type) {
  auto tensor = RankedTensorType::get({}, type);
  if (type.getElementType().isF64())
    return DenseElementsAttr::get(tensor, number);
  return DenseElementsAttr::get(tensor, std::complex<float>(number));
}

/// A scalar in place of a tensor is "wrapped": it does not take part in
/// promotion unless it is of a higher kind than all tensors.
FailureOr<Value>
GraphImporter::getScalarTensor(NodeContext &context,
                               const schema::Argument &argument) {
  TorchBuilder &b = context.builder;
  Type dtype;
  auto readDtype = [&](const schema::Argument &tensor) {
    if (tensor.kind == Kind::Tensor)
      if (auto found = graph.tensors.find(tensor.text);
          found != graph.tensors.end())
        if (auto code = getDtypeCode(found->second.dtype))
          dtype = torch::dtypeOfCode(import.context, *code);
  };
  for (const schema::NamedArgument &input : context.node.inputs)
    readDtype(input.arg);
  if (!dtype) // without tensors, the result gives the precision
    for (const schema::Argument &output : context.node.outputs)
      readDtype(output);
  Type si64 = builder.getIntegerType(64, /*isSigned=*/true);
  auto orAbove = [&](bool isHigher, Type least) {
    return dtype && isHigher ? dtype : least;
  };
  bool isInt = dtype && !torch::isBoolean(dtype);
  Type ofFloat =
      orAbove(dtype && !torch::isIntegral(dtype), builder.getF32Type());
  switch (argument.kind) {
  case Kind::Int:
    return b.scalarTensor(argument.integer, orAbove(isInt, si64));
  case Kind::Float:
    return b.scalarTensor(argument.number, ofFloat);
  case Kind::Bool:
    return b.scalarTensor(argument.integer, orAbove(true, builder.getI1Type()));
  case Kind::Symbol: {
    Value scalar = getValue(argument, b, context.subject);
    if (!scalar)
      return failure();
    Value tensor = b.create<torch::PrimNumToTensorScalarOp>(scalar);
    return b.convert(tensor, torch::isFloat(scalar.getType())
                                 ? ofFloat
                                 : orAbove(isInt, si64));
  }
  case Kind::Complex: {
    auto own = dyn_cast_if_present<ComplexType>(dtype);
    Type part = own ? own.getElementType() : dtype;
    auto complex =
        ComplexType::get(part && part.isF64() ? Type(builder.getF64Type())
                                              : builder.getF32Type());
    return b.literal(
        complexLiteral({argument.number, argument.imaginary}, complex));
  }
  default:
    return context.subject.fail("expected a tensor, got " +
                                describe(argument.kind));
  }
}

FailureOr<Value> GraphImporter::getList(NodeContext &context,
                                        const schema::Argument &argument,
                                        ArgumentType elementType) {
  TorchBuilder &b = context.builder;
  SmallVector<Value> elements;
  // PyTorch accepts `dim=1` for `dim=[1]`.
  ArrayRef<schema::Argument> given = argument.elements;
  if (argument.kind == Kind::Int || argument.kind == Kind::Symbol ||
      argument.kind == Kind::Float)
    given = argument;
  else if (argument.kind != Kind::List)
    return context.subject.fail("expected a list, got " +
                                describe(argument.kind));
  for (const schema::Argument &element : given) {
    FailureOr<Value> value = getOperand(context, element, elementType);
    if (failed(value))
      return failure();
    elements.push_back(*value);
  }
  if (elementType == "Tensor")
    return b.tensors(elements);
  if (elementType == "Optional[Tensor]")
    return b.optionalTensors(elements);
  if (elementType == "int")
    return b.ints(elements);
  Type type =
      elementType == "float"  ? Type(torch::FloatType::get(import.context))
      : elementType == "bool" ? Type(torch::BoolType::get(import.context))
      : elementType == "str"  ? Type(torch::StringType::get(import.context))
                              : Type();
  if (!type)
    return context.subject.fail("expected no list of " + elementType.text);
  return torch::PrimListConstructOp::create(
             builder, b.getLoc(), torch::ListType::get(import.context, type),
             elements)
      .getResult();
}

/// An argument of an operator without a known signature, by its own kind.
FailureOr<Value> GraphImporter::getUntyped(NodeContext &context,
                                           const schema::Argument &argument) {
  TorchBuilder &b = context.builder;
  if (isEnumeration(argument.kind))
    return getScalar(context, argument, {"int"});
  if (argument.kind != Kind::List)
    return orFailure(getValue(argument, b, context.subject));

  auto isTensor = [](const schema::Argument &element) {
    return element.kind == Kind::Tensor;
  };
  auto isNone = [](const schema::Argument &element) {
    return element.kind == Kind::None;
  };
  SmallVector<Value> elements;
  for (const schema::Argument &element : argument.elements) {
    FailureOr<Value> value = getUntyped(context, element);
    if (failed(value))
      return failure();
    elements.push_back(*value);
  }
  if (llvm::all_of(argument.elements, isTensor))
    return b.tensors(elements);
  if (llvm::any_of(argument.elements, isNone))
    return b.optionalTensors(elements);
  return torch::PrimListConstructOp::create(
             builder, b.getLoc(),
             torch::ListType::get(import.context, elements.front().getType()),
             elements)
      .getResult();
}
