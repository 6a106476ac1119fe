//===- TextMutator.cpp - Changes programs by word and line ----------------===//

#include "TextMutator.h"
#include "llvm/ADT/StringExtras.h"
#include <vector>

using namespace isthmus;
using namespace isthmus::fuzz;
using llvm::StringRef;

static bool isInWord(char c) {
  return llvm::isAlnum(c) || StringRef("_.$%#!@^?").contains(c);
}

/// Splits a text into words, strings in quotes, and single other characters.
static std::vector<StringRef> wordsOf(StringRef text) {
  std::vector<StringRef> words;
  while (!(text = text.ltrim(" \t\r\n")).empty()) {
    size_t size = std::max<size_t>(1, text.take_while(isInWord).size());
    if (text.front() == '"')
      size = std::min(text.size(), text.find('"', 1)) + 1;
    words.push_back(text.take_front(size));
    text = text.drop_front(words.back().size());
  }
  return words;
}

/// The kind of a word, by its first character. Words of one kind can replace
/// each other.
static char kindOf(StringRef word) {
  char c = word.front();
  return llvm::isDigit(c) || c == '?' ? '0' : llvm::isAlpha(c) ? 'a' : c;
}

static std::string with(StringRef text, StringRef part, StringRef other) {
  size_t at = part.data() - text.data();
  return (text.take_front(at) + other + text.drop_front(at + part.size()))
      .str();
}

static std::string changeWord(StringRef text, StringRef donor, Random &random) {
  std::vector<StringRef> words = wordsOf(text), others = wordsOf(donor);
  if (words.empty() || others.empty())
    return "";
  StringRef word = random.pick(words);
  int64_t number;
  switch (random.below(6)) {
  case 0:
    return with(text, word, "");
  case 1:
    if (!word.getAsInteger(10, number))
      return with(text, word, std::to_string(random.number(number)));
    return with(text, word, mutateBytes(word.str(), /*most=*/16));
  default:
    size_t first = random.below(others.size());
    for (size_t i = 0; i < others.size(); ++i)
      if (StringRef other = others[(first + i) % others.size()];
          kindOf(other) == kindOf(word) && other != word)
        return with(text, word, other);
    return with(text, word, others[first]);
  }
}

static std::string changeLine(StringRef text, StringRef donor, Random &random) {
  llvm::SmallVector<StringRef> lines, others;
  text.split(lines, '\n');
  donor.split(others, '\n');
  auto line = lines.begin() + random.below(lines.size());
  switch (random.below(4)) {
  case 0:
    lines.erase(line);
    break;
  case 1:
    std::swap(*line, random.pick(lines));
    break;
  case 2:
    *line = random.pick(others);
    break;
  default:
    lines.insert(line, random.pick(others));
  }
  return llvm::join(lines, "\n");
}

std::string fuzz::changeText(StringRef text, StringRef donor, Random &random) {
  if (random.oneIn(2))
    return "";
  return random.oneIn(3) ? changeLine(text, donor, random)
                         : changeWord(text, donor, random);
}
