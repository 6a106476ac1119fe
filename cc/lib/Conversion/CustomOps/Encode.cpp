//===- Encode.cpp - A torch op as a custom op -----------------------------===//

#include "isthmus/Conversion/CustomOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/OpNames.h"
#include "isthmus/Dialect/Torch/Signatures.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::custom_ops;
using llvm::json::Array;
using llvm::json::Object;

/// The names of the arguments of a PyTorch op; none for other ops.
static SmallVector<StringRef> argumentNames(StringRef op) {
  SmallVector<StringRef> names;
  if (auto arguments = torch::findSignature(op))
    for (const torch::SignatureArgument &argument : *arguments)
      names.push_back(argument.name);
  return names;
}

std::optional<Encoding> custom_ops::encodingOf(StringRef name) {
  return llvm::StringSwitch<std::optional<Encoding>>(name)
      .Case("attributes", Encoding::Attributes)
      .Case("operands", Encoding::Operands)
      .Default(std::nullopt);
}

std::optional<SmallVector<ValueRange>> custom_ops::resultParts(Operation *op) {
  SmallVector<ValueRange> parts;
  for (OpResult result : op->getResults()) {
    if (!isa<torch::ListType>(result.getType())) {
      parts.push_back(
          ValueRange(op->getResults()).slice(result.getResultNumber(), 1));
      continue;
    }
    if (!result.hasOneUse() ||
        !isa<torch::PrimListUnpackOp>(*result.user_begin()))
      return std::nullopt;
    parts.push_back((*result.user_begin())->getResults());
  }
  return parts;
}

namespace {

std::string text(Type type) {
  std::string result;
  llvm::raw_string_ostream(result) << type;
  return result;
}

/// The type's name inside another type: "list<int>".
std::string nameOf(Type type) {
  if (isa<torch::ValueTensorType>(type))
    return "vtensor"; // the tensor itself holds the rest
  return StringRef(text(type)).drop_front(strlen("!torch.")).str();
}

bool isNumber(Type type) {
  return isa<torch::IntType, torch::FloatType, torch::BoolType>(type);
}

class Encoder {
public:
  Encoder(Operation *op, Encoding encoding, std::string &why)
      : op(op), encoding(encoding), why(why), builder(op->getContext()) {}

  std::optional<CustomOp> run() {
    custom.name = fullName(op);
    if (op->getNumRegions() > 0)
      return fail("expected an op without subgraphs, got one with ",
                  op->getNumRegions());
    custom.domain = domainOf(op).str();
    custom.hasEffects = !isMemoryEffectFree(op) || op->getNumResults() == 0;

    SmallVector<StringRef> names;
    if (custom.domain == kTorchDomain)
      names =
          argumentNames(StringRef(custom.name).drop_front(strlen("torch.")));
    SmallVector<StringRef> keywords = namesIn(torch::kKeywordsAttr);
    size_t positional = op->getNumOperands() -
                        std::min<size_t>(keywords.size(), op->getNumOperands());
    Array arguments;
    for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
      Value given = origin(operand);
      std::optional<llvm::json::Value> value = encode(given);
      if (!value) {
        why = "argument " + std::to_string(index) + ": " + why;
        return std::nullopt;
      }
      Object argument{{"type", nameOf(given.getType())}};
      if (*value != nullptr)
        argument["value"] = std::move(*value);
      if (index < names.size())
        argument["name"] = names[index];
      if (index >= positional) {
        argument["name"] = keywords[index - positional];
        argument["keyword"] = true;
      }
      arguments.push_back(std::move(argument));
    }
    std::optional<Array> results = encodeResults();
    std::optional<Object> attributes = encodeAttributes();
    if (!results || !attributes)
      return std::nullopt;
    Object all{{"version", kVersion},
               {"arguments", std::move(arguments)},
               {"results", std::move(*results)}};
    if (!attributes->empty())
      all["attributes"] = std::move(*attributes);
    custom.attributes = std::move(all);
    return std::move(custom);
  }

private:
  template <typename... Parts>
  std::nullopt_t fail(Parts &&...parts) {
    why.clear();
    llvm::raw_string_ostream stream(why);
    (stream << ... << std::forward<Parts>(parts));
    return std::nullopt;
  }

  /// The names that an attribute of a torch.operator lists.
  SmallVector<StringRef> namesIn(StringRef attribute) {
    SmallVector<StringRef> names;
    auto list = isa<torch::OperatorOp>(op)
                    ? op->getAttrOfType<ArrayAttr>(attribute)
                    : ArrayAttr();
    for (Attribute name : list ? list.getValue() : ArrayRef<Attribute>())
      if (auto text = dyn_cast<StringAttr>(name);
          text && llvm::json::isUTF8(text.getValue()))
        names.push_back(text.getValue());
    return names;
  }

  /// An optional value is carried as the value itself.
  static Value origin(Value value) {
    while (auto derefine = value.getDefiningOp<torch::DerefineOp>())
      value = derefine.getOperand();
    return value;
  }

  Object add(Operand operand) {
    custom.operands.push_back(operand);
    return Object{{"operand", int64_t(custom.operands.size()) - 1}};
  }
  template <typename T>
  Object addConstant(ArrayRef<int64_t> sizes, Type element,
                     ArrayRef<T> values) {
    auto type = RankedTensorType::get(sizes, element);
    return add({{}, DenseElementsAttr::get(type, values)});
  }

  /// A number in the form of the encodings: a constant of one element, or JSON.
  template <typename T>
  llvm::json::Value constant(T number, Type element) {
    if (encoding == Encoding::Attributes)
      return number;
    return addConstant<T>({}, element, number);
  }

  std::optional<llvm::json::Value> encode(Value value) {
    using llvm::json::Value;
    Type type = value.getType();
    if (auto tensor = dyn_cast<torch::ValueTensorType>(type))
      return encodeTensor(value, tensor);
    if (torch::isNone(type)) {
      if (encoding == Encoding::Attributes)
        return nullptr;
      return add({});
    }
    if (std::optional<int64_t> known = torch::matchInt(value))
      return constant(*known, builder.getI64Type());
    if (std::optional<bool> known = torch::matchBool(value))
      return constant(*known, builder.getI1Type());
    if (std::optional<double> known = torch::matchFloat(value)) {
      if (encoding == Encoding::Attributes)
        return custom_ops::toJSON(*known);
      return addConstant<float>({}, builder.getF32Type(), float(*known));
    }
    if (auto device = value.getDefiningOp<torch::ConstantDeviceOp>())
      return encodeText(device.getValue());
    if (std::optional<StringRef> known = torch::matchStr(value))
      return encodeText(*known);
    if (auto elements = torch::matchList(value))
      return encodeList(cast<torch::ListType>(type), *elements);
    if (isNumber(type))
      return add({value, {}});
    if (torch::isGenerator(type))
      return fail("a generator is a state of the process that runs, and no "
                  "part of a program");
    return fail("expected a tensor, a number, or what is known while "
                "compiling, got a '",
                type, "'");
  }

  std::optional<llvm::json::Value> encodeTensor(Value value,
                                                torch::ValueTensorType type) {
    if (!type.hasRank() || !type.getDtype())
      return fail("expected a tensor of known rank and dtype, got '", type,
                  "'");
    Object operand = add({value, {}});
    operand["dtype"] = text(type.getDtype());
    return operand;
  }

  std::optional<llvm::json::Value> encodeText(StringRef value) {
    if (!llvm::json::isUTF8(value))
      return fail("expected a string in UTF-8");
    return llvm::json::Value(value.str());
  }

  std::optional<llvm::json::Value> encodeList(torch::ListType type,
                                              ArrayRef<Value> elements) {
    // A list of ints is one operand if all are constant and there is at least
    // one: not every target has tensors without elements.
    if (encoding == Encoding::Operands && !elements.empty() &&
        torch::isInt(type.getContainedType())) {
      SmallVector<int64_t> ints;
      for (Value element : elements)
        if (std::optional<int64_t> known = torch::matchInt(element))
          ints.push_back(*known);
      if (ints.size() == elements.size())
        return addConstant<int64_t>(int64_t(ints.size()), builder.getI64Type(),
                                    ints);
    }
    Array list;
    for (Value element : elements) {
      std::optional<llvm::json::Value> value = encode(origin(element));
      if (!value)
        return std::nullopt;
      if (torch::isNone(element)) {
        Object none{{"type", "none"}};
        if (const Object *operand = value->getAsObject())
          none["operand"] = *operand->getInteger("operand");
        *value = std::move(none);
      }
      list.push_back(std::move(*value));
    }
    return list;
  }

  /// Unused results may have no type, but a target needs one.
  Type knownType(Value result) {
    auto own = dyn_cast<torch::ValueTensorType>(result.getType());
    auto rule = dyn_cast<torch::TypeInferenceOpInterface>(op);
    torch::TypeInference inference(op->getContext(), op->getOperands());
    if (!own || (own.hasRank() && own.getDtype()) || !rule ||
        result.getDefiningOp() != op || failed(rule.inferTypes(inference)))
      return result.getType();
    return inference.results[cast<OpResult>(result).getResultNumber()];
  }

  std::optional<Array> encodeResults() {
    auto parts = resultParts(op);
    if (!parts)
      return fail("expected its list to be taken apart by "
                  "torch.prim.ListUnpack, got another use of the list");
    Array results;
    for (auto [result, values] : llvm::zip_equal(op->getResults(), *parts)) {
      Array elements;
      for (Value value : values) {
        Type type = knownType(value);
        Object element{{"type", nameOf(type)}};
        if (auto tensor = dyn_cast<torch::ValueTensorType>(type)) {
          if (!tensor.hasRank() || !tensor.getDtype())
            return fail("expected a result of known rank and dtype, got '",
                        type, "'");
          element["dtype"] = text(tensor.getDtype());
        } else if (!isNumber(type)) {
          return fail("expected a tensor or a number as result, got '", type,
                      "'");
        }
        custom.results.push_back(type);
        elements.push_back(std::move(element));
      }
      if (isa<torch::ListType>(result.getType()))
        results.push_back(Object{{"type", nameOf(result.getType())},
                                 {"elements", std::move(elements)}});
      else
        results.push_back(std::move(elements.front()));
    }
    SmallVector<StringRef> mutated = namesIn(torch::kMutatesAttr);
    for (size_t i = 0; i < std::min(mutated.size(), results.size()); ++i)
      (*results[results.size() - 1 - i].getAsObject())["name"] =
          mutated[mutated.size() - 1 - i];
    return results;
  }

  //===--------------------------------------------------------------------===//
  // Attributes of ONNX nodes
  //===--------------------------------------------------------------------===//

  std::optional<Object> encodeAttributes() {
    Object attributes;
    for (NamedAttribute attribute : op->getDiscardableAttrDictionary()) {
      StringRef name = attribute.getName();
      if (!name.consume_front(kOnnxAttrPrefix))
        continue;
      std::optional<Object> value = encodeAttribute(attribute.getValue());
      if (!value) {
        why = ("attribute '" + name + "': " + why).str();
        return std::nullopt;
      }
      attributes[name.str()] = std::move(*value);
    }
    return attributes;
  }

  std::optional<Object> encodeAttribute(Attribute attribute) {
    auto give = [](StringRef type, llvm::json::Value value) {
      return Object{{"type", type.str()}, {"value", std::move(value)}};
    };
    if (auto integer = dyn_cast<IntegerAttr>(attribute))
      return give("int", integer.getValue().getSExtValue());
    if (auto number = dyn_cast<FloatAttr>(attribute))
      return give("float", custom_ops::toJSON(number.getValueAsDouble()));
    if (auto value = dyn_cast<StringAttr>(attribute)) {
      if (!llvm::json::isUTF8(value.getValue()))
        return fail("expected a string in UTF-8");
      return give("str", value.getValue().str());
    }
    if (auto type = dyn_cast<TypeAttr>(attribute))
      if (Type dtype = torch::toTorchDtype(type.getValue()))
        return give("dtype", text(dtype));
    if (auto tensor = dyn_cast<ElementsAttr>(attribute)) {
      Type dtype = torch::toTorchDtype(tensor.getElementType());
      if (!dtype)
        return fail("expected a tensor of a dtype that torch has, got '",
                    tensor.getType(), "'");
      Object operand = add({{}, torch::toBuiltinElements(tensor)});
      operand["dtype"] = text(dtype);
      return give("vtensor", std::move(operand));
    }
    if (auto list = dyn_cast<ArrayAttr>(attribute)) {
      Array values;
      std::string element =
          "int"; // the element type of an empty list is unknown
      for (Attribute member : list) {
        std::optional<Object> value = encodeAttribute(member);
        if (!value)
          return std::nullopt;
        element = value->getString("type")->str();
        values.push_back(std::move(*value->get("value")));
      }
      return give("list<" + element + ">", std::move(values));
    }
    return fail(
        "expected an int, a float, a string, a dtype, a tensor or a list, "
        "got ",
        attribute);
  }

  Operation *op;
  Encoding encoding;
  std::string &why;
  Builder builder;
  CustomOp custom;
};

} // namespace

std::optional<CustomOp> custom_ops::encode(Operation *op, Encoding encoding,
                                           std::string &why) {
  return Encoder(op, encoding, why).run();
}
