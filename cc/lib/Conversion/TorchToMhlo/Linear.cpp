//===- Linear.cpp - Matrix products to MHLO -------------------------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;

namespace {

/// mm and bmm: the sum over self's last dim and mat2's last but one.
template <typename SourceOp, unsigned batchRank>
FailureOr<Value> lowerMatmul(SourceOp op, typename SourceOp::Adaptor in,
                             HloBuilder &b) {
  // After simplification, sizes may be known to be incompatible.
  Value self = in.getSelf(), mat2 = in.getMat2();
  if (failed(verifyCompatibleShape(
          b.type(self).getShape().drop_front(batchRank + 1),
          b.type(mat2).getShape().slice(batchRank, 1))) ||
      failed(
          verifyCompatibleShape(b.type(self).getShape().take_front(batchRank),
                                b.type(mat2).getShape().take_front(batchRank))))
    return b.decline() << "expected matrices with a common inner size, got "
                       << op.getSelf().getType() << " and "
                       << op.getMat2().getType();
  SmallVector<int64_t> batch = dimsUpTo(batchRank);
  auto numbers = mhlo::DotDimensionNumbersAttr::get(
      op.getContext(), batch, batch, {batchRank + 1}, {batchRank});
  return b.create<mhlo::DotGeneralOp>(self, mat2, numbers,
                                      /*precision_config=*/nullptr);
}

} // namespace

void torch_to_mhlo::populateLinear(HloLowerings &lowerings) {
  lowerings.add(lowerMatmul<torch::AtenBmmOp, 1>,
                lowerMatmul<torch::AtenMmOp, 0>);
}
