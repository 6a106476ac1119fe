//===- Sizes.h - What a function wants of its sizes -------------*- C++ -*-===//
//
// Beside the types: ranges of symbolic sizes, and how sizes follow from one
// another. A program of PyTorch notes them on its function,
//
//   arguments  isthmus.dim_params = "0:s0,1:2*s0+1"
//   function   torch.ranges = {s0 = [2, 64]}
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
  /// Integers and symbols with + * // % ** and parentheses between them. What
  /// is not a sum stands in parentheses inside of another operation.
  static std::optional<SizeExpression> parse(llvm::StringRef text);

  /// Its value in Python's integers; nothing where a symbol has none, 64 bits
  /// do not hold it, or a divisor is not positive.
  std::optional<int64_t>
  evaluate(const llvm::StringMap<int64_t> &symbols) const;

  /// The symbol's name if it is one, else empty.
  llvm::StringRef getSymbol() const;

  /// (a, s, b) where it is a*s+b with a > 0.
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

  std::string symbol;   // of one, or
  int64_t value = 0;    // an integer, or
  llvm::StringRef sign; // "+", with
  std::vector<SizeExpression> operands;
};

/// What holds between the sizes of a function's arguments.
class SizeRules {
public:
  static llvm::Expected<SizeRules> read(mlir::FunctionOpInterface function);

  /// An error for each size that breaks a rule; the types fit already.
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

  /// Those that are symbols come first: they give the symbols' values.
  std::vector<Size> sizes;
  llvm::StringMap<Range> ranges;
  std::vector<Guard> guards;
};

/// "argument 0 ('x')"
std::string nameOf(const Parameter &parameter, unsigned index);

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_SIZES_H
