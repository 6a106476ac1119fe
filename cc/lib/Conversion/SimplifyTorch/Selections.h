//===- Selections.h - Elements that a mask picks ----------------*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_SIMPLIFYTORCH_SELECTIONS_H
#define ISTHMUS_CONVERSION_SIMPLIFYTORCH_SELECTIONS_H

#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/TorchBuilder.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace isthmus::simplify_torch {

/// A value of the dims [..., n, ...] that has the rows along dim `dim` of
/// `whole` whose flags are true. `whole` has the dims of the flags in the place
/// of n.
struct Picked {
  mlir::Value whole, flags;
  int64_t dim;

  int64_t flagRank() const { return torch::tensorType(flags).getRank(); }
  /// The dim of `whole` that a dim of the value is, other than `dim`.
  int64_t dimOfWhole(int64_t of) const {
    return of < dim ? of : of + flagRank() - 1;
  }
};

/// The flags and the dim that a list of indices [none..., flags, none...]
/// picks from x. Returns nullopt if it is not such a list.
std::optional<Picked> readMask(mlir::Value list, mlir::Value x);

/// Finds the whole tensors of which values pick rows, and builds what is
/// computed from them.
class Selections {
public:
  explicit Selections(torch::TorchBuilder &b) : b(b) {}

  /// Returns nullopt if a value is not known to be picked from a tensor.
  std::optional<Picked> trace(mlir::Value value);
  /// The picked rows whose number an int is; only their flags are known.
  std::optional<Picked> counted(mlir::Value number);
  /// Whether at least one row is picked, whatever the data is.
  bool picksAny(const Picked &picked);
  /// A value that is broadcast to a picked one of `rank` dims, as it is
  /// broadcast to the whole; null if its rows of flags may differ.
  mlir::Value spread(mlir::Value value, int64_t rank, const Picked &picked);
  /// The flags as they are broadcast to the whole of a value of `rank` dims.
  mlir::Value alignedFlags(const Picked &picked, int64_t rank);

private:
  std::optional<Picked> traceOp(mlir::Operation *op);
  std::optional<Picked> index(torch::AtenIndexTensorOp op);
  std::optional<Picked> countedParts(mlir::Value sum);
  std::optional<Picked> filled(torch::AtenFullOp op);
  std::optional<Picked> positions(torch::AtenNonzeroOp op);
  std::optional<Picked> changed(mlir::Operation *op);
  std::optional<Picked> multiplied(mlir::Operation *op);
  std::optional<Picked> rows(mlir::Operation *op, mlir::Value dim);
  template <typename Op>
  std::optional<Picked> reduced(Op op);
  template <typename Op>
  std::optional<Picked> searched(Op op);
  std::optional<Picked> gathered(torch::AtenGatherOp op);
  std::optional<Picked> selectedRows(torch::AtenIndexSelectOp op);
  std::optional<Picked> moved(mlir::Operation *op, mlir::Value dims);
  std::optional<Picked> viewed(torch::AtenViewOp op);
  std::optional<Picked> expanded(torch::AtenExpandOp op);
  std::optional<Picked> joined(torch::AtenCatOp op);
  /// Positions, with 0 where no flag picks one.
  mlir::Value safePositions(const Picked &positions, int64_t rank);

  torch::TorchBuilder &b;
  /// How many more ops to look at: a chain may be as long as the program.
  unsigned steps = 256;
  llvm::SmallDenseMap<mlir::Value, std::optional<Picked>> known;
  /// The flags of concatenations, by those of their parts, and the sizes of
  /// parts without flags.
  struct Joined {
    llvm::SmallVector<mlir::Value> flags;
    llvm::SmallVector<int64_t> sizes;
    mlir::Value result;
  };
  llvm::SmallVector<Joined> joinedFlags;
};

/// The size of a dim of what a mask picks, from the operands; of the dim of the
/// flags, that of the first op in the block that picks by the same list.
mlir::Value sizeOfSelection(torch::AtenIndexTensorOp op, int64_t dim,
                            torch::TorchBuilder &b);

} // namespace isthmus::simplify_torch

#endif // ISTHMUS_CONVERSION_SIMPLIFYTORCH_SELECTIONS_H
