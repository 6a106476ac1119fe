//===- Guard.cpp - Conditions between sizes -------------------------------===//

#include "isthmus/Support/Guard.h"

#include "isthmus/Support/SizeIntegers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace isthmus;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// A recursive-descent parser of the rest of a text.
class Guard::Parser {
public:
  explicit Parser(StringRef rest) : rest(rest) {}

  std::optional<std::string> parseComparison() {
    skipSpace();
    for (StringRef sign : {"==", "!=", "<=", ">=", "<", ">"})
      if (rest.consume_front(sign))
        return sign.str();
    return std::nullopt;
  }

  /// a + b - c, of products.
  std::optional<Expression> parseSum(int depth = 0) {
    return parseOperations(depth, {"+", "-"}, &Parser::parseProduct);
  }

  bool isAtEnd() {
    skipSpace();
    return rest.empty();
  }

private:
  using Parse = std::optional<Expression> (Parser::*)(int depth);

  static Expression call(StringRef function, Expression a, Expression b) {
    Expression result{{}, "", function.str(), {}};
    result.operands.push_back(std::move(a));
    result.operands.push_back(std::move(b));
    return result;
  }

  void skipSpace() { rest = rest.ltrim(' '); }

  std::optional<Expression> parseOperations(int depth,
                                            llvm::ArrayRef<StringRef> signs,
                                            Parse parseOperand) {
    std::optional<Expression> result = (this->*parseOperand)(depth);
    while (result) {
      skipSpace();
      const auto *sign = llvm::find_if(
          signs, [&](StringRef each) { return rest.starts_with(each); });
      if (sign == signs.end())
        break;
      rest = rest.drop_front(sign->size());
      std::optional<Expression> next = (this->*parseOperand)(depth);
      if (!next)
        return std::nullopt;
      result = call(*sign, std::move(*result), std::move(*next));
    }
    return result;
  }

  std::optional<Expression> parseProduct(int depth) {
    return parseOperations(depth, {"*", "//", "/", "%"}, &Parser::parseSigned);
  }

  /// -a, which binds less tightly than a**b.
  std::optional<Expression> parseSigned(int depth) {
    skipSpace();
    if (!rest.consume_front("-"))
      return parsePower(depth);
    std::optional<Expression> operand = parsePower(depth);
    if (!operand)
      return std::nullopt;
    return call("-", Expression{int64_t(0), "", "", {}}, std::move(*operand));
  }

  std::optional<Expression> parsePower(int depth) {
    std::optional<Expression> base = parseOperand(depth);
    skipSpace();
    if (!base || !rest.consume_front("**"))
      return base;
    std::optional<Expression> exponent = parseSigned(depth);
    if (!exponent)
      return std::nullopt;
    return call("**", std::move(*base), std::move(*exponent));
  }

  /// A number, a symbol, a call, or an expression in parentheses.
  std::optional<Expression> parseOperand(int depth) {
    constexpr int maxDepth = 64;
    skipSpace();
    if (depth > maxDepth || rest.empty())
      return std::nullopt;
    if (rest.consume_front("(")) {
      std::optional<Expression> inner = parseSum(depth + 1);
      skipSpace();
      return inner && rest.consume_front(")") ? inner : std::nullopt;
    }
    if (llvm::isDigit(rest.front()))
      return parseNumber();
    StringRef name = rest.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    rest = rest.drop_front(name.size());
    if (name.empty())
      return std::nullopt;
    if (!rest.consume_front("("))
      return Expression{{}, name.str(), "", {}};
    Expression function{{}, "", name.str(), {}};
    do {
      std::optional<Expression> operand = parseSum(depth + 1);
      if (!operand)
        return std::nullopt;
      function.operands.push_back(std::move(*operand));
      skipSpace();
    } while (rest.consume_front(","));
    return rest.consume_front(")") ? std::optional(function) : std::nullopt;
  }

  std::optional<Expression> parseNumber() {
    // A sign belongs to the number after the "e" of its exponent.
    size_t end = 0;
    while (end < rest.size() &&
           (llvm::isDigit(rest[end]) || rest[end] == '.' || rest[end] == 'e' ||
            (end && rest[end - 1] == 'e' &&
             (rest[end] == '-' || rest[end] == '+'))))
      ++end;
    StringRef digits = rest.take_front(end);
    rest = rest.drop_front(end);
    Expression number;
    int64_t whole;
    double real;
    if (!digits.getAsInteger(10, whole))
      number.number = whole;
    else if (!digits.getAsDouble(real))
      number.number = real;
    else
      return std::nullopt;
    return number;
  }

  StringRef rest;
};

std::optional<Guard> Guard::parse(StringRef text) {
  if (text.size() > maxLength)
    return std::nullopt;
  Parser parser(text);
  Guard guard;
  guard.text = text.str();
  std::optional<Expression> left = parser.parseSum();
  std::optional<std::string> comparison = parser.parseComparison();
  if (!left || !comparison)
    return std::nullopt;
  std::optional<Expression> right = parser.parseSum();
  if (!right || !parser.isAtEnd())
    return std::nullopt;
  guard.left = std::move(*left);
  guard.comparison = std::move(*comparison);
  guard.right = std::move(*right);
  return guard;
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

static double toDouble(const std::variant<int64_t, double> &number) {
  return std::visit([](auto value) { return static_cast<double>(value); },
                    number);
}

/// f(a, b) on Python's numbers.
std::optional<Guard::Number> Guard::compute(StringRef function, Number a,
                                            Number b) {
  if (function == "max")
    return toDouble(a) < toDouble(b) ? b : a;
  if (function == "min")
    return toDouble(b) < toDouble(a) ? b : a;
  double x = toDouble(a), y = toDouble(b);
  if (function == "/")
    return y == 0 ? std::nullopt : std::optional<Number>(x / y);
  if (std::holds_alternative<int64_t>(a) &&
      std::holds_alternative<int64_t>(b)) {
    int64_t whole = std::get<int64_t>(a), other = std::get<int64_t>(b), result;
    if (function == "-")
      return llvm::SubOverflow(whole, other, result)
                 ? std::nullopt
                 : std::optional<Number>(result);
    std::optional<int64_t> size = computeSize(function, whole, other);
    return size ? std::optional<Number>(*size) : std::nullopt;
  }
  if (function == "+")
    return x + y;
  if (function == "-")
    return x - y;
  if (function == "*")
    return x * y;
  return std::nullopt;
}

std::optional<Guard::Number> Guard::compute(StringRef function, Number a) {
  if (function == "torch.sym_float")
    return toDouble(a);
  double x = toDouble(a);
  double whole = function == "math.trunc"   ? std::trunc(x)
                 : function == "math.floor" ? std::floor(x)
                 : function == "math.ceil"  ? std::ceil(x)
                                            : std::nan("");
  constexpr double limit = 9007199254740992.0; // 2^53: above, doubles have gaps
  if (!(std::abs(whole) <= limit))
    return std::nullopt;
  return static_cast<int64_t>(whole);
}

std::optional<Guard::Number>
Guard::Expression::evaluate(const llvm::StringMap<int64_t> &symbols) const {
  if (const auto *whole = std::get_if<int64_t>(&number))
    return *whole;
  if (const auto *real = std::get_if<double>(&number))
    return *real;
  if (!symbol.empty()) {
    auto found = symbols.find(symbol);
    return found == symbols.end() ? std::nullopt
                                  : std::optional<Number>(found->second);
  }
  std::optional<Number> result = operands.front().evaluate(symbols);
  if (result && operands.size() == 1)
    return compute(function, *result);
  for (const Expression &operand : llvm::drop_begin(operands)) {
    std::optional<Number> next = operand.evaluate(symbols);
    if (!result || !next)
      return std::nullopt;
    result = compute(function, *result, *next);
  }
  return result;
}

std::optional<bool>
Guard::holds(const llvm::StringMap<int64_t> &symbols) const {
  std::optional<Number> a = left.evaluate(symbols), b = right.evaluate(symbols);
  if (!a || !b)
    return std::nullopt;
  // Integers of 64 bits compare exactly, others as doubles.
  int order;
  if (std::holds_alternative<int64_t>(*a) &&
      std::holds_alternative<int64_t>(*b)) {
    int64_t x = std::get<int64_t>(*a), y = std::get<int64_t>(*b);
    order = x < y ? -1 : x > y;
  } else {
    double x = toDouble(*a), y = toDouble(*b);
    order = x < y ? -1 : x > y;
  }
  return comparison == "=="   ? order == 0
         : comparison == "!=" ? order != 0
         : comparison == "<=" ? order <= 0
         : comparison == ">=" ? order >= 0
         : comparison == "<"  ? order < 0
                              : order > 0;
}
