//===- Json.cpp - JSON from untrusted files -------------------------------===//

#include "isthmus/Support/Json.h"

#include "llvm/ADT/STLExtras.h"

using namespace isthmus;
using llvm::StringRef;

namespace {

/// Scans JSON without building values. Skips anything it does not understand.
class JsonScanner {
public:
  explicit JsonScanner(StringRef text) : text(text) {}

  size_t position() const { return at; }
  bool isAtEnd() const { return at == text.size(); }

  bool consume(char c) {
    skipSpace();
    if (isAtEnd() || text[at] != c)
      return false;
    ++at;
    return true;
  }

  /// A string, without its quotes and with its escapes; empty if there is none.
  StringRef string() {
    if (!consume('"'))
      return "";
    size_t start = at;
    while (!isAtEnd() && text[at] != '"')
      at = std::min(text.size(), at + (text[at] == '\\' ? 2 : 1));
    StringRef content = text.slice(start, at);
    consume('"');
    return content;
  }

  /// Skips to a comma or a closing bracket that is not nested.
  void skipValue() {
    for (int depth = 0; !isAtEnd();) {
      char c = text[at];
      if (c == '"') {
        string();
        continue;
      }
      bool closes = c == ']' || c == '}';
      if (depth == 0 && (closes || c == ','))
        return;
      depth += (c == '[' || c == '{') - closes;
      ++at;
    }
  }

  /// Moves to the value of a key of the object that begins here.
  bool enter(StringRef key) {
    if (!consume('{'))
      return false;
    do {
      StringRef name = string();
      if (!consume(':'))
        return false;
      if (name == key)
        return true;
      skipValue();
    } while (consume(','));
    return false;
  }

private:
  void skipSpace() {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
  }

  StringRef text;
  size_t at = 0;
};

} // namespace

/// Removes the elements of a list, and returns the positions of their begin and
/// end.
static std::pair<size_t, size_t> takeElements(StringRef text, JsonList &list) {
  JsonScanner scanner(text);
  if (!llvm::all_of(list.path,
                    [&](StringRef key) { return scanner.enter(key); }))
    return {};
  bool isObject = scanner.consume('{');
  if (!isObject && !scanner.consume('['))
    return {};
  size_t start = scanner.position();
  std::vector<StringRef> elements;
  do {
    size_t begin = scanner.position();
    scanner.skipValue();
    elements.push_back(text.slice(begin, scanner.position()));
  } while (scanner.consume(','));
  size_t end = scanner.position();
  // The parser reports a list that is unterminated or malformed; an empty list
  // has no elements, rather than one empty element.
  if (!scanner.consume(isObject ? '}' : ']') ||
      (elements.size() == 1 && elements.front().trim().empty()))
    return {};
  list.elements = std::move(elements);
  return {start, end};
}

std::string isthmus::takeJsonElements(StringRef text,
                                      llvm::ArrayRef<JsonList *> lists) {
  std::string rest = text.str();
  for (JsonList *list : lists) {
    auto [start, end] = takeElements(text, *list);
    std::fill(rest.begin() + start, rest.begin() + end, ' ');
  }
  return rest;
}

/// 9.223372036854775808e18 is a double, one more than the largest int64_t:
/// getAsInteger of the JSON library converts it to int64_t nevertheless, which
/// is undefined in C++. Its conversion to uint64_t is right.
static void makeTooLargeIntegers(llvm::json::Value &value) {
  if (llvm::json::Array *array = value.getAsArray())
    llvm::for_each(*array, makeTooLargeIntegers);
  else if (llvm::json::Object *object = value.getAsObject())
    for (auto &[key, field] : *object)
      makeTooLargeIntegers(field);
  else if (!value.getAsUINT64() && value.getAsNumber() == 0x1p63)
    value = uint64_t(1) << 63;
}

llvm::Expected<llvm::json::Value> isthmus::parseJson(StringRef text,
                                                     int maxDepth) {
  int depth = 0;
  bool isString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (isString) {
      if (c == '\\')
        ++i;
      else
        isString = c != '"';
    } else if (c == '"') {
      isString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > maxDepth)
        return llvm::createStringError(
            "byte " + llvm::Twine(i) + ": expected JSON nested at most " +
            llvm::Twine(maxDepth) + " deep, got more");
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  auto json = llvm::json::parse(text);
  if (json)
    makeTooLargeIntegers(*json);
  return json;
}

std::string isthmus::explain(const llvm::json::Path::Root &root) {
  std::string message = llvm::toString(root.getError());
  constexpr StringRef typeInCpp = "uint64_t";
  if (size_t at = message.find(typeInCpp); at != std::string::npos)
    message.replace(at, typeInCpp.size(), "an integer from 0 to 2^64 - 1");
  return message;
}
