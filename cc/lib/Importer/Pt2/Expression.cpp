//===- Expression.cpp - Sizes as expressions over symbols -----------------===//

#include "Expression.h"

#include "isthmus/Support/SizeIntegers.h"
#include "llvm/ADT/StringExtras.h"

using namespace isthmus::pt2;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

std::optional<Expression> Expression::parse(StringRef text) {
  std::optional<Expression> expression = parse(text, /*depth=*/0);
  return text.empty() ? expression : std::nullopt;
}

/// function(operand, operand, …); `rest` gets the text after it.
std::optional<Expression> Expression::parse(StringRef &rest, int depth) {
  constexpr int maxDepth = 64;
  Expression result;
  size_t open = rest.find('(');
  if (depth > maxDepth || open == StringRef::npos || open == 0)
    return std::nullopt;
  result.function = rest.take_front(open).str();
  rest = rest.drop_front(open + 1);

  if (result.function == "Integer") {
    auto [number, after] = rest.split(')');
    rest = after;
    if (number.getAsInteger(10, result.value))
      return std::nullopt;
    return result;
  }
  if (result.function == "Symbol") {
    if (!rest.consume_front("'"))
      return std::nullopt;
    result.name = rest.split('\'').first.str();
    rest = rest.split(')').second; // the assumptions about the symbol
    return result;
  }
  while (!rest.consume_front(")")) {
    std::optional<Expression> operand = parse(rest, depth + 1);
    if (!operand)
      return std::nullopt;
    result.operands.push_back(std::move(*operand));
    rest.consume_front(", ");
  }
  return result;
}

StringRef Expression::getSymbol() const {
  return function == "Symbol" ? StringRef(name) : StringRef();
}

void Expression::forEachSymbol(
    llvm::function_ref<void(StringRef)> action) const {
  if (function == "Symbol")
    action(name);
  for (const Expression &operand : operands)
    operand.forEachSymbol(action);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static StringRef getSign(StringRef function) {
  return function == "Add"                                 ? "+"
         : function == "Mul"                               ? "*"
         : function == "FloorDiv"                          ? "//"
         : function == "Mod" || function == "PythonMod"    ? "%"
         : function == "Pow" || function == "PowByNatural" ? "**"
                                                           : "";
}

std::optional<std::string> Expression::getText() const {
  if (function == "Integer")
    return std::to_string(value);
  if (function == "Symbol")
    return name;
  StringRef sign = getSign(function);
  if (sign.empty() || operands.empty())
    return std::nullopt;
  std::string text;
  for (const Expression &operand : operands) {
    std::optional<std::string> part = operand.getText();
    if (!part)
      return std::nullopt;
    if (!operand.operands.empty() && function != "Add")
      part = "(" + *part + ")";
    text += (text.empty() ? "" : sign.str()) + *part;
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

/// f(a, b) on Python's integers.
static std::optional<int64_t> compute(StringRef function, int64_t a,
                                      int64_t b) {
  if (function == "Max")
    return std::max(a, b);
  if (function == "Min")
    return std::min(a, b);
  return isthmus::computeSize(getSign(function), a, b);
}

std::optional<int64_t>
Expression::evaluate(const llvm::StringMap<int64_t> &symbols) const {
  if (function == "Integer")
    return value;
  if (function == "Symbol") {
    auto found = symbols.find(name);
    return found == symbols.end() ? std::nullopt
                                  : std::optional<int64_t>(found->second);
  }
  std::optional<int64_t> result;
  for (const Expression &operand : operands) {
    std::optional<int64_t> next = operand.evaluate(symbols);
    if (next && &operand != &operands.front())
      next = compute(function, *result, *next);
    if (!next)
      return std::nullopt;
    result = next;
  }
  return operands.size() > 1 ? result : std::nullopt;
}
