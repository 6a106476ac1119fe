//===- Matchers.h - Constants and lists behind torch values -----*- C++ -*-===//

#ifndef ISTHMUS_DIALECT_TORCH_MATCHERS_H
#define ISTHMUS_DIALECT_TORCH_MATCHERS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <optional>

namespace isthmus::torch {

// Errors of lowerings that need to know an argument.
inline constexpr llvm::StringLiteral kConstantDim =
    "expected a dim that is known while compiling";
inline constexpr llvm::StringLiteral kConstantDims =
    "expected dims that are known while compiling";
inline constexpr llvm::StringLiteral kListOfSizes =
    "expected a list of sizes whose length is known";

// Each returns nullopt when the value is not known while compiling.
std::optional<int64_t> matchInt(mlir::Value value);
/// True if a number depends on elements of a tensor, not only on its sizes.
bool isOfElements(mlir::Value number);
std::optional<double> matchFloat(mlir::Value value);
std::optional<bool> matchBool(mlir::Value value);
std::optional<llvm::StringRef> matchStr(mlir::Value value);
/// An int, float or bool constant as a double.
std::optional<double> matchNumber(mlir::Value value);

/// True for a value of type none.
bool isNone(mlir::Value value);

/// The elements of a list that `torch.prim.ListConstruct` makes.
std::optional<llvm::SmallVector<mlir::Value>> matchList(mlir::Value value);
/// A list whose ints are all known.
std::optional<llvm::SmallVector<int64_t>> matchInts(mlir::Value value);
/// The same for `count` dims; a single int applies to all of them.
std::optional<llvm::SmallVector<int64_t>> matchIntsPerDim(mlir::Value value,
                                                          int64_t count);
/// A list of ints, ShapedType::kDynamic for those known only at run time.
std::optional<llvm::SmallVector<int64_t>> matchSizes(mlir::Value value);
/// True if `size`, as a view or an expand takes it, is the size of the tensor's
/// dim: -1, the same number, or aten.size.int of it.
bool isSizeOf(mlir::Value size, mlir::Value tensor, int64_t dim);

/// Dim `dim` of `rank` dims counted from 0; `dim` may count from the end. The
/// type rules have checked its range. A rank-0 tensor is indexed as if it had
/// one dim.
inline int64_t normalDim(int64_t dim, int64_t rank) {
  return dim < 0 ? dim + std::max<int64_t>(rank, 1) : dim;
}
/// The dims of a reduction, given as an int or a list, counted from 0 and in
/// order; none and [] mean all dims, and a rank-0 tensor has none.
std::optional<llvm::SmallVector<int64_t>> matchDims(mlir::Value dims,
                                                    int64_t rank);

} // namespace isthmus::torch

#endif // ISTHMUS_DIALECT_TORCH_MATCHERS_H
