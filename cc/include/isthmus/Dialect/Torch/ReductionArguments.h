//===- ReductionArguments.h - Arguments of reductions -----------*- C++ -*-===//
//
// What sum, amax, argmax and their like take. Decompositions and all targets
// read the arguments here.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_TORCH_REDUCTIONARGUMENTS_H
#define ISTHMUS_DIALECT_TORCH_REDUCTIONARGUMENTS_H

#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/Torch.h"

namespace isthmus::torch {

/// What a lowering says that needs arguments which are not constant.
inline constexpr llvm::StringLiteral kConstantReduction =
    "expected dims and a keepdim that are known while compiling";

struct ReductionArguments {
  /// Counted from 0 and in order. A tensor of rank 0 has none.
  llvm::SmallVector<int64_t> dims;
  /// Whether dims stay, with size 1.
  bool keepdim;

  /// Whether each of the operand's dims is reduced.
  llvm::SmallVector<bool> mask(int64_t rank) const {
    llvm::SmallVector<bool> isReduced(rank, false);
    for (int64_t dim : dims)
      isReduced[dim] = true;
    return isReduced;
  }

  /// Reads (self, dim, keepdim), where dim is an int, a list or none; none and
  /// [] mean all dims. Returns nullopt if they are not constant.
  template <typename Op>
  static std::optional<ReductionArguments> read(Op op) {
    auto self = llvm::cast<ValueTensorType>(op.getSelf().getType());
    auto dims = matchDims(op.getDim(), self.getRank());
    auto keepdim = matchBool(op.getKeepdim());
    if (!dims || !keepdim)
      return std::nullopt;
    return ReductionArguments{std::move(*dims), *keepdim};
  }
};

/// What argmax and argmin take: they find one place, along a dim or in the
/// tensor as one row.
struct ArgReductionArguments : ReductionArguments {
  /// Whether the tensor is taken as one row: there is no dim, or no dims.
  bool isFlat;

  template <typename Op>
  static std::optional<ArgReductionArguments> read(Op op) {
    auto arguments = ReductionArguments::read(op);
    if (!arguments)
      return std::nullopt;
    bool isFlat = isNone(op.getDim()) || arguments->dims.empty();
    return ArgReductionArguments{std::move(*arguments), isFlat};
  }
};

} // namespace isthmus::torch

#endif // ISTHMUS_DIALECT_TORCH_REDUCTIONARGUMENTS_H
