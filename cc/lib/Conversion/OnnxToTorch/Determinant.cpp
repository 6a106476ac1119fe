//===- Determinant.cpp - ONNX Det to ATen ---------------------------------===//

#include "Families.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Math.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// Each row takes a separate step.
constexpr int64_t mostRows = 64;

Value at(NodeBuilder &b, Value tensor, int64_t dim, int64_t index) {
  return b.create<torch::AtenSelectIntOp>(tensor, b.constant(dim),
                                          b.constant(index));
}

/// Det-22: the determinants of the matrices in the last two dims, by Gaussian
/// elimination: the largest element of the first column is the pivot, its row
/// is swapped with the first one, and a smaller matrix remains.
FailureOr<Value> lowerDet(onnx::DetOp, onnx::DetOp::Adaptor in,
                          NodeBuilder &b) {
  Value x = in.getX();
  int64_t rank = rankOf(x), rows = rank < 2 ? 0 : sizeOf(x, rank - 1);
  if (rows < 1 || rows > mostRows || sizeOf(x, rank - 2) != rows)
    return b.decline() << "expected square matrices of at most " << mostRows
                       << " rows, a number known while compiling, got "
                       << x.getType();
  SmallVector<Value> batch = b.sizes(x);
  batch.resize(rank - 2);
  Value size = b.constant(rows);
  Value matrix = b.view(x, {b.constant(-1), size, size});
  Value count = b.size(matrix, 0), one = b.constant(1);
  Type dtype = dtypeOf(x);
  Value unit = b.scalarTensor(1.0, dtype), minus = b.scalarTensor(-1.0, dtype);
  Value product = unit;
  for (int64_t left = rows; left > 1; --left) {
    size = b.constant(left);
    Value largest = b.create<torch::AtenArgmaxOp>(
        b.create<torch::AtenAbsOp>(at(b, matrix, 2, 0)), one,
        b.constantBool(true)); // [count, 1]
    Value places = b.unsqueeze(iota(b, b.constant(0), size), 0);
    // The row at each position but the first: its own, or the first row at the
    // pivot's position.
    Value others = b.where(b.create<torch::AtenEqTensorOp>(places, largest),
                           b.scalarTensor(int64_t(0), int64Dtype(b)), places);
    others = b.slice(others, 1, one);
    auto rowsAt = [&](Value indices, int64_t number) -> Value {
      Value expanded =
          b.expand(b.unsqueeze(indices, 2), {count, b.constant(number), size});
      return b.create<torch::AtenGatherOp>(matrix, one, expanded,
                                           b.constantBool(false));
    };
    Value first = rowsAt(largest, 1), rest = rowsAt(others, left - 1);
    Value pivot = b.slice(first, 2, b.constant(0), one); // [count, 1, 1]
    Value isZero = b.create<torch::AtenEqScalarOp>(pivot, b.constant(0));
    // A pivot of 0 makes the product 0 whatever follows.
    Value factors = b.div(b.slice(rest, 2, b.constant(0), one),
                          b.where(isZero, unit, pivot));
    matrix =
        b.sub(b.slice(rest, 2, one), b.mul(factors, b.slice(first, 2, one)));
    Value isInPlace =
        b.create<torch::AtenEqScalarOp>(b.squeeze(largest, {1}), b.constant(0));
    product = b.mul(product, b.mul(b.where(isInPlace, unit, minus),
                                   b.squeeze(pivot, {1, 2})));
  }
  return b.view(b.mul(product, b.squeeze(matrix, {1, 2})), batch);
}

} // namespace

void onnx_to_torch::populateDeterminant(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerDet);
}
