//===- Sizes.cpp - Constraints on the sizes of a function -----------------===//

#include "Sizes.h"

#include "isthmus/Support/SizeIntegers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace isthmus;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

std::optional<SizeExpression> SizeExpression::parse(StringRef text) {
  std::optional<SizeExpression> expression = parseOperation(text, /*depth=*/0);
  return text.empty() ? expression : std::nullopt;
}

/// Parses a sum of terms, each with one kind of sign: a, a+b*c+1, a//2.
std::optional<SizeExpression> SizeExpression::parseOperation(StringRef &rest,
                                                             int depth) {
  constexpr int maxDepth = 64;
  SizeExpression sum;
  sum.sign = "+";
  while (depth < maxDepth) {
    SizeExpression term;
    while (true) {
      std::optional<SizeExpression> operand = parseOperand(rest, depth);
      if (!operand)
        return std::nullopt;
      term.operands.push_back(std::move(*operand));
      // "**" is not two "*".
      StringRef sign;
      for (StringRef known : {"**", "*", "//", "%"})
        if (sign.empty() && rest.starts_with(known))
          sign = known;
      if (sign.empty())
        break;
      if (!term.sign.empty() && term.sign != sign)
        return std::nullopt;
      term.sign = sign;
      rest = rest.drop_front(sign.size());
    }
    if (term.operands.size() == 1)
      term = SizeExpression(term.operands.front());
    sum.operands.push_back(std::move(term));
    if (!rest.consume_front("+"))
      return sum.operands.size() == 1 ? SizeExpression(sum.operands.front())
                                      : sum;
  }
  return std::nullopt;
}

/// Parses a symbol, an integer, or an operation in parentheses.
std::optional<SizeExpression> SizeExpression::parseOperand(StringRef &rest,
                                                           int depth) {
  if (rest.consume_front("(")) {
    std::optional<SizeExpression> inner = parseOperation(rest, depth + 1);
    return rest.consume_front(")") ? inner : std::nullopt;
  }
  SizeExpression leaf;
  if (!rest.consumeInteger(10, leaf.value))
    return leaf;
  leaf.symbol =
      rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; })
          .str();
  rest = rest.drop_front(leaf.symbol.size());
  return leaf.symbol.empty() ? std::nullopt : std::optional(leaf);
}

StringRef SizeExpression::getSymbol() const { return symbol; }

std::optional<int64_t>
SizeExpression::evaluate(const llvm::StringMap<int64_t> &symbols) const {
  if (!symbol.empty()) {
    auto found = symbols.find(symbol);
    return found == symbols.end() ? std::nullopt : std::optional(found->second);
  }
  if (operands.empty())
    return value;
  std::optional<int64_t> result = operands.front().evaluate(symbols);
  for (const SizeExpression &operand : llvm::drop_begin(operands)) {
    std::optional<int64_t> next = operand.evaluate(symbols);
    if (!result || !next)
      return std::nullopt;
    result = computeSize(sign, *result, *next);
  }
  return result;
}

std::optional<SizeExpression::Affine> SizeExpression::getAffine() const {
  if (!symbol.empty())
    return Affine{symbol, 1, 0};
  if (sign != "+" && sign != "*")
    return std::nullopt;
  std::optional<Affine> result;
  int64_t constant = sign == "*" ? 1 : 0;
  for (const SizeExpression &operand : operands) {
    if (std::optional<int64_t> number = operand.evaluate({})) {
      std::optional<int64_t> next = computeSize(sign, constant, *number);
      if (!next)
        return std::nullopt;
      constant = *next;
      continue;
    }
    if (result)
      return std::nullopt;
    result = operand.getAffine();
    if (!result)
      return std::nullopt;
  }
  if (!result)
    return std::nullopt;
  bool overflows =
      sign == "+"
          ? llvm::AddOverflow(result->offset, constant, result->offset)
          : llvm::MulOverflow(result->offset, constant, result->offset) ||
                llvm::MulOverflow(result->factor, constant, result->factor);
  return overflows || result->factor <= 0 ? std::nullopt : result;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

std::string isthmus::nameOf(const Parameter &parameter, unsigned index) {
  std::string text = "argument " + std::to_string(index);
  return parameter.name.empty() ? text : text + " ('" + parameter.name + "')";
}

llvm::Expected<SizeRules> SizeRules::read(mlir::FunctionOpInterface function) {
  SizeRules rules;
  std::vector<Size> derived;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto attribute =
        function.getArgAttrOfType<mlir::StringAttr>(i, "isthmus.dim_params");
    llvm::SmallVector<StringRef> entries;
    if (attribute)
      attribute.getValue().split(entries, ',', /*MaxSplit=*/-1,
                                 /*KeepEmpty=*/false);
    auto type =
        mlir::dyn_cast<mlir::ShapedType>(function.getArgumentTypes()[i]);
    for (StringRef entry : entries) {
      auto [number, text] = entry.split(':');
      unsigned dim;
      std::optional<SizeExpression> expression = SizeExpression::parse(text);
      if (number.getAsInteger(10, dim) || !expression || !type ||
          !type.hasRank() || dim >= type.getRank())
        return llvm::createStringError(
            "function '" + function.getName() + "', argument " +
            llvm::Twine(i) +
            ": expected sizes such as \"0:s0,1:2*s0+1\" of its dims, got \"" +
            attribute.getValue() + "\"");
      bool isSymbol = !expression->getSymbol().empty();
      (isSymbol ? rules.sizes : derived)
          .push_back({i, dim, std::move(*expression), text.str()});
    }
  }
  llvm::append_range(rules.sizes, derived);
  if (auto ranges =
          function->getAttrOfType<mlir::DictionaryAttr>("torch.ranges"))
    for (mlir::NamedAttribute entry : ranges) {
      auto bounds = mlir::dyn_cast<mlir::ArrayAttr>(entry.getValue());
      auto bound = [&](unsigned i) {
        return bounds && bounds.size() == 2
                   ? mlir::dyn_cast<mlir::IntegerAttr>(bounds[i])
                   : nullptr;
      };
      if (!bound(0) || !bound(1))
        return llvm::createStringError(
            "function '" + function.getName() +
            "': expected a range of two integers of '" +
            entry.getName().getValue() + "'");
      rules.ranges[entry.getName()] = {bound(0).getInt(), bound(1).getInt()};
    }
  if (auto guards = function->getAttrOfType<mlir::ArrayAttr>("torch.guards"))
    for (mlir::Attribute entry : guards) {
      auto text = mlir::dyn_cast<mlir::StringAttr>(entry);
      std::optional<Guard> guard =
          text ? Guard::parse(text.getValue()) : std::nullopt;
      if (!guard)
        return llvm::createStringError(
            "function '" + function.getName() +
            "': expected guards such as \"s0 > s1\"" +
            (text ? ", got \"" + text.getValue() + "\"" : llvm::Twine()));
      rules.guards.push_back(std::move(*guard));
    }
  return rules;
}

/// "expected sizes with s0 > s1, which the program was exported for, got s0 = 3
/// (dim 0 of argument 0 ('x')), ..."
static llvm::Error describe(const Guard &guard,
                            const llvm::StringMap<int64_t> &symbols,
                            const llvm::StringMap<std::string> &places) {
  std::vector<std::string> got;
  for (const auto &[symbol, value] : symbols)
    if (guard.getText().contains(symbol))
      got.push_back((symbol + " = " + llvm::Twine(value) + " (" +
                     places.lookup(symbol) + ")")
                        .str());
  llvm::sort(got);
  std::string text = "expected sizes with " + guard.getText().str() +
                     ", which the program was exported for";
  return llvm::createStringError(
      got.empty() ? text : text + ", got " + llvm::join(got, ", "));
}

llvm::Error SizeRules::check(llvm::ArrayRef<Parameter> parameters,
                             llvm::ArrayRef<TensorView> inputs) const {
  llvm::Error errors = llvm::Error::success();
  llvm::StringMap<int64_t> symbols;
  llvm::StringMap<std::string> places;
  for (const Size &size : sizes) {
    const Parameter &parameter = parameters[size.argument];
    int64_t got = inputs[size.argument].dims[size.dim];
    auto expect = [&](const llvm::Twine &what) {
      errors = llvm::joinErrors(
          std::move(errors),
          llvm::createStringError(nameOf(parameter, size.argument) + ", dim " +
                                  llvm::Twine(size.dim) + ": expected " + what +
                                  ", got " + llvm::Twine(got)));
    };
    StringRef symbol = size.expression.getSymbol();
    if (std::optional<int64_t> known = size.expression.evaluate(symbols)) {
      if (*known != got)
        expect(llvm::Twine(*known) + (symbol.empty()
                                          ? ", which is " + size.text
                                          : ", as " + places[symbol]));
      continue;
    }
    // Gives the symbol its value from this size, if the expression can be
    // solved for it.
    std::optional<SizeExpression::Affine> affine = size.expression.getAffine();
    if (!affine || symbols.contains(affine->symbol))
      continue;
    auto [unknown, factor, offset] = *affine;
    int64_t scaled;
    if (llvm::SubOverflow(got, offset, scaled))
      continue;
    auto found = ranges.find(unknown);
    constexpr int64_t unbounded = std::numeric_limits<int64_t>::max();
    Range range = found == ranges.end() ? Range{0, unbounded} : found->second;
    int64_t value = scaled / factor;
    bool fits =
        scaled % factor == 0 && value >= range.min && value <= range.max;
    if (fits) {
      symbols[unknown] = value;
      places[unknown] = "dim " + std::to_string(size.dim) + " of " +
                        nameOf(parameter, size.argument);
      continue;
    }
    std::string bounds =
        range.max == unbounded
            ? "at least " + std::to_string(range.min)
            : std::to_string(range.min) + " to " + std::to_string(range.max);
    if (!symbol.empty())
      expect(bounds);
    else
      expect(size.text + " with " + unknown + " of " + bounds);
  }
  // If individual sizes are wrong, errors about relations between sizes are not
  // useful.
  if (errors)
    return errors;
  for (const Guard &guard : guards)
    if (guard.holds(symbols) == false)
      errors =
          llvm::joinErrors(std::move(errors), describe(guard, symbols, places));
  return errors;
}
