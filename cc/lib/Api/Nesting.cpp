//===- Nesting.cpp - Nesting depth of MLIR text ---------------------------===//
//
// Brackets nest ops, types, attributes and expressions, and so do aliases of
// attributes and types: `#a = [#b]` is one deeper than `#b`.
//
//===----------------------------------------------------------------------===//

#include "Nesting.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using llvm::StringRef;

namespace {

/// A nesting level takes a few kilobytes of the eight-megabyte stack.
constexpr int mostNested = 500;

/// The parser's time grows with the square of a type's rank.
constexpr int mostDims = 1000;

class Scanner {
public:
  explicit Scanner(StringRef text) : text(text) {}

  /// Names the limit that the text exceeds at `position`; empty if none.
  std::string findTooMuch() {
    for (; position < text.size(); ++position) {
      step(text[position]);
      if (depth + here + operators > mostNested)
        return "text that is nested " + std::to_string(mostNested) +
               " deep at most";
      if (dims > mostDims)
        return "types of rank " + std::to_string(mostDims) + " at most";
    }
    return "";
  }

  size_t position = 0;

private:
  /// Reads the token that begins with a character, up to its last one.
  void step(char c) {
    here = 0;
    if (!llvm::isAlnum(c) && c != '?')
      dims = 0;
    switch (c) {
    case ' ':
    case '\t':
    case '\r':
    case '\0':
      return;
    case '\n':
      isLineStart = true;
      return;
    case '/':
      if (rest().starts_with("//"))
        position = std::min(text.find('\n', position), text.size()) - 1;
      return;
    case '"':
      endDefinition();
      return skipString();
    case '(':
    case '[':
    case '{':
      return open();
    case '<':
      // The bracket of a type, unless it is a comparison.
      return rest().starts_with("<=") ? void() : open();
    case ')':
    case ']':
    case '}':
      return close();
    case '>':
      return position > 0 && text[position - 1] == '-' ? void()
             : rest().starts_with(">=")                ? void()
                                                       : close();
    case '+':
    case '*':
    case '-':
      // Of an expression, whose parser recurses for each operator.
      if (!rest().starts_with("->"))
        ++operators;
      return;
    case '#':
    case '!':
      return readName();
    default:
      if (llvm::isAlpha(c) || c == '_')
        return readWord();
      endDefinition();
      if (!llvm::isDigit(c))
        operators = 0;
    }
  }

  StringRef rest() const { return text.substr(position); }

  void open() {
    ++depth;
    operators = 0;
    isLineStart = false;
    hasValue = true;
    note();
  }

  void close() {
    depth = std::max(0, depth - 1);
    operators = 0;
    isLineStart = false;
  }

  /// Resources are strings of gigabytes, without escapes.
  void skipString() {
    size_t from = position + 1, quote = 0;
    for (size_t escape = 0; escape != StringRef::npos;) {
      if (quote < from)
        quote = std::min(text.find('"', from), text.size());
      escape = text.slice(from, quote).find('\\');
      if (escape != StringRef::npos)
        from += escape + 2;
    }
    position = quote;
    operators = 0;
  }

  void readWord() {
    endDefinition();
    StringRef word = rest().take_while(isInName);
    if (word.front() == 'x')
      dims += word.count('x');
    position += word.size() - 1;
    if (word == "mod" || word == "floordiv" || word == "ceildiv")
      ++operators;
  }

  /// Reads an alias of an attribute or a type, or its definition.
  void readName() {
    bool isFirst = (isLineStart || position == 0) && depth == 0;
    size_t size = 1 + rest().drop_front().take_while(isInName).size();
    StringRef name = rest().take_front(size);
    StringRef after = rest().drop_front(size).ltrim();
    endDefinition();
    position += size - 1;
    operators = 0;
    if (isFirst && after.starts_with("=") && !after.starts_with("==")) {
      definition = name;
      hasValue = false;
      return;
    }
    if (auto known = depths.find(name); known != depths.end())
      here = known->second;
    note();
  }

  /// A definition ends with its line, except inside brackets and before its
  /// value begins.
  void endDefinition() {
    if (isLineStart && depth == 0 && hasValue)
      definition = "";
    hasValue = true;
    isLineStart = false;
  }

  void note() {
    if (definition.empty())
      return;
    int &known = depths[definition];
    known = std::max(known, depth + here);
  }

  static bool isInName(char c) {
    return llvm::isAlnum(c) || llvm::StringRef("_$.").contains(c);
  }

  StringRef text;
  int depth = 0;
  int here = 0;      ///< Nesting depth of the alias's value.
  int operators = 0; ///< Number of operators in the expression so far.
  int dims = 0;      ///< Number of dims of the type so far.
  bool isLineStart = true;
  StringRef definition; ///< The alias that is being defined.
  bool hasValue = false;
  llvm::StringMap<int> depths; ///< Nesting depths by alias.
};

} // namespace

std::string isthmus::findDeepNesting(StringRef text) {
  Scanner scanner(text);
  std::string most = scanner.findTooMuch();
  if (most.empty())
    return "";
  StringRef before = text.take_front(scanner.position);
  size_t line = before.count('\n') + 1;
  size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  return std::to_string(line) + ":" + std::to_string(column) + ": expected " +
         most + ", got more";
}
