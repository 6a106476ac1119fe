//===- Guards.cpp - What a program takes for granted of sizes -------------===//

#include "Guards.h"
#include "Expression.h"
#include "llvm/ADT/StringExtras.h"

using namespace isthmus;
using namespace isthmus::pt2;
using llvm::StringRef;

/// What PyTorch writes is shorter; a file may say anything.
static constexpr size_t maxLength = 2048;

/// The name of an input by its path, ['x'][1]: torch.export calls it x_1.
static std::optional<std::string> consumePath(StringRef &rest) {
  std::string name;
  while (rest.consume_front("[")) {
    auto [key, after] = rest.split(']');
    rest = after;
    key = key.trim("'\"");
    if (key.empty())
      return std::nullopt;
    name += (name.empty() ? "" : "_") + key.str();
  }
  return name;
}

/// "s0", "(2*s0+1)" or "8" for ['x'].size()[0].
static std::optional<std::string> consumeSize(StringRef &rest,
                                              const schema::Graph &graph) {
  std::optional<std::string> name = consumePath(rest);
  uint64_t dim;
  if (!name || !rest.consume_front(".size()[") ||
      rest.consumeInteger(10, dim) || !rest.consume_front("]"))
    return std::nullopt;
  auto meta = graph.tensors.find(*name);
  if (meta == graph.tensors.end() || dim >= meta->second.sizes.size())
    return std::nullopt;
  const auto &size = meta->second.sizes[dim];
  if (size.value)
    return std::to_string(*size.value);
  if (size.expression.size() > maxLength)
    return std::nullopt;
  std::optional<Expression> expression = Expression::parse(size.expression);
  std::optional<std::string> text =
      expression ? expression->getText() : std::nullopt;
  if (!text || !expression->getSymbol().empty())
    return text;
  return "(" + *text + ")";
}

static bool isKnown(StringRef function) {
  return llvm::is_contained({"max", "min", "math.trunc", "math.floor",
                             "math.ceil", "torch.sym_float"},
                            function);
}

std::optional<std::string> pt2::guardOfSymbols(StringRef guard,
                                               const schema::Graph &graph) {
  std::string text;
  StringRef rest = guard;
  while (!rest.empty()) {
    if (text.size() > maxLength)
      return std::nullopt;
    if (rest.starts_with("L[")) {
      rest = rest.drop_front();
      std::optional<std::string> size = consumeSize(rest, graph);
      if (!size)
        return std::nullopt;
      text += *size;
      continue;
    }
    StringRef word = rest.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    if (!word.empty() && !llvm::isDigit(word.front()) && !isKnown(word))
      return std::nullopt;
    if (word.empty() && !StringRef(" ()+-*/%<>=!,").contains(rest.front()))
      return std::nullopt;
    StringRef next = word.empty() ? rest.take_front() : word;
    text += next;
    rest = rest.drop_front(next.size());
  }
  return text;
}
