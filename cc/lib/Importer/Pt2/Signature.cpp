//===- Signature.cpp - The arguments of registered torch ops --------------===//

#include "Signature.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace isthmus;
using namespace isthmus::pt2;
using llvm::StringRef;

namespace {
/// An op and its arguments: "self:Tensor|other:Tensor|alpha:number=1".
struct Entry {
  StringRef op, arguments;
};
} // namespace

#define SIGNATURE(OP, ARGUMENTS) {OP, ARGUMENTS},
static const Entry entries[] = {
#include "third_party/torch/Signatures.inc"
};
#undef SIGNATURE

/// A default value, which the table has as JSON: null, a scalar, a string or a
/// list of ints.
static schema::Argument toArgument(const llvm::json::Value &json) {
  using Kind = schema::Argument::Kind;
  schema::Argument argument;
  if (std::optional<bool> value = json.getAsBoolean()) {
    argument.kind = Kind::Bool;
    argument.integer = *value;
  } else if (std::optional<int64_t> value = json.getAsInteger()) {
    // A float that is whole stays one.
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
  const Entry *entry =
      llvm::lower_bound(entries, op, [](const Entry &entry, StringRef op) {
        return entry.op < op;
      });
  if (entry == std::end(entries) || entry->op != op)
    return std::nullopt;
  llvm::SmallVector<FormalArgument> arguments;
  for (StringRef text : llvm::split(entry->arguments, '|')) {
    auto [declaration, value] = text.split('=');
    auto [name, type] = declaration.split(':');
    FormalArgument &argument = arguments.emplace_back();
    argument.name = name;
    argument.type = {type};
    if (!value.empty())
      argument.defaultValue =
          toArgument(llvm::cantFail(llvm::json::parse(value)));
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
