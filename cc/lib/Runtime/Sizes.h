//===- Sizes.h - Constraints on the sizes of a function ---------*- C++ -*-===//
//
// In addition to the types: ranges of symbolic sizes, and relations between
// sizes. A PyTorch program records them as attributes of its function,
//
//   arguments  isthmus.dim_params = "0:s0,1:2*s0+1"
//   function   torch.ranges = {s0 = [3, 64]}
//              torch.guards = ["s0 > s1"], see Guard.h
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_RUNTIME_SIZES_H
#define ISTHMUS_LIB_RUNTIME_SIZES_H

#include "isthmus/Runtime/Jit.h"
#include "isthmus/Support/Guard.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace isthmus {

/// The size 2*s0+1.
class SizeExpression {
public:
  /// Parses integers and symbols with + * // % ** and parentheses. There is no
  /// precedence among * // % **: operations of different signs must be in
  /// parentheses, as in (a*b)//c.
  static std::optional<SizeExpression> parse(llvm::StringRef text);

  /// Its value in Python integer semantics; nothing if a symbol has no value,
  /// the value does not fit in 64 bits, or a divisor is not positive.
  std::optional<int64_t>
  evaluate(const llvm::StringMap<int64_t> &symbols) const;

  /// The symbol's name if it is one, else empty.
  llvm::StringRef getSymbol() const;

  /// (a, s, b) if the expression is a*s+b with a > 0.
  struct Affine {
    llvm::StringRef symbol;
    int64_t factor, offset;
  };
  std::optional<Affine> getAffine() const;

private:
  static std::optional<SizeExpression> parseOperation(llvm::StringRef &rest,
                                                      int depth);
  static std::optional<SizeExpression> parseOperand(llvm::StringRef &rest,
                                                    int depth);

  std::string symbol;   // a symbol, or
  int64_t value = 0;    // an integer, or
  llvm::StringRef sign; // "+", applied to
  std::vector<SizeExpression> operands;
};

/// The constraints on the sizes of a function's arguments.
class SizeRules {
public:
  static llvm::Expected<SizeRules> read(mlir::FunctionOpInterface function);

  /// An error for each size that violates a constraint; the types are already
  /// checked.
  llvm::Error check(llvm::ArrayRef<Parameter> parameters,
                    llvm::ArrayRef<TensorView> inputs) const;

private:
  struct Size {
    unsigned argument, dim;
    SizeExpression expression;
    std::string text;
  };
  struct Range {
    int64_t min, max;
  };

  /// Plain symbols come first: they determine the symbols' values.
  std::vector<Size> sizes;
  llvm::StringMap<Range> ranges;
  std::vector<Guard> guards;
};

/// "argument 0 ('x')"
std::string nameOf(const Parameter &parameter, unsigned index);

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_SIZES_H
