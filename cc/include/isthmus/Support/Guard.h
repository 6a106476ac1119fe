//===- Guard.h - Conditions between sizes -----------------------*- C++ -*-===//
//
// torch.export traces one branch of each condition on sizes, and records the
// conditions for which the program is right:
//
//   function   torch.guards = ["s0 > s1", "(s0 % 2) == 0"]
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_SUPPORT_GUARD_H
#define ISTHMUS_SUPPORT_GUARD_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace isthmus {

/// A comparison of two numbers that follow from sizes.
class Guard {
public:
  /// A longer text is not parsed, since the depth of an expression may be the
  /// number of its operations.
  static constexpr size_t maxLength = 4096;

  /// Parses Python's text: symbols, integers and floats with + - * / // % **
  /// and parentheses, and calls. Only calls of max, min, math.trunc,
  /// math.floor, math.ceil and torch.sym_float have a value.
  static std::optional<Guard> parse(llvm::StringRef text);

  /// Whether the guard holds; nullopt if a symbol has no value, or a result is
  /// not a number of 64 bits.
  std::optional<bool> holds(const llvm::StringMap<int64_t> &symbols) const;

  llvm::StringRef getText() const { return text; }

private:
  using Number = std::variant<int64_t, double>;

  /// A number, a symbol, or a function of operands. Signs are functions too.
  struct Expression {
    std::variant<std::monostate, int64_t, double> number;
    std::string symbol, function;
    std::vector<Expression> operands;

    std::optional<Number>
    evaluate(const llvm::StringMap<int64_t> &symbols) const;
  };
  class Parser;

  static std::optional<Number> compute(llvm::StringRef function, Number a,
                                       Number b);
  static std::optional<Number> compute(llvm::StringRef function, Number a);

  std::string text, comparison;
  Expression left, right;
};

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_GUARD_H
