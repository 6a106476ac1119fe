//===- Expression.h - Sizes as expressions over symbols ---------*- C++ -*-===//

#ifndef ISTHMUS_LIB_IMPORTER_PT2_EXPRESSION_H
#define ISTHMUS_LIB_IMPORTER_PT2_EXPRESSION_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>
#include <vector>

namespace isthmus::pt2 {

/// "Add(Mul(Integer(2), Symbol('s0', integer=True)), Integer(1))", as sympy's
/// srepr writes 2*s0 + 1.
class Expression {
public:
  /// Nothing for any other text, or if it nests deeper than sizes do.
  static std::optional<Expression> parse(llvm::StringRef text);

  /// "2*s0+1"; nothing if it has functions that have no operator sign.
  std::optional<std::string> getText() const;

  /// Its value if all symbols have one; nothing if a symbol has none, a
  /// function is unknown, or the value does not fit into 64 bits.
  std::optional<int64_t>
  evaluate(const llvm::StringMap<int64_t> &symbols) const;

  void forEachSymbol(llvm::function_ref<void(llvm::StringRef)> action) const;

  /// The symbol's name if it is a symbol, else empty.
  llvm::StringRef getSymbol() const;

private:
  static std::optional<Expression> parse(llvm::StringRef &rest, int depth);

  std::string function; // "Add", "Symbol", "Integer"
  std::string name;     // of a symbol
  int64_t value = 0;    // of an integer
  std::vector<Expression> operands;
};

} // namespace isthmus::pt2

#endif // ISTHMUS_LIB_IMPORTER_PT2_EXPRESSION_H
