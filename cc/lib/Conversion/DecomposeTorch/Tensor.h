//===- Tensor.h - Tensors that combine like numbers -------------*- C++ -*-===//
//
// A decomposition reads like its formula: `x * sigmoid(x)` builds the ops.
// Numbers become rank-0 literals of the dtype of the other operand.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_DECOMPOSETORCH_TENSOR_H
#define ISTHMUS_CONVERSION_DECOMPOSETORCH_TENSOR_H

#include "isthmus/Dialect/Torch/TorchBuilder.h"
#include "llvm/ADT/Sequence.h"
#include <limits>
#include <utility>

namespace isthmus::decompose_torch {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A tensor value of known rank and dtype, with the builder for further ops.
class Tensor {
public:
  Tensor(torch::TorchBuilder &b, mlir::Value value) : b(&b), value(value) {}
  operator mlir::Value() const { return value; }

  torch::TorchBuilder &builder() const { return *b; }
  mlir::Type dtype() const { return torch::tensorType(value).getDtype(); }
  llvm::ArrayRef<int64_t> sizes() const {
    return torch::tensorType(value).getSizes();
  }
  int64_t rank() const { return torch::tensorType(value).getRank(); }

  /// The op `Op` with this tensor as its first operand.
  template <typename Op, typename... Operands>
  Tensor apply(Operands... rest) const {
    return {*b, b->create<Op>(value, rest...).getResult()};
  }

  /// A number as a rank-0 tensor of this tensor's dtype.
  Tensor number(double number) const;
  /// Converts to another dtype.
  Tensor as(mlir::Type dtype) const { return {*b, b->convert(value, dtype)}; }
  /// Converts to the dtype in which PyTorch's kernels compute: f32 for f16 and
  /// bf16, and for integers if the result is floating point.
  Tensor widened() const;

private:
  torch::TorchBuilder *b;
  mlir::Value value;
};

/// A Python number, constant or not, as a rank-0 tensor.
Tensor scalar(torch::TorchBuilder &b, mlir::Value number, mlir::Type dtype);

Tensor operator+(Tensor a, Tensor b);
Tensor operator-(Tensor a, Tensor b);
Tensor operator*(Tensor a, Tensor b);
Tensor operator/(Tensor a, Tensor b);
Tensor operator-(Tensor a);
/// Comparisons are tensors of bools.
Tensor operator>(Tensor a, Tensor b);
Tensor operator>=(Tensor a, Tensor b);
Tensor operator<(Tensor a, Tensor b);
Tensor operator<=(Tensor a, Tensor b);
Tensor operator==(Tensor a, Tensor b);
Tensor operator!=(Tensor a, Tensor b);
// Of bools.
Tensor operator&(Tensor a, Tensor b);
Tensor operator|(Tensor a, Tensor b);
Tensor operator!(Tensor x);
/// NaN if either operand is NaN.
Tensor max(Tensor a, Tensor b);
Tensor min(Tensor a, Tensor b);

#define WITH_NUMBERS(RESULT_OF)                                                \
  inline Tensor RESULT_OF(Tensor a, double b) {                                \
    return RESULT_OF(a, a.number(b));                                          \
  }                                                                            \
  inline Tensor RESULT_OF(double a, Tensor b) {                                \
    return RESULT_OF(b.number(a), b);                                          \
  }
WITH_NUMBERS(operator+)
WITH_NUMBERS(operator-)
WITH_NUMBERS(operator*)
WITH_NUMBERS(operator/)
WITH_NUMBERS(operator>)
WITH_NUMBERS(operator>=)
WITH_NUMBERS(operator<)
WITH_NUMBERS(operator<=)
WITH_NUMBERS(operator==)
WITH_NUMBERS(operator!=)
WITH_NUMBERS(max)
WITH_NUMBERS(min)
#undef WITH_NUMBERS

Tensor where(Tensor condition, Tensor a, Tensor b);
inline Tensor where(Tensor condition, double a, Tensor b) {
  return where(condition, b.number(a), b);
}
inline Tensor where(Tensor condition, Tensor a, double b) {
  return where(condition, a, a.number(b));
}

Tensor abs(Tensor x);
Tensor atan(Tensor x);
Tensor cos(Tensor x);
Tensor erf(Tensor x);
Tensor exp(Tensor x);
Tensor expm1(Tensor x);
Tensor floor(Tensor x);
Tensor log(Tensor x);
Tensor log1p(Tensor x);
Tensor rsqrt(Tensor x);
Tensor sigmoid(Tensor x);
Tensor sin(Tensor x);
Tensor sqrt(Tensor x);
Tensor tanh(Tensor x);

/// log(exp(a) + exp(b)), without overflow.
Tensor logAddExp(Tensor a, Tensor b);

// Reductions over nonnegative dims; the dims are kept with size 1.
Tensor largestOver(Tensor x, llvm::ArrayRef<int64_t> dims);
Tensor sumOver(Tensor x, llvm::ArrayRef<int64_t> dims);
/// The number of elements over the dims, as a rank-0 tensor of x's dtype.
Tensor countOver(Tensor x, llvm::ArrayRef<int64_t> dims);
inline Tensor meanOver(Tensor x, llvm::ArrayRef<int64_t> dims) {
  return sumOver(x, dims) / countOver(x, dims);
}

/// The ints of a list, if they are known at compile time and fit 32 bits, so
/// that sums of their products with sizes fit 64 bits. Otherwise nullopt, and a
/// failure that names them.
std::optional<llvm::SmallVector<int64_t>>
boundedInts(torch::TorchBuilder &b, mlir::Value list, llvm::StringRef what);
/// 0, 1, ... rank - 1
inline llvm::SmallVector<int64_t> allDims(int64_t rank) {
  return llvm::to_vector(llvm::seq<int64_t>(0, rank));
}
/// f64 for itself, f32 for all others.
mlir::Type computedDtype(mlir::Type dtype);
/// si64
mlir::Type indexDtype(torch::TorchBuilder &b);
/// A literal of si64.
mlir::Value integers(torch::TorchBuilder &b, llvm::ArrayRef<int64_t> values,
                     llvm::ArrayRef<int64_t> sizes);
/// A literal of a floating-point dtype, or one converted to another dtype.
mlir::Value reals(torch::TorchBuilder &b, llvm::ArrayRef<double> values,
                  llvm::ArrayRef<int64_t> sizes, mlir::Type dtype);
/// Tensors as the list that an op produces.
mlir::Value listOf(mlir::Operation *op, torch::TorchBuilder &b,
                   mlir::ValueRange tensors);
/// The product of a dim, as rows [...,n], with a matrix [n,m].
Tensor productAlong(Tensor x, int64_t dim, mlir::Value matrix);
/// A row of `size` elements as the first of `dims` dims; the others have
/// size 1.
mlir::Value alongFirst(torch::TorchBuilder &b, mlir::Value row,
                       mlir::Value size, int64_t dims);
/// [start, end), in steps of 1, of si64.
Tensor range(torch::TorchBuilder &b, mlir::Value start, mlir::Value end);
/// column - row at each place of a matrix [rows, columns], of si64.
Tensor columnMinusRow(torch::TorchBuilder &b, mlir::Value rows,
                      mlir::Value columns);
/// Expands positions [n] along a dim to an index for all elements of a tensor
/// of these sizes.
mlir::Value spreadIndex(torch::TorchBuilder &b, mlir::Value positions,
                        int64_t dim, llvm::ArrayRef<mlir::Value> sizes);
/// The number of `ends` [n] at or before each of `count` positions: [count] of
/// si64.
Tensor countEnds(torch::TorchBuilder &b, mlir::Value ends, mlir::Value count);
/// A position in a dim of `size`: a negative one counts from the end.
mlir::Value fromStart(torch::TorchBuilder &b, mlir::Value position,
                      mlir::Value size);
/// Positions in a dim of `size`: negative ones count from the end.
Tensor fromStart(Tensor positions, mlir::Value size);
/// A tensor with the same number everywhere.
Tensor filled(torch::TorchBuilder &b, llvm::ArrayRef<mlir::Value> sizes,
              double number, mlir::Type dtype);
/// Zeros with the sizes and dtype of x.
Tensor zerosLike(Tensor x);
/// A tensor of rank 0 as [1].
inline Tensor atLeastRow(Tensor x) {
  return x.rank() > 0 ? x : Tensor(x.builder(), x.builder().unsqueeze(x, 0));
}
/// The broadcast of two lists of sizes. Of two sizes known only at run time it
/// takes the larger one, and a known one in place of an unknown one, unless it
/// is 1.
llvm::SmallVector<mlir::Value> broadcastSizes(torch::TorchBuilder &b,
                                              llvm::ArrayRef<mlir::Value> x,
                                              llvm::ArrayRef<mlir::Value> y);
/// Both tensors with the sizes of their broadcast.
std::pair<Tensor, Tensor> broadcast(Tensor x, Tensor y);

/// The tensors that a loop carries.
using States = llvm::SmallVector<Tensor>;
/// Maps the number of a step, from 0, and the states to the next states.
using Step = llvm::function_ref<States(mlir::Value number,
                                       llvm::ArrayRef<Tensor> states)>;
/// The states after a number of steps, in a prim.Loop.
States loop(torch::TorchBuilder &b, mlir::Value steps, const States &init,
            Step step);
/// The same as straight-line code, if the number of steps is known and small.
States repeat(torch::TorchBuilder &b, mlir::Value steps, const States &init,
              Step step);

} // namespace isthmus::decompose_torch

#endif // ISTHMUS_CONVERSION_DECOMPOSETORCH_TENSOR_H
