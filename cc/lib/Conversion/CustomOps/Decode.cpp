//===- Decode.cpp - A custom op as the torch op that it carries -----------===//

#include "isthmus/Conversion/CustomOps.h"
#include "isthmus/Dialect/Torch/OpNames.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Support/Json.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::custom_ops;
using llvm::json::Array;
using llvm::json::Object;

/// Deeper JSON, longer types and longer lists than those of any op are treated
/// as errors.
static constexpr unsigned maxDepth = 64;
static constexpr size_t maxTypeText = 1024;
static constexpr int64_t maxListSize = 1 << 16;

std::optional<llvm::json::Value> custom_ops::fromText(StringRef text,
                                                      std::string &why) {
  llvm::Expected<llvm::json::Value> value = parseJson(text, maxDepth);
  if (value)
    return std::move(*value);
  why = "expected JSON, got " + llvm::toString(value.takeError());
  return std::nullopt;
}

/// The shortest decimal of a number: 1e-5, not 9.99999974e-6.
static double shortest(float number) {
  for (int digits = 1; digits < 9; ++digits) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%.*g", digits, number);
    double candidate = std::strtod(text.c_str(), nullptr);
    if (float(candidate) == number)
      return candidate;
  }
  return number;
}

namespace {

bool isNumber(Type type) {
  return isa<torch::IntType, torch::FloatType, torch::BoolType>(type);
}

/// Whether a builtin type is the type of a single number of a torch type.
bool holds(Type builtin, Type number) {
  auto tensor = dyn_cast<RankedTensorType>(builtin);
  if (!tensor || tensor.getRank() != 0)
    return false;
  Type element = tensor.getElementType();
  if (isa<torch::FloatType>(number))
    return isa<mlir::FloatType>(element);
  if (isa<torch::BoolType>(number))
    return element.isInteger(1);
  return isa<torch::IntType>(number) && isa<IntegerType>(element) &&
         !element.isInteger(1);
}

class Decoder {
public:
  Decoder(Operation *carried, const Identity &identity)
      : carried(carried), identity(identity), builder(carried),
        loc(carried->getLoc()) {}

  FailureOr<Operation *> run() {
    const Object *all = identity.attributes.getAsObject();
    if (!all)
      return fail() << "expected a JSON object";
    std::optional<int64_t> version = all->getInteger("version");
    if (version != kVersion) {
      InFlightDiagnostic error = fail();
      error << "expected version " << kVersion << " of its attributes, got ";
      if (version)
        return error << *version << "; was it written by another release?";
      return error << "none";
    }
    const Array *arguments = all->getArray("arguments");
    if (!arguments)
      return fail() << "expected a list 'arguments'";
    SmallVector<Value> operands;
    for (const llvm::json::Value &argument : *arguments) {
      place = "argument " + std::to_string(operands.size());
      FailureOr<Value> value = decodeArgument(argument);
      if (failed(value))
        return failure();
      operands.push_back(*value);
    }
    NamedAttrList attributes;
    if (const llvm::json::Value *given = all->get("attributes"))
      if (failed(decodeAttributes(*given, attributes)))
        return failure();
    place = "";
    const Array *results = all->getArray("results");
    if (!results)
      return fail() << "expected a list 'results'";
    addNames(torch::kKeywordsAttr, *arguments, "keyword", attributes);
    addNames(torch::kMutatesAttr, *results, "name", attributes);
    return build(operands, attributes, *results);
  }

private:
  InFlightDiagnostic fail() {
    InFlightDiagnostic error = carried->emitError();
    error << "custom op '" << identity.name << "'";
    if (!place.empty())
      error << ", " << place;
    return std::move(error << ": ");
  }

  //===--------------------------------------------------------------------===//
  // Types
  //===--------------------------------------------------------------------===//

  /// An invalid token after a type is an error reported with the type.
  Type parse(const Twine &text) {
    std::string whole = text.str();
    if (whole.size() > maxTypeText)
      return {};
    bool isClean = true;
    ScopedDiagnosticHandler quiet(builder.getContext(), [&](Diagnostic &) {
      isClean = false;
      return success();
    });
    Type type = parseType(whole, builder.getContext());
    return isClean ? type : Type();
  }

  Type typeOf(const Object &value) {
    std::optional<StringRef> text = value.getString("type");
    Type type = text ? parse("!torch." + *text) : Type();
    if (!type)
      fail() << "expected a 'type' of the torch dialect, such as \"list<int>\""
             << (text ? ", got \"" + text->str() + "\"" : "");
    return type;
  }

  /// A builtin tensor as the torch tensor of the dtype given next to it.
  FailureOr<Type> tensorType(Type builtin, const Object &says) {
    auto tensor = dyn_cast<RankedTensorType>(builtin);
    if (!tensor)
      return fail() << "expected a tensor of known rank, got " << builtin;
    std::optional<StringRef> text = says.getString("dtype");
    Type dtype = text ? parse(*text) : Type();
    if (!dtype || !isa<IntegerType, mlir::FloatType, ComplexType>(dtype))
      return fail() << "expected a 'dtype' such as \"f32\" or \"si64\""
                    << (text ? ", got \"" + text->str() + "\"" : "");
    return Type(torch::ValueTensorType::get(builder.getContext(),
                                            tensor.getShape(), dtype));
  }

  Value cast(Value value, Type type) {
    return UnrealizedConversionCastOp::create(builder, loc, type, value)
        .getResult(0);
  }

  //===--------------------------------------------------------------------===//
  // Arguments
  //===--------------------------------------------------------------------===//

  FailureOr<Value> decodeArgument(const llvm::json::Value &argument) {
    const Object *object = argument.getAsObject();
    if (!object)
      return fail() << "expected an object";
    Type type = typeOf(*object);
    if (!type)
      return failure();
    return decode(object->get("value"), type);
  }

  /// The operand that a value refers to, if it is one.
  FailureOr<Value> operandOf(const Object &value) {
    std::optional<int64_t> index = value.getInteger("operand");
    int64_t count = carried->getNumOperands();
    if (!index || *index < 0 || *index >= count)
      return fail() << "expected 'operand' to be one of " << count
                    << " operands";
    return carried->getOperand(*index);
  }

  FailureOr<Value> decode(const llvm::json::Value *value, Type type) {
    if (torch::isNone(type))
      return Value(torch::ConstantNoneOp::create(builder, loc));
    if (!value)
      return fail() << "expected a 'value', got none";
    if (const Object *object = value->getAsObject()) {
      if (object->getString("type") == "none")
        return Value(torch::ConstantNoneOp::create(builder, loc));
      FailureOr<Value> operand = operandOf(*object);
      if (failed(operand))
        return failure();
      return fromOperand(*operand, type, *object);
    }
    if (isa<torch::IntType>(type)) {
      if (auto integer = value->getAsInteger())
        return Value(torch::ConstantIntOp::create(builder, loc, *integer));
    } else if (isa<torch::FloatType>(type)) {
      if (auto number = numberOf(*value))
        return Value(torch::ConstantFloatOp::create(builder, loc, *number));
    } else if (isa<torch::BoolType>(type)) {
      if (auto boolean = value->getAsBoolean())
        return Value(torch::ConstantBoolOp::create(builder, loc, *boolean));
    } else if (isa<torch::StringType>(type)) {
      if (auto text = value->getAsString())
        return Value(torch::ConstantStrOp::create(builder, loc, *text));
    } else if (isa<torch::DeviceType>(type)) {
      if (auto text = value->getAsString())
        return Value(torch::ConstantDeviceOp::create(builder, loc, *text));
    } else if (auto list = dyn_cast<torch::ListType>(type)) {
      if (const Array *elements = value->getAsArray())
        return decodeList(*elements, list);
    } else {
      return fail() << "expected a type that custom ops carry, got " << type;
    }
    return fail() << "expected a value of type " << type << ", got "
                  << toText(*value);
  }

  FailureOr<Value> decodeList(const Array &elements, torch::ListType type) {
    Type contained = type.getContainedType();
    if (auto optional = dyn_cast<torch::OptionalType>(contained))
      contained = optional.getContainedType();
    SmallVector<Value> values;
    for (const llvm::json::Value &element : elements) {
      FailureOr<Value> value = decode(&element, contained);
      if (failed(value))
        return failure();
      values.push_back(*value);
    }
    return Value(
        torch::PrimListConstructOp::create(builder, loc, type, values));
  }

  FailureOr<Value> fromOperand(Value operand, Type type, const Object &says) {
    if (isa<torch::ValueTensorType>(type)) {
      FailureOr<Type> tensor = tensorType(operand.getType(), says);
      if (failed(tensor))
        return failure();
      return cast(operand, *tensor);
    }
    DenseElementsAttr constant;
    bool isConstant = matchPattern(operand, m_Constant(&constant));
    auto list = dyn_cast<torch::ListType>(type);
    if (list && torch::isInt(list.getContainedType())) {
      if (!isConstant || !isa<IntegerType>(constant.getElementType()) ||
          constant.getNumElements() > maxListSize)
        return fail() << "expected a constant of at most " << maxListSize
                      << " integers as operand, got " << operand.getType();
      SmallVector<Value> ints;
      for (const APInt &element : constant.getValues<APInt>())
        ints.push_back(torch::ConstantIntOp::create(
            builder, loc, element.sextOrTrunc(64).getSExtValue()));
      return Value(
          torch::PrimListConstructOp::create(builder, loc, type, ints));
    }
    if (!holds(operand.getType(), type))
      return fail() << "expected an operand that holds a " << type << ", got "
                    << operand.getType();
    if (isConstant)
      return constantOf(constant, type);
    return numberOf(operand, type);
  }

  Value constantOf(DenseElementsAttr constant, Type type) {
    if (isa<torch::FloatType>(type)) {
      APFloat number = *constant.value_begin<APFloat>();
      double exact = FloatAttr::getValueAsDouble(number);
      bool isSingle = constant.getElementType().isF32();
      return torch::ConstantFloatOp::create(
          builder, loc, isSingle ? shortest(float(exact)) : exact);
    }
    APInt number = *constant.value_begin<APInt>();
    if (isa<torch::BoolType>(type))
      return torch::ConstantBoolOp::create(builder, loc, !number.isZero());
    return torch::ConstantIntOp::create(builder, loc,
                                        number.sextOrTrunc(64).getSExtValue());
  }

  /// A number from an operand, which is a tensor of rank 0. If the program has
  /// scalars, the number is the element of the tensor, else the tensor itself.
  Value numberOf(Value operand, Type type) {
    if (!identity.hasScalars)
      return cast(operand, type);
    if (auto made = operand.getDefiningOp<tensor::FromElementsOp>())
      return cast(made.getElements().front(), type);
    return cast(tensor::ExtractOp::create(builder, loc, operand, ValueRange()),
                type);
  }
  using Number = std::optional<double>;
  static Number numberOf(const llvm::json::Value &value) {
    return custom_ops::numberOf(value);
  }

  //===--------------------------------------------------------------------===//
  // Attributes of ONNX nodes
  //===--------------------------------------------------------------------===//

  LogicalResult decodeAttributes(const llvm::json::Value &given,
                                 NamedAttrList &attributes) {
    const Object *object = given.getAsObject();
    if (!object)
      return fail() << "expected 'attributes' to be an object";
    for (const auto &[name, value] : *object) {
      place = "attribute '" + name.str() + "'";
      const Object *says = value.getAsObject();
      std::optional<StringRef> type =
          says ? says->getString("type") : std::optional<StringRef>();
      const llvm::json::Value *held = says ? says->get("value") : nullptr;
      if (!type || !held)
        return fail() << "expected an object with 'type' and 'value'";
      Attribute attribute = decodeAttribute(*type, *held);
      if (!attribute || name.str().empty())
        return fail() << "expected a value of type '" << *type << "', got "
                      << toText(*held);
      attributes.set((kOnnxAttrPrefix + name.str()).str(), attribute);
    }
    return success();
  }

  Attribute decodeAttribute(StringRef type, const llvm::json::Value &value) {
    if (type == "int")
      if (auto integer = value.getAsInteger())
        return IntegerAttr::get(
            IntegerType::get(builder.getContext(), 64, IntegerType::Signed),
            *integer);
    if (type == "float")
      if (Number number = numberOf(value))
        return builder.getF32FloatAttr(float(*number));
    if (type == "str")
      if (auto text = value.getAsString())
        return builder.getStringAttr(*text);
    if (type == "dtype")
      if (auto text = value.getAsString())
        if (Type dtype = parse(*text); dtype && dtype.isIntOrFloat())
          return TypeAttr::get(
              torch::toBuiltin(
                  torch::ValueTensorType::get(dtype.getContext(), {}, dtype))
                  .getElementType());
    if (type == "vtensor")
      if (const Object *object = value.getAsObject()) {
        FailureOr<Value> operand = operandOf(*object);
        ElementsAttr elements;
        if (succeeded(operand) && matchPattern(*operand, m_Constant(&elements)))
          return torch::toTorchElements(elements);
      }
    if (type.consume_front("list<") && type.consume_back(">"))
      if (const Array *elements = value.getAsArray()) {
        SmallVector<Attribute> members;
        for (const llvm::json::Value &element : *elements) {
          members.push_back(decodeAttribute(type, element));
          if (!members.back())
            return {};
        }
        return builder.getArrayAttr(members);
      }
    return {};
  }

  //===--------------------------------------------------------------------===//
  // The op
  //===--------------------------------------------------------------------===//

  /// The declared types of the results, and those of the elements of lists.
  LogicalResult decodeResults(const Array &results, SmallVector<Type> &whole,
                              SmallVector<SmallVector<Type>> &parts) {
    unsigned next = 0;
    auto one = [&](const llvm::json::Value &result) -> FailureOr<Type> {
      const Object *says = result.getAsObject();
      if (!says || next == carried->getNumResults())
        return fail() << "expected an object for each of "
                      << carried->getNumResults() << " results";
      Type type = typeOf(*says), builtin = carried->getResult(next).getType();
      ++next;
      if (!type)
        return failure();
      if (isa<torch::ValueTensorType>(type))
        return tensorType(builtin, *says);
      if (!holds(builtin, type))
        return fail() << "expected a tensor, or a number of rank 0, got "
                      << builtin << " as " << type;
      return type;
    };
    for (const llvm::json::Value &result : results) {
      place = "result " + std::to_string(whole.size());
      const Object *says = result.getAsObject();
      const Array *elements = says ? says->getArray("elements") : nullptr;
      parts.emplace_back();
      if (!elements) {
        FailureOr<Type> type = one(result);
        if (failed(type))
          return failure();
        whole.push_back(*type);
        continue;
      }
      whole.push_back(typeOf(*says));
      if (!whole.back())
        return failure();
      if (!isa<torch::ListType>(whole.back()))
        return fail() << "expected a list to have elements, got "
                      << whole.back();
      for (const llvm::json::Value &element : *elements) {
        FailureOr<Type> type = one(element);
        if (failed(type))
          return failure();
        parts.back().push_back(*type);
      }
    }
    place = "";
    if (next != carried->getNumResults())
      return fail() << "expected 'results' to say what each of "
                    << carried->getNumResults() << " results is, got " << next;
    return success();
  }

  /// The names of the trailing arguments or results that all have the field
  /// `has`, as an attribute of a torch.operator.
  void addNames(StringRef attribute, const Array &list, StringRef has,
                NamedAttrList &attributes) {
    SmallVector<StringRef> names;
    for (const llvm::json::Value &one : list) {
      const Object *says = one.getAsObject();
      if (!says || !says->get(has))
        names.clear();
      else
        names.push_back(says->getString("name").value_or(""));
    }
    if (!names.empty())
      attributes.set(attribute, builder.getStrArrayAttr(names));
  }

  FailureOr<Operation *> build(ValueRange operands, NamedAttrList &attributes,
                               const Array &results) {
    SmallVector<Type> types;
    SmallVector<SmallVector<Type>> parts;
    if (failed(decodeResults(results, types, parts)))
      return failure();
    Operation *op = builder.create(state(operands, types, attributes));
    if (failed(verify(op))) {
      op->erase();
      return fail() << "expected arguments that the op takes";
    }
    SmallVector<Value> values;
    for (auto [result, elements] : llvm::zip_equal(op->getResults(), parts)) {
      if (!isa<torch::ListType>(result.getType()))
        values.push_back(result);
      else
        llvm::append_range(values, torch::PrimListUnpackOp::create(
                                       builder, loc, elements, result)
                                       .getResults());
    }
    for (auto [own, value] : llvm::zip_equal(carried->getResults(), values))
      replace(own, value);
    carried->erase();
    return op;
  }

  OperationState state(ValueRange operands, TypeRange types,
                       NamedAttrList &attributes) {
    StringRef name = identity.name;
    if (identity.domain == kTorchDomain) {
      auto registered =
          RegisteredOperationName::lookup(name, builder.getContext());
      if (registered &&
          registered->hasInterface<torch::TypeInferenceOpInterface>())
        return OperationState(loc, name, operands, types);
      name.consume_front("torch.");
    } else if (identity.domain != kOnnxDomain) {
      attributes.set(kDomainAttr, builder.getStringAttr(identity.domain));
    }
    OperationState state(loc, torch::OperatorOp::getOperationName(), operands,
                         types, attributes.getAttrs());
    state.getOrAddProperties<torch::OperatorOp::Properties>().name =
        builder.getStringAttr(name);
    return state;
  }

  void replace(Value own, Value value) {
    if (!isNumber(value.getType()) || !identity.hasScalars) {
      own.replaceAllUsesWith(cast(value, own.getType()));
      return;
    }
    auto type = llvm::cast<RankedTensorType>(own.getType());
    Value number = cast(value, type.getElementType());
    for (Operation *user : llvm::make_early_inc_range(own.getUsers()))
      if (auto extract = dyn_cast<tensor::ExtractOp>(user)) {
        extract.replaceAllUsesWith(number);
        extract.erase();
      }
    if (!own.use_empty())
      own.replaceAllUsesWith(
          tensor::FromElementsOp::create(builder, loc, type, number));
  }

  Operation *carried;
  const Identity &identity;
  OpBuilder builder;
  Location loc;
  std::string place;
};

} // namespace

FailureOr<Operation *> custom_ops::decode(Operation *carried,
                                          const Identity &identity) {
  return Decoder(carried, identity).run();
}
