//===- Matrices.h - Matrices whose places are chosen by masks ---*- C++ -*-===//
//
// Matrices [...,m,n] are the last two dims of a tensor. An algorithm chooses a
// row or a column by a mask over the positions, not by a slice at a position:
// so a step is the same for all matrices of a batch, each with its own pivot,
// and the sizes of its operands do not depend on the step.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_DECOMPOSETORCH_MATRICES_H
#define ISTHMUS_CONVERSION_DECOMPOSETORCH_MATRICES_H

#include "Tensor.h"

namespace isthmus::decompose_torch {

/// Positions in a matrix [m,n], of si64: those of rows as [m,1] and those of
/// columns as [n].
struct Positions {
  Tensor rows, columns;
};
Positions positionsIn(torch::TorchBuilder &b, mlir::Value rows,
                      mlir::Value columns);
Positions positionsIn(Tensor matrices);

mlir::Value rowsOf(Tensor matrices);
mlir::Value columnsOf(Tensor matrices);
/// The smaller one of the sizes of a matrix.
mlir::Value smallerSize(Tensor matrices);
/// The sizes of the batch, then others.
llvm::SmallVector<mlir::Value> batchAnd(Tensor matrices,
                                        llvm::ArrayRef<mlir::Value> sizes);

/// An int as a tensor of rank 0 of si64.
Tensor asTensor(torch::TorchBuilder &b, mlir::Value number);
Tensor identity(torch::TorchBuilder &b, mlir::Value rows, mlir::Value columns,
                mlir::Type dtype);
Tensor expanded(Tensor x, llvm::ArrayRef<mlir::Value> sizes);

Tensor transposed(Tensor matrices);
/// A^H, the conjugates in the transposed places.
Tensor adjoint(Tensor matrices);
Tensor matmul(Tensor a, Tensor b);
/// Elements on the diagonal `offset`, and below or above it.
Tensor lowerTriangle(Tensor matrices, int64_t offset = 0);
Tensor upperTriangle(Tensor matrices, int64_t offset = 0);
/// The elements of the main diagonal: [...,k].
Tensor diagonal(Tensor matrices);

/// The row [...,1,n] or column [...,m,1] for which a mask is true.
Tensor pickRow(Tensor matrices, Tensor isRow);
Tensor pickColumn(Tensor matrices, Tensor isColumn);
/// The number for which a mask over the last dim is true: [...,1].
Tensor pickLast(Tensor vectors, Tensor isPlace);
/// Row i of a result is row places[i] of its matrix.
Tensor takeRows(Tensor matrices, Tensor places);
/// Column i of a result is column places[i] of its matrix.
Tensor takeColumns(Tensor matrices, Tensor places);

/// The largest size of an element over some dims, which are kept, or 1 if no
/// division by it is of use. Squares of what it divides are neither too large
/// nor all too small for the dtype.
Tensor unitOver(Tensor x, llvm::ArrayRef<int64_t> dims);
/// The lengths of columns, real numbers: [...,1,n].
Tensor columnLengths(Tensor matrices);

/// The dims of the batch [...] of numbers [...,1,1].
Tensor perMatrix(Tensor numbers);

} // namespace isthmus::decompose_torch

#endif // ISTHMUS_CONVERSION_DECOMPOSETORCH_MATRICES_H
