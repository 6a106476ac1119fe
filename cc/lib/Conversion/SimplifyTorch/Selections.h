//===- Selections.h - Elements that a mask picks ----------------*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_SIMPLIFYTORCH_SELECTIONS_H
#define ISTHMUS_CONVERSION_SIMPLIFYTORCH_SELECTIONS_H

#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/TorchBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace isthmus::simplify_torch {

/// The list of indices [none..., mask, none...] of a tensor with the dims
/// [before..., those of the mask, others...]. What it picks has the dims
/// [before..., one of all true flags, others...].
struct Selection {
  mlir::Value list, mask;
  int64_t before, maskRank;

  /// Returns nullopt if a list has not exactly one index, which is a mask.
  static std::optional<Selection> read(mlir::Value list, mlir::Value x);

  /// The f(x) of picked = f(x[mask]), where f changes each row of a flag alone;
  /// null if it was not made so.
  mlir::Value whole(mlir::Value picked, torch::TorchBuilder &b) const;
  /// A value that is broadcast to what is picked, of `rank` dims, as it is
  /// broadcast to the whole tensor; null if its rows of flags may differ.
  mlir::Value spread(mlir::Value values, int64_t rank,
                     torch::TorchBuilder &b) const;
  /// The mask as it is broadcast to the whole tensor of which `rank` dims are
  /// picked.
  mlir::Value alignedMask(int64_t rank, torch::TorchBuilder &b) const;

private:
  using Whole = llvm::function_ref<mlir::Value(mlir::Value)>;

  bool isAlike(mlir::Value other) const;
  mlir::Value whole(mlir::Value picked, torch::TorchBuilder &b, unsigned &steps,
                    llvm::SmallDenseMap<mlir::Value, mlir::Value> &known) const;
  mlir::Value changed(mlir::Operation *op, Whole of,
                      torch::TorchBuilder &b) const;
  template <typename Op>
  mlir::Value reduced(Op op, Whole of, torch::TorchBuilder &b) const;
  template <typename Op>
  mlir::Value searched(Op op, Whole of, torch::TorchBuilder &b) const;
  mlir::Value gathered(torch::AtenGatherOp op, Whole of,
                       torch::TorchBuilder &b) const;
  mlir::Value moved(mlir::Operation *op, mlir::Value dims, Whole of,
                    torch::TorchBuilder &b) const;
};

/// The size of a dim of what a mask picks, from the operands; of the dim of the
/// flags, that of the first op in the block that picks by the same list.
mlir::Value sizeOfSelection(torch::AtenIndexTensorOp op, int64_t dim,
                            torch::TorchBuilder &b);

} // namespace isthmus::simplify_torch

#endif // ISTHMUS_CONVERSION_SIMPLIFYTORCH_SELECTIONS_H
