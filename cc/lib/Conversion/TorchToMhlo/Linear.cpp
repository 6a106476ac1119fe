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
struct MatmulLowering : HloLowering<SourceOp> {
  using HloLowering<SourceOp>::HloLowering;

  FailureOr<Value> lower(SourceOp op, typename SourceOp::Adaptor adaptor,
                         HloBuilder &b) const override {
    // After simplification, sizes may be known to be incompatible.
    Value self = adaptor.getSelf(), mat2 = adaptor.getMat2();
    if (failed(verifyCompatibleShape(
            b.type(self).getShape().drop_front(batchRank + 1),
            b.type(mat2).getShape().slice(batchRank, 1))) ||
        failed(verifyCompatibleShape(
            b.type(self).getShape().take_front(batchRank),
            b.type(mat2).getShape().take_front(batchRank))))
      return this->decline(op)
             << "expected matrices with a common inner size, got "
             << op.getSelf().getType() << " and " << op.getMat2().getType();
    SmallVector<int64_t> batch = dimsUpTo(batchRank);
    auto numbers = mhlo::DotDimensionNumbersAttr::get(
        op.getContext(), batch, batch, {batchRank + 1}, {batchRank});
    return b.create<mhlo::DotGeneralOp>(self, mat2, numbers,
                                        /*precision_config=*/nullptr);
  }
};

} // namespace

void torch_to_mhlo::populateLinear(const TypeConverter &types,
                                   RewritePatternSet &patterns,
                                   UnsupportedOps &unsupported) {
  patterns.add<MatmulLowering<torch::AtenBmmOp, 1>,
               MatmulLowering<torch::AtenMmOp, 0>>(types, patterns.getContext(),
                                                   unsupported);
}
