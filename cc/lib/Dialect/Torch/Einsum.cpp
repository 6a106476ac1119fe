//===- Einsum.cpp - Equations in Einstein's notation ----------------------===//

#include "isthmus/Dialect/Torch/Einsum.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;
using namespace isthmus::torch;

/// Parses labels such as "ab...c"; the ellipsis covers `ellipsis` dims.
static std::optional<EinsumEquation::Labels> labelsOf(StringRef text,
                                                      int64_t ellipsis) {
  EinsumEquation::Labels labels;
  bool hasEllipsis = false;
  while (!text.empty()) {
    if (text.consume_front("...")) {
      if (std::exchange(hasEllipsis, true))
        return std::nullopt;
      for (int64_t dim = ellipsis; dim > 0; --dim)
        labels.push_back(-dim);
    } else if (isAlpha(text.front())) {
      labels.push_back(text.front());
      text = text.drop_front();
    } else {
      return std::nullopt;
    }
  }
  return labels;
}

std::optional<EinsumEquation> EinsumEquation::parse(StringRef spaced,
                                                    ArrayRef<int64_t> ranks,
                                                    std::string &error) {
  std::string text = spaced.str();
  erase(text, ' ');
  auto fail = [&](const Twine &message) {
    error = (message + ", got '" + text + "'").str();
    return std::nullopt;
  };
  auto [inputs, output] = StringRef(text).split("->");
  SmallVector<StringRef> texts;
  inputs.split(texts, ',');
  if (texts.size() != ranks.size())
    return fail("expected an equation of " + Twine(ranks.size()) + " terms");

  EinsumEquation equation;
  int64_t widest = 0;
  std::map<Label, int> uses; // sorted by label
  for (auto [term, rank] : zip_equal(texts, ranks)) {
    int64_t letters = count_if(term, isAlpha);
    int64_t ellipsis = term.contains("...") ? rank - letters : 0;
    std::optional<Labels> labels = labelsOf(term, ellipsis);
    if (!labels || static_cast<int64_t>(labels->size()) != rank)
      return fail("expected letters and at most one ellipsis for " +
                  Twine(rank) + " dims");
    widest = std::max(widest, ellipsis);
    for (Label label : *labels)
      ++uses[label];
    equation.terms.push_back(*labels);
  }
  if (StringRef(text).contains("->")) {
    std::optional<Labels> labels = labelsOf(output, widest);
    if (!labels ||
        any_of(*labels, [&](Label label) { return !uses.count(label); }))
      return fail("expected a result whose labels are those of terms");
    equation.result = *labels;
  } else {
    for (auto [label, count] : uses)
      if (label < 0 || count == 1)
        equation.result.push_back(label);
  }
  return equation;
}
