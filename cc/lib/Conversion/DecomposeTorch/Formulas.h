//===- Formulas.h - What formulas of pointwise ops share --------*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_DECOMPOSETORCH_FORMULAS_H
#define ISTHMUS_CONVERSION_DECOMPOSETORCH_FORMULAS_H

#include "Tensor.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <utility>

namespace isthmus::decompose_torch {

/// Converts the operand for the formula, and its result to the op's dtype.
template <Tensor (*formula)(Tensor), typename Op>
Tensor function(Op op, torch::TorchBuilder &b) {
  Tensor x(b, op->getOperand(0));
  return formula(x.widened())
      .as(torch::isFloatingPoint(x.dtype()) ? x.dtype() : x.widened().dtype());
}

/// The operands of a binary op, tensors or numbers, in the dtype in which it
/// computes.
template <typename Op>
std::pair<Tensor, Tensor> operandsOf(Op op, torch::TorchBuilder &b) {
  mlir::Type dtype = torch::tensorType(op).getDtype();
  auto computed = [&](mlir::Value x) {
    return (torch::isTensor(x.getType()) ? Tensor(b, x).as(dtype)
                                         : scalar(b, x, dtype))
        .widened();
  };
  return {computed(op->getOperand(0)), computed(op->getOperand(1))};
}

/// The operands with the sizes of the result, for long formulas: a broadcast of
/// unknown sizes is computed once, and not in each step.
template <typename Op>
std::pair<Tensor, Tensor> expandedOperandsOf(Op op, torch::TorchBuilder &b) {
  auto [x, y] = operandsOf(op, b);
  return broadcast(x, y);
}

inline Tensor negatedIf(Tensor condition, Tensor x) {
  return where(condition, -x, x);
}

/// softmax(x) = exp(x - max(x)) / sum(exp(x - max(x))) over a dim; with
/// `mayHideAll`, 0 where all elements are -infinity.
Tensor softmaxOver(Tensor x, int64_t dim, bool mayHideAll);

/// The polynomial with these coefficients, that of the highest power first.
Tensor polynomial(Tensor x, llvm::ArrayRef<double> coefficients);

/// sin(x) / x, and 1 for x = 0. Real numbers near 0 take the power series:
/// where a compiler's sine is only precise to an absolute error, as IREE's, the
/// quotient would have none of the digits.
Tensor sineOverArgument(Tensor x);

/// A smooth function on [-1, 1] as a sum of Chebyshev's polynomials, as many as
/// the precision of a dtype needs. The function itself may take many steps: it
/// is only evaluated while compiling.
class Expansion {
public:
  explicit Expansion(llvm::function_ref<double(double)> function);
  Tensor operator()(Tensor x) const;

private:
  llvm::SmallVector<double> coefficients; // that of the constant first
};

} // namespace isthmus::decompose_torch

#endif // ISTHMUS_CONVERSION_DECOMPOSETORCH_FORMULAS_H
