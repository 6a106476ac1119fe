//===- Linear.cpp - Matrix products to linalg -----------------------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;
using namespace isthmus::torch;

namespace {

/// mm: [n,k] x [k,m]; bmm: the same after a common batch dim. Products of f16
/// and bf16 add up in f32, as linalg's named ops do when the result is of that
/// type.
template <typename Op, typename LinalgOp>
struct ProductLowering : LinalgLowering<Op> {
  using LinalgLowering<Op>::LinalgLowering;

  Lowered lower(Op op, typename Op::Adaptor adaptor,
                LinalgBuilder &b) const override {
    Type dtype = dtypeOf(op.getResult());
    if (isComplex(dtype) || isBoolean(dtype))
      return this->decline(op) << "expected numbers, got " << dtype;
    Value lhs = adaptor.getSelf(), rhs = adaptor.getMat2();
    Sizes sizes = b.sizes.of(lhs), right = b.sizes.of(rhs);
    size_t rank = sizes.size();
    b.checkSame(right[rank - 2], sizes[rank - 1],
                "as many rows on the right as columns on the left");
    if (rank == 3)
      b.checkSame(right[0], sizes[0], "batches of the same size");
    sizes.back() = right.back();
    Value zeros = b.filled(sizes, b.elements(wide(dtype)).zero());
    Value product = b.create<LinalgOp>(ValueRange{lhs, rhs}, ValueRange{zeros})
                        ->getResult(0);
    return b.convert(product, wide(dtype), dtype);
  }
};

} // namespace

void torch_to_linalg::populateLinear(const TypeConverter &types,
                                     RewritePatternSet &patterns,
                                     UnsupportedOps &unsupported) {
  patterns.add<ProductLowering<AtenBmmOp, linalg::BatchMatmulOp>,
               ProductLowering<AtenMmOp, linalg::MatmulOp>>(
      types, patterns.getContext(), unsupported);
}
