//===- Torch.cpp - The torch dialect and its structural ops ---------------===//

#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Dialect/Torch/RegistryOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/Support/Format.h"

#include "isthmus/Dialect/Torch/TorchDialect.cpp.inc"
#include "isthmus/Dialect/Torch/TypeInferenceOpInterface.cpp.inc"
#define GET_OP_CLASSES
#include "isthmus/Dialect/Torch/TorchOps.cpp.inc"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::torch {
#define FAMILY(NAME) void register##NAME(TorchDialect &dialect);
#include "isthmus/Dialect/Torch/Families.def"
#undef FAMILY
} // namespace isthmus::torch

void TorchDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "isthmus/Dialect/Torch/TorchOps.cpp.inc"
      >();
#define FAMILY(NAME) register##NAME(*this);
#include "isthmus/Dialect/Torch/Families.def"
#undef FAMILY
}

Operation *TorchDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  if (isa<torch::IntType>(type))
    if (auto integer = dyn_cast<IntegerAttr>(value))
      return ConstantIntOp::create(builder, loc, integer.getInt());
  if (isa<torch::FloatType>(type))
    if (auto number = dyn_cast<FloatAttr>(value))
      return ConstantFloatOp::create(builder, loc, number.getValueAsDouble());
  if (isa<torch::BoolType>(type))
    if (auto integer = dyn_cast<IntegerAttr>(value))
      return ConstantBoolOp::create(builder, loc, !integer.getValue().isZero());
  if (isa<torch::StringType>(type))
    if (auto text = dyn_cast<StringAttr>(value))
      return ConstantStrOp::create(builder, loc, text.getValue());
  if (isa<DeviceType>(type))
    if (auto text = dyn_cast<StringAttr>(value))
      return ConstantDeviceOp::create(builder, loc, text.getValue());
  if (isa<torch::NoneType>(type))
    return ConstantNoneOp::create(builder, loc);
  if (isa<ValueTensorType>(type))
    if (auto elements = dyn_cast<ElementsAttr>(value))
      return ValueTensorLiteralOp::create(builder, loc, elements);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

// In text, the sign may be a token of its own: `torch.constant.int -1`.
ParseResult ConstantIntOp::parse(OpAsmParser &parser, OperationState &result) {
  int64_t value;
  if (parser.parseInteger(value) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  Builder &builder = parser.getBuilder();
  result.getOrAddProperties<Properties>().value =
      builder.getI64IntegerAttr(value);
  result.addTypes(builder.getType<torch::IntType>());
  return success();
}

void ConstantIntOp::print(OpAsmPrinter &printer) {
  printer << " " << static_cast<int64_t>(getValue());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"value"});
}

OpFoldResult ConstantIntOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantFloatOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantBoolOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantStrOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantDeviceOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantNoneOp::fold(FoldAdaptor) {
  return UnitAttr::get(getContext());
}
OpFoldResult ValueTensorLiteralOp::fold(FoldAdaptor) { return getValueAttr(); }

// Values print as %int1, %true, %none, so that operands can be read in place.
void ConstantIntOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(),
          "int" + std::to_string(static_cast<int64_t>(getValue())));
}
void ConstantFloatOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  std::string name;
  llvm::raw_string_ostream(name)
      << "float" << llvm::format("%e", getValue().convertToDouble());
  llvm::erase(name, '+');
  setName(getResult(), name);
}
void ConstantBoolOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getValue() ? "true" : "false");
}
void ConstantStrOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "str");
}
void ConstantDeviceOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getValue());
}
void ConstantNoneOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "none");
}

void ValueTensorLiteralOp::build(OpBuilder &builder, OperationState &state,
                                 ElementsAttr value) {
  build(builder, state, fromBuiltin(cast<TensorType>(value.getType())),
        toTorchElements(value));
}

LogicalResult ValueTensorLiteralOp::verify() {
  if (!isa<DenseElementsAttr, DenseResourceElementsAttr>(getValue()))
    return emitOpError("expected dense elements, got ") << getValue();
  ValueTensorType expected =
      fromBuiltin(cast<TensorType>(getValue().getType()));
  if (!expected.getDtype())
    return emitOpError("expected an element type that torch has, got ")
           << getValue().getElementType();
  if (getType() != expected)
    return emitOpError("expected a result of type ")
           << expected << ", got " << getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Lists and tuples
//===----------------------------------------------------------------------===//

static bool mayAllBe(TypeRange types, Type to) {
  return llvm::all_of(types, [&](Type type) { return mayBe(type, to); });
}

LogicalResult PrimListConstructOp::verify() {
  auto list = dyn_cast<ListType>(getType());
  if (list && mayAllBe(getElements().getTypes(), list.getContainedType()))
    return success();
  return emitOpError("expected a list of the operands' types, got ")
         << getType();
}

LogicalResult PrimTupleConstructOp::verify() {
  auto tuple = dyn_cast<TupleType>(getType());
  if (tuple &&
      llvm::equal(getElements().getTypes(), tuple.getContainedTypes(), mayBe))
    return success();
  return emitOpError("expected a tuple of the operands' types, got ")
         << getType();
}

LogicalResult PrimListUnpackOp::verify() {
  auto list = dyn_cast<ListType>(getList().getType());
  if (!list || !llvm::all_of(getResultTypes(), [&](Type type) {
        return mayBe(list.getContainedType(), type);
      }))
    return emitOpError("expected a list of the results' types, got ")
           << getList().getType();
  auto built = getList().getDefiningOp<PrimListConstructOp>();
  if (!built)
    return success();
  ValueRange elements = built.getElements();
  if (elements.size() != getNumResults())
    return emitOpError("expected ")
           << elements.size() << " results, one for each element, got "
           << getNumResults();
  for (auto [element, result] : llvm::zip_equal(elements, getResults()))
    if (!mayBe(element.getType(), result.getType()))
      return emitOpError("expected a result of type ")
             << element.getType() << ", got " << result.getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Casts and copies
//===----------------------------------------------------------------------===//

static LogicalResult verifyMayBe(Operation *op, Type from, Type to) {
  if (mayBe(from, to))
    return success();
  return op->emitOpError("expected a value that may be of the type ")
         << to << ", got " << from;
}

LogicalResult TensorStaticInfoCastOp::verify() {
  if (isTensor(getType()) && mayBe(getOperand().getType(), getType()))
    return success();
  return emitOpError("expected a tensor that may be of the type ")
         << getType() << ", got " << getOperand().getType();
}

LogicalResult DerefineOp::verify() {
  return verifyMayBe(*this, getOperand().getType(), getType());
}

/// Verifies a copy: only the semantics (value or non-value) may change.
static LogicalResult verifyCopy(Operation *op) {
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if (withValueSemantics(from) == withValueSemantics(to))
    return success();
  return op->emitOpError("expected a result of the operand's sizes and dtype ")
         << from << ", got " << to;
}
LogicalResult CopyToNonValueTensorOp::verify() { return verifyCopy(*this); }
LogicalResult CopyToValueTensorOp::verify() { return verifyCopy(*this); }

LogicalResult OverwriteTensorContentsOp::verify() {
  return verifyMayBe(*this, withValueSemantics(getValue().getType()),
                     withValueSemantics(getOverwritten().getType()));
}

OpFoldResult TensorStaticInfoCastOp::fold(FoldAdaptor) {
  return getOperand().getType() == getType() ? OpFoldResult(getOperand())
                                             : nullptr;
}

/// `%r = torch.copy.to_tensor %x : !torch.tensor<[2],f32>`: the operand has the
/// same sizes and dtype, but the other semantics (value or non-value).
template <typename From>
static ParseResult parseCopy(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand operand;
  Type type;
  if (parser.parseOperand(operand) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  result.addTypes(type);
  Type from = type;
  if (auto tensor = dyn_cast<ValueTensorType>(type))
    from = From::get(type.getContext(), tensor.getRanked(), tensor.getSizes(),
                     tensor.getDtype());
  else if (auto tensor = dyn_cast<NonValueTensorType>(type))
    from = From::get(type.getContext(), tensor.getRanked(), tensor.getSizes(),
                     tensor.getDtype());
  return parser.resolveOperand(operand, from, result.operands);
}

static void printCopy(OpAsmPrinter &printer, Operation *op) {
  printer << " " << op->getOperand(0);
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : " << op->getResult(0).getType();
}

ParseResult CopyToNonValueTensorOp::parse(OpAsmParser &parser,
                                          OperationState &result) {
  return parseCopy<ValueTensorType>(parser, result);
}
void CopyToNonValueTensorOp::print(OpAsmPrinter &printer) {
  printCopy(printer, *this);
}
ParseResult CopyToValueTensorOp::parse(OpAsmParser &parser,
                                       OperationState &result) {
  return parseCopy<NonValueTensorType>(parser, result);
}
void CopyToValueTensorOp::print(OpAsmPrinter &printer) {
  printCopy(printer, *this);
}

//===----------------------------------------------------------------------===//
// torch.operator
//===----------------------------------------------------------------------===//

/// The registered op with the name of an operator, with or without the dialect
/// prefix: torch-mlir writes an op that it lacks as torch.operator
/// "torch.aten.diff".
static std::optional<RegisteredOperationName>
lookupRegistryOp(StringRef name, MLIRContext *context) {
  name.consume_front("torch.");
  auto op = RegisteredOperationName::lookup(("torch." + name).str(), context);
  return op && op->hasInterface<TypeInferenceOpInterface>() ? op : std::nullopt;
}

// `torch.operator "ns.name.overload"(%a, %b) {attributes} : (A, B) -> (R)
// {region}, {region}`; if an op is registered under the name, builds that op.
ParseResult OperatorOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  FunctionType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseAttribute(name) ||
      parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), loc, result.operands))
    return failure();
  result.addTypes(type.getResults());
  if (auto registered = lookupRegistryOp(name, parser.getContext())) {
    result.name = *registered;
    return success();
  }
  result.getOrAddProperties<Properties>().name = name;
  while (true) {
    auto region = std::make_unique<Region>();
    OptionalParseResult parsed = parser.parseOptionalRegion(*region);
    if (!parsed.has_value())
      return success();
    if (failed(*parsed))
      return failure();
    result.addRegion(std::move(region));
    if (failed(parser.parseOptionalComma()))
      return success();
  }
}

static ParseResult parseUnregisteredOp(OpAsmParser &parser,
                                       OperationState &result) {
  MLIRContext *context = parser.getContext();
  StringRef name = result.name.getStringRef();
  name.consume_front("torch.");
  result.getOrAddProperties<OperatorOp::Properties>().name =
      StringAttr::get(context, name);
  result.name = OperationName(OperatorOp::getOperationName(), context);
  return parseRegistryOp(parser, result);
}

std::optional<Dialect::ParseOpHook>
TorchDialect::getParseOperationHook(StringRef opName) const {
  StringRef name = opName;
  name.consume_front("torch.");
  bool isRegistered =
      RegisteredOperationName::lookup(opName, getContext()).has_value();
  if (isRegistered ||
      !(name.starts_with("aten.") || name.starts_with("prims.")))
    return Dialect::getParseOperationHook(opName);
  return ParseOpHook(parseUnregisteredOp);
}

void OperatorOp::print(OpAsmPrinter &printer) {
  printer << " " << getNameAttr() << "(" << (*this)->getOperands() << ")";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"name"});
  printer << " : ";
  printer.printFunctionalType(*this);
  llvm::interleaveComma(getRegions(), printer, [&](Region &region) {
    printer << " ";
    printer.printRegion(region);
  });
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

// `torch.prim.If %c -> (T) { ... torch.prim.If.yield ... } else { ... }`
ParseResult PrimIfOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand condition;
  Region *thenRegion = result.addRegion();
  Region *elseRegion = result.addRegion();
  if (parser.parseOperand(condition) ||
      parser.resolveOperand(condition,
                            parser.getBuilder().getType<torch::BoolType>(),
                            result.operands) ||
      parser.parseArrow() || parser.parseLParen())
    return failure();
  if (failed(parser.parseOptionalRParen()))
    if (parser.parseTypeList(result.types) || parser.parseRParen())
      return failure();
  return failure(parser.parseRegion(*thenRegion) ||
                 parser.parseKeyword("else") ||
                 parser.parseRegion(*elseRegion) ||
                 parser.parseOptionalAttrDict(result.attributes));
}

void PrimIfOp::print(OpAsmPrinter &printer) {
  printer << " " << getCondition() << " -> (";
  llvm::interleaveComma(getResultTypes(), printer);
  printer << ") ";
  printer.printRegion(getThenRegion(), /*printEntryBlockArgs=*/false);
  printer << " else ";
  printer.printRegion(getElseRegion(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs());
}

LogicalResult PrimIfOp::verify() {
  for (Region *region : {&getThenRegion(), &getElseRegion()}) {
    auto yield = dyn_cast<PrimIfYieldOp>(region->front().getTerminator());
    if (!yield || yield.getOperandTypes() != getResultTypes())
      return emitOpError("expected each region to yield (")
             << getResultTypes() << "), got "
             << *region->front().getTerminator();
  }
  return success();
}

LogicalResult PrimLoopOp::verify() {
  Block &body = getRegion().front();
  ValueRange carried =
      body.getArguments().drop_front(body.getNumArguments() ? 1 : 0);
  if (body.getNumArguments() == 0 || !isInt(body.getArgument(0).getType()))
    return emitOpError(
        "expected the body's first argument to be the trip number, an int");
  if (carried.getTypes() != getIterArgsInit().getTypes() ||
      carried.getTypes() != getResultTypes())
    return emitOpError("expected the carried values to have the types (")
           << getIterArgsInit().getTypes() << ") as body arguments and results";
  auto condition = dyn_cast<PrimLoopConditionOp>(body.getTerminator());
  if (!condition || condition.getIterArgs().getTypes() != getResultTypes())
    return emitOpError("expected the body to end in torch.prim.Loop.condition "
                       "with the carried types");
  return success();
}
