//===- Guards.cpp - A program's assumptions about sizes -------------------===//

#include "Guards.h"
#include "Expression.h"
#include "isthmus/Support/Guard.h"

using namespace isthmus;
using namespace isthmus::pt2;
using llvm::StringRef;

/// The input name for a path, ['x'][1]: torch.export calls it x_1.
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
  if (size.expression.size() > Guard::maxLength)
    return std::nullopt;
  std::optional<Expression> expression = Expression::parse(size.expression);
  std::optional<std::string> text =
      expression ? expression->getText() : std::nullopt;
  if (!text || !expression->getSymbol().empty())
    return text;
  return "(" + *text + ")";
}

std::optional<std::string> pt2::guardOfSymbols(StringRef guard,
                                               const schema::Graph &graph) {
  std::string text;
  StringRef rest = guard;
  while (!rest.empty()) {
    if (text.size() > Guard::maxLength)
      return std::nullopt;
    size_t path = rest.find("L[");
    text += rest.take_front(path);
    rest = rest.drop_front(std::min(path, rest.size()));
    if (!rest.consume_front("L"))
      break;
    std::optional<std::string> size = consumeSize(rest, graph);
    if (!size)
      return std::nullopt;
    text += *size;
  }
  return Guard::parse(text) ? std::optional(text) : std::nullopt;
}
