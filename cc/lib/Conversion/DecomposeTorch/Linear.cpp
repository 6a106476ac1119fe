//===- Linear.cpp - Matrix products to mm and bmm -------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// addmm(self, a, b) = beta * self + alpha * (a @ b). With a beta of 0, self is
/// ignored, including its NaNs.
template <typename Op>
static Tensor added(Op op, TorchBuilder &b, Tensor product) {
  if (matchNumber(op.getAlpha()) != 1.0)
    product = product * scalar(b, op.getAlpha(), product.dtype());
  std::optional<double> beta = matchNumber(op.getBeta());
  if (beta == 0.0)
    return product;
  Tensor self(b, op.getSelf());
  if (beta != 1.0)
    self = self * scalar(b, op.getBeta(), self.dtype());
  return product + self;
}

static Tensor addmm(AtenAddmmOp op, TorchBuilder &b) {
  return added(op, b, {b, b.create<AtenMmOp>(op.getMat1(), op.getMat2())});
}

static Tensor baddbmm(AtenBaddbmmOp op, TorchBuilder &b) {
  return added(op, b, {b, b.create<AtenBmmOp>(op.getBatch1(), op.getBatch2())});
}

/// addbmm(self, a, b) = beta * self + alpha * sum(a @ b) over the batch.
static Tensor addbmm(AtenAddbmmOp op, TorchBuilder &b) {
  Tensor products(b, b.create<AtenBmmOp>(op.getBatch1(), op.getBatch2()));
  // Sums of integers are si64.
  Tensor sum(b, b.sum(products, {0}, /*keepdim=*/false));
  return added(op, b, sum.as(products.dtype()));
}

/// x [...,n,k] @ matrix [k,m]: all rows of x in one product.
static Value rowsTimesMatrix(TorchBuilder &b, Value x, Value matrix) {
  SmallVector<Value> sizes = b.sizes(x);
  if (sizes.size() == 2)
    return b.create<AtenMmOp>(x, matrix);
  Value rows = b.product(ArrayRef(sizes).drop_back());
  Value product = b.create<AtenMmOp>(b.view(x, {rows, sizes.back()}), matrix);
  sizes.back() = b.size(matrix, 1);
  return b.view(product, sizes);
}

/// linear(x [...,in], weight [out,in], bias [out]) = x @ weight^T + bias
static Value linear(AtenLinearOp op, TorchBuilder &b) {
  Tensor y(
      b, rowsTimesMatrix(b, op.getInput(), b.permute(op.getWeight(), {1, 0})));
  return isNone(op.getBias()) ? y : y + Tensor(b, op.getBias());
}

/// Reshapes a tensor [...,n,m] to one batch [B,n,m], with its batch dims
/// broadcast to `batch`.
static Value withBatch(TorchBuilder &b, Value x, ArrayRef<Value> batch,
                       Value flatBatch) {
  SmallVector<Value> sizes = b.sizes(x);
  ArrayRef<Value> own = ArrayRef(sizes).drop_back(2),
                  matrix = ArrayRef(sizes).take_back(2);
  SmallVector<Value> expanded(batch);
  llvm::append_range(expanded, matrix);
  bool isComplete =
      own.size() == batch.size() &&
      llvm::all_of(llvm::zip(own, batch), [](auto pair) {
        auto [a, b] = pair;
        return a == b || (matchInt(a) && matchInt(a) == matchInt(b));
      });
  if (!isComplete)
    x = b.expand(x, expanded);
  return batch.size() == 1 ? x : b.view(x, {flatBatch, matrix[0], matrix[1]});
}

/// numpy.matmul. A vector is a row on the left, a column on the right. A matrix
/// on the right is multiplied with all rows of the left at once; otherwise the
/// batch dims are broadcast and merged, for bmm.
static Value matmul(AtenMatmulOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  Value x = b.convert(op.getSelf(), dtype), y = b.convert(op.getOther(), dtype);
  bool isRow = tensorType(x).getRank() == 1,
       isColumn = tensorType(y).getRank() == 1;
  if (isRow)
    x = b.unsqueeze(x, 0);
  if (isColumn)
    y = b.unsqueeze(y, 1);

  Value product;
  if (tensorType(y).getRank() == 2) {
    product = rowsTimesMatrix(b, x, y);
  } else {
    SmallVector<Value> left = b.sizes(x), right = b.sizes(y);
    SmallVector<Value> sizes = broadcastSizes(b, ArrayRef(left).drop_back(2),
                                              ArrayRef(right).drop_back(2));
    Value flatBatch = b.product(sizes);
    product = b.create<AtenBmmOp>(withBatch(b, x, sizes, flatBatch),
                                  withBatch(b, y, sizes, flatBatch));
    if (sizes.size() > 1) {
      sizes.append({left[left.size() - 2], right.back()});
      product = b.view(product, sizes);
    }
  }
  int64_t last = tensorType(product).getRank() - 1;
  if (isColumn)
    product = b.squeeze(product, last);
  return isRow ? b.squeeze(product, isColumn ? last - 1 : last - 1) : product;
}

/// Products of vectors, as matrix products.
template <typename Op>
static Value asMatmul(Op op, TorchBuilder &b) {
  return b.create<AtenMatmulOp>(op->getOperand(0), op->getOperand(1));
}

static Tensor addmv(AtenAddmvOp op, TorchBuilder &b) {
  return added(op, b, {b, b.create<AtenMatmulOp>(op.getMat(), op.getVec())});
}

/// outer(x, y)[i, j] = x[i] * y[j]
static Value outer(AtenOuterOp op, TorchBuilder &b) {
  return b.mul(b.unsqueeze(op.getSelf(), 1), op.getVec2());
}

//===----------------------------------------------------------------------===//
// Products by groups: mixture-of-experts layers
//===----------------------------------------------------------------------===//

// The group of a position is the number of groups that end at or before it:
// countEnds. Positions past the last end have group `ends.size(0)`, which no
// matrix has.

/// y[i] = x[i] @ matrices[group of i]; 0 past the last group:
/// x [m,k], matrices [g,k,n], y [m,n].
static Value rowsTimesGroups(TorchBuilder &b, Value x, Value matrices,
                             Value ends) {
  Tensor group = countEnds(b, ends, b.size(x, 0));
  Tensor last =
      scalar(b, b.subInt(b.size(matrices, 0), b.constant(1)), group.dtype());
  Value chosen =
      b.create<AtenIndexSelectOp>(matrices, b.constant(0), min(group, last));
  Tensor product(b,
                 b.squeeze(b.create<AtenBmmOp>(b.unsqueeze(x, 1), chosen), 1));
  return b.where(b.unsqueeze(group <= last, 1), product, product.number(0));
}

/// y[g] = x[:, positions of g] @ matrix[positions of g, :]:
/// x [m,k], matrix [k,n], y [g,m,n].
static Value productPerGroup(TorchBuilder &b, Tensor x, Value matrix,
                             Value ends) {
  Value groups = b.size(ends, 0);
  Tensor group = countEnds(b, ends, b.size(x, 1));
  Tensor index(b, b.unsqueeze(range(b, b.constant(0), groups), 1));
  Value isOwn = b.unsqueeze(group == index, 1);
  Value own = b.where(isOwn, x, x.number(0));
  Value repeated = b.expand(b.unsqueeze(matrix, 0),
                            {groups, b.size(matrix, 0), b.size(matrix, 1)});
  return b.create<AtenBmmOp>(own, repeated);
}

/// _grouped_mm(a, b, offs, bias, out_dtype): group i ends before offs[i].
static Value groupedMm(Aten_GroupedMmOp op, TorchBuilder &b) {
  if (!isNone(op.getBias()))
    return b.fail("expected no bias, which PyTorch does not take either");
  Value x = op.getSelf(), y = op.getMat2(), ends = op.getOffs();
  int64_t left = tensorType(x).getRank(), right = tensorType(y).getRank();
  bool isBatch = left == 3 && right == 3;
  if (isBatch != isNone(ends))
    return b.fail("expected offs for a matrix, and only there");
  Value product;
  if (isBatch)
    product = b.create<AtenBmmOp>(x, y);
  else if (right == 3)
    product = rowsTimesGroups(b, x, y, ends);
  else if (left == 2)
    product = productPerGroup(b, {b, x}, y, ends);
  else // the columns of y are the rows of y^T
    product = b.permute(
        rowsTimesGroups(b, b.permute(y, {1, 0}), b.permute(x, {0, 2, 1}), ends),
        {1, 0});
  return b.convert(product, tensorType(op).getDtype());
}

void populateLinear(Decompositions &decompositions) {
  decompositions.add(addbmm, addmm, addmv, asMatmul<AtenDotOp>,
                     asMatmul<AtenMvOp>, baddbmm, groupedMm, linear, matmul,
                     outer);
}

} // namespace isthmus::decompose_torch
