//===- ReductionArguments.h - Arguments of reductions -----------*- C++ -*-===//
//
// The arguments of sum, amax, argmax, scatter_reduce and similar ops.
// Decompositions and all targets read the arguments here.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_TORCH_REDUCTIONARGUMENTS_H
#define ISTHMUS_DIALECT_TORCH_REDUCTIONARGUMENTS_H

#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "llvm/ADT/StringSwitch.h"

namespace isthmus::torch {

/// The error of a lowering that needs constant arguments.
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

/// The arguments of argmax and argmin, which find one position, along a dim or
/// in the flattened tensor.
struct ArgReductionArguments : ReductionArguments {
  /// Whether the tensor is flattened: `dim` is none, or the tensor has rank 0.
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

/// The error of a lowering that needs the constant arguments of scatter_reduce.
inline constexpr llvm::StringLiteral kConstantScatterReduce =
    "expected a dim, an include_self, and a reduce of sum, prod, mean, amax or "
    "amin, that are known while compiling";

struct ScatterReduceArguments {
  /// How the updates of one position are combined.
  enum class Kind { Sum, Product, Mean, Max, Min };

  Kind kind;
  /// Counted from 0; 0 for a tensor of rank 0.
  int64_t dim;
  /// Whether the old value of an updated position is combined as well.
  bool includesSelf;

  /// Reads (self, dim, index, src, reduce, include_self). Returns nullopt if
  /// they are not constant, or if no kind has the name `reduce`.
  template <typename Op>
  static std::optional<ScatterReduceArguments> read(Op op) {
    auto dim = matchInt(op.getDim());
    auto includesSelf = matchBool(op.getIncludeSelf());
    auto kind = llvm::StringSwitch<std::optional<Kind>>(
                    matchStr(op.getReduce()).value_or(""))
                    .Case("sum", Kind::Sum)
                    .Case("prod", Kind::Product)
                    .Case("mean", Kind::Mean)
                    .Case("amax", Kind::Max)
                    .Case("amin", Kind::Min)
                    .Default(std::nullopt);
    if (!dim || !includesSelf || !kind)
      return std::nullopt;
    int64_t rank =
        llvm::cast<ValueTensorType>(op.getSelf().getType()).getRank();
    return ScatterReduceArguments{*kind, rank == 0 ? 0 : normalDim(*dim, rank),
                                  *includesSelf};
  }
};

} // namespace isthmus::torch

#endif // ISTHMUS_DIALECT_TORCH_REDUCTIONARGUMENTS_H
