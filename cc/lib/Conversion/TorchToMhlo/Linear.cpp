//===- Linear.cpp - Matrix products to MHLO -------------------------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;

namespace {

/// The sum of products over a dim of each, for each element of their first
/// `batchRank` dims. The dims of one tensor stay apart: XLA's partitioner
/// splits a program at dims that both the program and a sharding have.
Value product(HloBuilder &b, Value lhs, int64_t lhsDim, Value rhs,
              int64_t rhsDim, int64_t batchRank = 0) {
  SmallVector<int64_t> batch = dimsUpTo(batchRank);
  auto numbers = mhlo::DotDimensionNumbersAttr::get(
      b.getBuilder().getContext(), batch, batch, {lhsDim}, {rhsDim});
  return b.create<mhlo::DotGeneralOp>(lhs, rhs, numbers,
                                      /*precision_config=*/nullptr);
}

/// Whether a dim of each has the same size, as far as both are known.
bool haveSameSize(Value lhs, int64_t lhsDim, Value rhs, int64_t rhsDim) {
  return succeeded(
      verifyCompatibleShape(HloBuilder::type(lhs).getShape().slice(lhsDim, 1),
                            HloBuilder::type(rhs).getShape().slice(rhsDim, 1)));
}

/// mm and bmm: the sum over self's last dim and mat2's last but one.
template <typename SourceOp, unsigned batchRank>
FailureOr<Value> lowerMatmul(SourceOp op, typename SourceOp::Adaptor in,
                             HloBuilder &b) {
  // After simplification, sizes may be known to be incompatible.
  Value self = in.getSelf(), mat2 = in.getMat2();
  if (!haveSameSize(self, batchRank + 1, mat2, batchRank) ||
      failed(
          verifyCompatibleShape(b.type(self).getShape().take_front(batchRank),
                                b.type(mat2).getShape().take_front(batchRank))))
    return b.decline() << "expected matrices with a common inner size, got "
                       << op.getSelf().getType() << " and "
                       << op.getMat2().getType();
  return product(b, self, batchRank + 1, mat2, batchRank, batchRank);
}

/// A tensor whose dims before the last `inner` ones are broadcast to `batch`.
Value withBatch(HloBuilder &b, Value tensor, ArrayRef<Size> batch,
                int64_t inner) {
  int64_t own = b.rank(tensor) - inner, added = batch.size() - own;
  Sizes shape(batch);
  SmallVector<int64_t> dims;
  for (int64_t dim : dimsUpTo(b.rank(tensor))) {
    dims.push_back(dim + added);
    if (dim >= own)
      shape.push_back(b.sizes.sizeOf(tensor, dim));
  }
  return b.broadcast(tensor, shape, dims);
}

/// numpy.matmul. A matrix or vector on the right is multiplied with all rows of
/// the left; otherwise the dims before the matrices are broadcast.
FailureOr<Value> lowerMatmulOfRanks(torch::AtenMatmulOp op,
                                    torch::AtenMatmulOp::Adaptor in,
                                    HloBuilder &b) {
  Type element = b.resultType().getElementType();
  Value x = b.convert(in.getSelf(), element),
        y = b.convert(in.getOther(), element);
  int64_t last = b.rank(x) - 1, row = std::max<int64_t>(b.rank(y) - 2, 0);
  if (!haveSameSize(x, last, y, row))
    return b.decline() << "expected matrices with a common inner size, got "
                       << op.getSelf().getType() << " and "
                       << op.getOther().getType();
  if (b.rank(y) <= 2)
    return product(b, x, last, y, row);

  int64_t innerOfX = std::min<int64_t>(b.rank(x), 2);
  Sizes batch(std::max(b.rank(x) - innerOfX, row), 1);
  for (auto [tensor, own] : {std::pair(x, b.rank(x) - innerOfX), {y, row}})
    for (int64_t dim : dimsUpTo(own)) {
      Size &size = batch[batch.size() - own + dim];
      size = b.sizes.broadcast(size, b.sizes.sizeOf(tensor, dim));
    }
  int64_t count = batch.size();
  return product(b, withBatch(b, x, batch, innerOfX), count + innerOfX - 1,
                 withBatch(b, y, batch, 2), count, count);
}

/// linear(x [...,in], weight [out,in], bias [out]) = x @ weight^T + bias
FailureOr<Value> lowerLinear(torch::AtenLinearOp op,
                             torch::AtenLinearOp::Adaptor in, HloBuilder &b) {
  Value x = in.getInput(), weight = in.getWeight();
  int64_t last = b.rank(x) - 1, inner = b.rank(weight) - 1;
  if (!haveSameSize(x, last, weight, inner))
    return b.decline() << "expected rows of the size of the weight's, got "
                       << op.getInput().getType() << " and "
                       << op.getWeight().getType();
  Value y = product(b, x, last, weight, inner);
  if (torch::isNone(op.getBias()))
    return y;
  return b.create<mhlo::AddOp>(y,
                               b.broadcastTo(in.getBias(), b.sizes.sizesOf(y)));
}

} // namespace

void torch_to_mhlo::populateLinear(HloLowerings &lowerings) {
  lowerings.add(lowerLinear, lowerMatmul<torch::AtenBmmOp, 1>,
                lowerMatmul<torch::AtenMmOp, 0>, lowerMatmulOfRanks);
}
