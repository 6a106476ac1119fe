//===- Attributes.cpp - Attributes of custom ops in JSON and MLIR ---------===//

#include "isthmus/Conversion/CustomOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace isthmus;
using llvm::json::Array;
using llvm::json::Object;

llvm::json::Value custom_ops::toJSON(double number) {
  if (std::isnan(number))
    return "NaN";
  if (std::isinf(number))
    return number > 0 ? "Infinity" : "-Infinity";
  if (number == 0 && std::signbit(number))
    return "-0"; // a reader parses -0 as an integer, which has no sign
  return number;
}

std::optional<double> custom_ops::numberOf(const llvm::json::Value &value) {
  auto text = value.getAsString();
  if (!text)
    return value.getAsNumber();
  return llvm::StringSwitch<std::optional<double>>(*text)
      .Case("NaN", std::numeric_limits<double>::quiet_NaN())
      .Case("Infinity", std::numeric_limits<double>::infinity())
      .Case("-Infinity", -std::numeric_limits<double>::infinity())
      .Case("-0", -0.0)
      .Default(std::nullopt);
}

std::string custom_ops::toText(const llvm::json::Value &attributes) {
  std::string text;
  llvm::raw_string_ostream(text) << attributes; // sorts the keys
  return text;
}

//===----------------------------------------------------------------------===//
// To MLIR
//===----------------------------------------------------------------------===//

/// The values of a list, if each is of the kind that `read` reads.
template <typename T, typename Read>
static std::optional<SmallVector<T>> allOf(const Array &list, Read read) {
  SmallVector<T> values;
  for (const llvm::json::Value &element : list) {
    std::optional<T> value = read(element);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

/// `type` is the type given next to a value: only it distinguishes 1 from 1.0.
static Attribute convert(const llvm::json::Value &value, StringRef type,
                         Builder &builder) {
  using llvm::json::Value;
  bool isFloat = type.contains("float");
  if (const Object *object = value.getAsObject()) {
    StringRef own = object->getString("type").value_or("");
    NamedAttrList members;
    for (const auto &[key, member] : *object)
      members.set(StringRef(key),
                  convert(member, key == "value" ? own : "", builder));
    return members.getDictionary(builder.getContext());
  }
  if (const Array *list = value.getAsArray()) {
    if (isFloat)
      if (auto floats = allOf<double>(*list, custom_ops::numberOf))
        return builder.getDenseF64ArrayAttr(*floats);
    if (type.contains("int"))
      if (auto ints = allOf<int64_t>(
              *list, [](const Value &v) { return v.getAsInteger(); }))
        return builder.getDenseI64ArrayAttr(*ints);
    NamedAttrList members;
    for (auto [index, element] : llvm::enumerate(*list))
      members.set(std::to_string(index), convert(element, type, builder));
    return members.getDictionary(builder.getContext());
  }
  if (isFloat)
    if (auto number = custom_ops::numberOf(value))
      return builder.getF64FloatAttr(*number);
  if (auto boolean = value.getAsBoolean())
    return builder.getBoolAttr(*boolean);
  if (auto integer = value.getAsInteger())
    return builder.getI64IntegerAttr(*integer);
  return builder.getStringAttr(value.getAsString().value_or(""));
}

Attribute custom_ops::toAttribute(const llvm::json::Value &attributes,
                                  MLIRContext *context) {
  Builder builder(context);
  return convert(attributes, "", builder);
}

//===----------------------------------------------------------------------===//
// From MLIR
//===----------------------------------------------------------------------===//

template <typename T>
static llvm::json::Value toList(ArrayRef<T> values) {
  Array list;
  for (T value : values)
    if constexpr (std::is_same_v<T, double>)
      list.push_back(custom_ops::toJSON(value));
    else
      list.push_back(value);
  return list;
}

/// A dictionary represents a list if its keys are 0, 1, 2 ...
static bool isList(DictionaryAttr dictionary) {
  for (size_t i = 0, end = dictionary.size(); i != end; ++i)
    if (!dictionary.contains(std::to_string(i)))
      return false;
  return true;
}

static std::optional<llvm::json::Value> read(Attribute attribute,
                                             bool hasFreeKeys) {
  if (auto text = dyn_cast<StringAttr>(attribute)) {
    if (!llvm::json::isUTF8(text.getValue()))
      return std::nullopt;
    return llvm::json::Value(text.getValue());
  }
  if (auto boolean = dyn_cast<BoolAttr>(attribute))
    return llvm::json::Value(boolean.getValue());
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    if (!integer.getType().isSignlessInteger(64))
      return std::nullopt;
    return llvm::json::Value(integer.getInt());
  }
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return custom_ops::toJSON(number.getValueAsDouble());
  if (auto ints = dyn_cast<DenseI64ArrayAttr>(attribute))
    return toList(ints.asArrayRef());
  if (auto floats = dyn_cast<DenseF64ArrayAttr>(attribute))
    return toList(floats.asArrayRef());
  auto dictionary = dyn_cast<DictionaryAttr>(attribute);
  if (!dictionary)
    return std::nullopt;
  if (!hasFreeKeys && isList(dictionary)) {
    Array list;
    for (size_t i = 0, end = dictionary.size(); i != end; ++i) {
      auto element = read(dictionary.get(std::to_string(i)), false);
      if (!element)
        return std::nullopt;
      list.push_back(std::move(*element));
    }
    return list;
  }
  Object object;
  for (NamedAttribute member : dictionary) {
    // The attribute names of an ONNX node are free.
    bool namesAttributes = !hasFreeKeys && member.getName() == "attributes";
    auto value = read(member.getValue(), namesAttributes);
    if (!value || !llvm::json::isUTF8(member.getName().getValue()))
      return std::nullopt;
    object[member.getName().str()] = std::move(*value);
  }
  return object;
}

std::optional<llvm::json::Value>
custom_ops::fromAttribute(Attribute attribute) {
  return read(attribute, false);
}
