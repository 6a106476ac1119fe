//===- Matrices.cpp - Matrices whose places are chosen by masks -----------===//

#include "Matrices.h"
#include "Complex.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;
using namespace isthmus::decompose_torch;

Positions decompose_torch::positionsIn(TorchBuilder &b, Value rows,
                                       Value columns) {
  Value zero = b.constant(0);
  return {Tensor(b, b.unsqueeze(range(b, zero, rows), 1)),
          range(b, zero, columns)};
}

Positions decompose_torch::positionsIn(Tensor matrices) {
  return positionsIn(matrices.builder(), rowsOf(matrices), columnsOf(matrices));
}

Value decompose_torch::rowsOf(Tensor matrices) {
  return matrices.builder().size(matrices, matrices.rank() - 2);
}
Value decompose_torch::columnsOf(Tensor matrices) {
  return matrices.builder().size(matrices, matrices.rank() - 1);
}
Value decompose_torch::smallerSize(Tensor matrices) {
  Value rows = rowsOf(matrices), columns = columnsOf(matrices);
  return matrices.builder().minInt(rows, columns);
}

SmallVector<Value> decompose_torch::batchAnd(Tensor matrices,
                                             ArrayRef<Value> sizes) {
  SmallVector<Value> all = matrices.builder().sizes(matrices);
  // An op that rejected its operands has a result of unknown rank.
  all.truncate(std::max<size_t>(all.size(), 2) - 2);
  llvm::append_range(all, sizes);
  return all;
}

Tensor decompose_torch::asTensor(TorchBuilder &b, Value number) {
  if (std::optional<int64_t> known = matchInt(number))
    return {b, b.scalarTensor(*known, indexDtype(b))};
  return {b, b.create<PrimNumToTensorScalarOp>(number)};
}

Tensor decompose_torch::identity(TorchBuilder &b, Value rows, Value columns,
                                 Type dtype) {
  Positions at = positionsIn(b, rows, columns);
  return (at.rows == at.columns).as(dtype);
}

Tensor decompose_torch::expanded(Tensor x, ArrayRef<Value> sizes) {
  return {x.builder(), x.builder().expand(x, sizes)};
}

Tensor decompose_torch::transposed(Tensor matrices) {
  SmallVector<int64_t> order = allDims(matrices.rank());
  if (order.size() < 2)
    return matrices; // the result of an op that failed
  std::swap(order[order.size() - 2], order.back());
  return {matrices.builder(), matrices.builder().permute(matrices, order)};
}

Tensor decompose_torch::adjoint(Tensor matrices) {
  return transposed(conj(matrices));
}

Tensor decompose_torch::matmul(Tensor a, Tensor b) {
  return a.apply<AtenMatmulOp>(b);
}

Tensor decompose_torch::lowerTriangle(Tensor matrices, int64_t offset) {
  return matrices.apply<AtenTrilOp>(matrices.builder().constant(offset));
}
Tensor decompose_torch::upperTriangle(Tensor matrices, int64_t offset) {
  return matrices.apply<AtenTriuOp>(matrices.builder().constant(offset));
}

Tensor decompose_torch::diagonal(Tensor matrices) {
  TorchBuilder &b = matrices.builder();
  return matrices.apply<AtenDiagonalOp>(b.constant(0), b.constant(-2),
                                        b.constant(-1));
}

Tensor decompose_torch::pickRow(Tensor matrices, Tensor isRow) {
  return sumOver(where(isRow, matrices, 0), matrices.rank() - 2);
}
Tensor decompose_torch::pickColumn(Tensor matrices, Tensor isColumn) {
  return pickLast(matrices, isColumn);
}
Tensor decompose_torch::pickLast(Tensor vectors, Tensor isPlace) {
  return sumOver(where(isPlace, vectors, 0), vectors.rank() - 1);
}

Tensor decompose_torch::takeRows(Tensor matrices, Tensor places) {
  TorchBuilder &b = matrices.builder();
  Value index = b.expand(b.unsqueeze(places, places.rank()), b.sizes(matrices));
  return matrices.apply<AtenGatherOp>(b.constant(matrices.rank() - 2), index,
                                      b.constantBool(false));
}
Tensor decompose_torch::takeColumns(Tensor matrices, Tensor places) {
  TorchBuilder &b = matrices.builder();
  Value index =
      b.expand(b.unsqueeze(places, places.rank() - 1), b.sizes(matrices));
  return matrices.apply<AtenGatherOp>(b.constant(matrices.rank() - 1), index,
                                      b.constantBool(false));
}

Tensor decompose_torch::unitOver(Tensor x, ArrayRef<int64_t> dims) {
  // There is no largest one of no elements, but a sum.
  Tensor sizes = abs(x);
  Tensor largest = llvm::is_contained(x.sizes(), 0) ? sumOver(sizes, dims)
                                                    : largestOver(sizes, dims);
  return where((largest > 0) & (largest < infinity), largest, 1);
}

Tensor decompose_torch::columnLengths(Tensor matrices) {
  int64_t rows = matrices.rank() - 2;
  Tensor unit = unitOver(matrices, rows), ratios = matrices / unit;
  return unit * sqrt(sumOver(realPartOf(conj(ratios) * ratios), rows));
}

Tensor decompose_torch::perMatrix(Tensor numbers) {
  return {numbers.builder(),
          numbers.builder().squeeze(numbers,
                                    {numbers.rank() - 2, numbers.rank() - 1})};
}
