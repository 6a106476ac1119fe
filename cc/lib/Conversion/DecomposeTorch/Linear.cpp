//===- Linear.cpp - Matrix products to mm and bmm -------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// addmm(self, a, b) = beta * self + alpha * (a @ b). With a beta of 0 self
/// does not count, not even its NaNs.
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

/// x [...,n,k] @ matrix [k,m]: all rows of x in one product.
static Value rowsTimesMatrix(TorchBuilder &b, Value x, Value matrix) {
  SmallVector<Value> sizes = b.sizes(x);
  if (sizes.size() == 2)
    return b.create<AtenMmOp>(x, matrix);
  Value rows = b.constant(1);
  for (Value size : ArrayRef(sizes).drop_back())
    rows = b.mulInt(rows, size);
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

/// A tensor [...,n,m] with the batch dims in front, repeated where it has 1, as
/// one batch [B,n,m].
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

/// numpy.matmul. A vector counts as a row on the left, as a column on the
/// right. A plain matrix on the right takes all rows of the left at once;
/// otherwise the batch dims are broadcast and joined to one, for bmm.
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
    Value flatBatch = b.constant(1);
    for (Value size : sizes)
      flatBatch = b.mulInt(flatBatch, size);
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

/// Products of vectors, as those of matrices.
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

void populateLinear(Decompositions &decompositions) {
  decompositions.add(addmm, addmv, asMatmul<AtenDotOp>, asMatmul<AtenMvOp>,
                     baddbmm, linear, matmul, outer);
}

} // namespace isthmus::decompose_torch
