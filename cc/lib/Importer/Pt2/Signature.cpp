//===- Signature.cpp - The arguments of registered torch ops --------------===//

#include "Signature.h"
#include "isthmus/Dialect/Torch/Signatures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace isthmus;
using namespace isthmus::pt2;
using llvm::StringRef;

/// A default value, which the table holds as JSON: null, a scalar, a string or
/// a list of ints.
static schema::Argument toArgument(const llvm::json::Value &json) {
  using Kind = schema::Argument::Kind;
  schema::Argument argument;
  if (std::optional<bool> value = json.getAsBoolean()) {
    argument.kind = Kind::Bool;
    argument.integer = *value;
  } else if (std::optional<int64_t> value = json.getAsInteger()) {
    // A whole default of a float is an int here; it is converted at its use.
    argument.kind = Kind::Int;
    argument.integer = *value;
  } else if (std::optional<double> value = json.getAsNumber()) {
    argument.kind = Kind::Float;
    argument.number = *value;
  } else if (std::optional<StringRef> value = json.getAsString()) {
    argument.kind = Kind::String;
    argument.text = value->str();
  } else if (const llvm::json::Array *values = json.getAsArray()) {
    argument.kind = Kind::List;
    for (const llvm::json::Value &value : *values)
      argument.elements.push_back(toArgument(value));
  }
  return argument;
}

std::optional<llvm::SmallVector<FormalArgument>>
pt2::findSignature(StringRef op) {
  auto signature = torch::findSignature(op);
  if (!signature)
    return std::nullopt;
  llvm::SmallVector<FormalArgument> arguments;
  for (const torch::SignatureArgument &given : *signature) {
    FormalArgument &argument = arguments.emplace_back();
    argument.name = given.name;
    argument.type = {given.type};
    if (!given.defaultValue.empty())
      argument.defaultValue =
          toArgument(llvm::cantFail(llvm::json::parse(given.defaultValue)));
  }
  return arguments;
}

void pt2::nameArguments(schema::Node &call) {
  if (auto formals = findSignature(getOp(call.target)))
    for (auto [argument, formal] : llvm::zip(call.inputs, *formals))
      if (!argument.isKeyword)
        argument.name = formal.name.str();
}

StringRef pt2::getOp(StringRef target) {
  target.consume_front("torch.ops.");
  target.consume_back(".default");
  return target;
}
