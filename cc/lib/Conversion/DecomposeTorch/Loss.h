//===- Loss.h - What losses and their gradients share -----------*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_DECOMPOSETORCH_LOSS_H
#define ISTHMUS_CONVERSION_DECOMPOSETORCH_LOSS_H

#include "Tensor.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include <optional>

namespace isthmus::decompose_torch {

/// How PyTorch encodes the reduction of a loss.
enum class Reduction : int64_t { None, Mean, Sum };

template <typename Op>
std::optional<Reduction> reductionOf(Op op, torch::TorchBuilder &b) {
  std::optional<int64_t> number = torch::matchInt(op.getReduction());
  if (number)
    return static_cast<Reduction>(*number);
  b.fail("expected a reduction that is known while compiling");
  return std::nullopt;
}

/// The losses, their sum, or their mean: the sum divided by the sum of the
/// weights, or by their number if there are none.
mlir::Value reduced(Reduction reduction, Tensor losses, mlir::Type dtype,
                    std::optional<Tensor> weights = std::nullopt);

template <typename Op>
mlir::Value reduced(Op op, torch::TorchBuilder &b, Tensor losses) {
  std::optional<Reduction> reduction = reductionOf(op, b);
  return reduction
             ? reduced(*reduction, losses, torch::tensorType(op).getDtype())
             : mlir::Value();
}

/// The sum over all elements, of rank 0.
Tensor total(Tensor x);

/// An operand of a loss in the dtype in which it computes.
inline Tensor computedIn(torch::TorchBuilder &b, mlir::Value operand,
                         mlir::Type dtype) {
  Tensor x = Tensor(b, operand).as(dtype);
  return torch::isFloatingPoint(dtype) ? x.widened() : x;
}

/// Targets that are classes, for scores [N,C,d...] or [C].
struct Classes {
  Tensor places; // si64 of [N,d...] or [], inside the dim of classes
  Tensor isKept; // false for samples to ignore
};

/// The dim of the classes.
inline int64_t classDim(Tensor x) { return x.rank() == 1 ? 0 : 1; }

Classes classesOf(torch::TorchBuilder &b, Tensor x, mlir::Value target,
                  mlir::Value ignored);
/// The elements of x at the classes, [N,d...] or [].
Tensor chosen(Tensor x, const Classes &classes);
/// True at the class of each sample, of the sizes of x.
Tensor isChosen(Tensor x, const Classes &classes);
/// The weights of the classes as they broadcast to x, or nullopt.
std::optional<Tensor> classWeights(torch::TorchBuilder &b, Tensor x,
                                   mlir::Value weight);

} // namespace isthmus::decompose_torch

#endif // ISTHMUS_CONVERSION_DECOMPOSETORCH_LOSS_H
