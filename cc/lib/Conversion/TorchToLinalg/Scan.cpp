//===- Scan.cpp - Running sums and products to loops over slices ----------===//

#include "Families.h"
#include "IreeOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;
using namespace isthmus::torch;

namespace {

/// result[i] = combine(result[i - 1], self[i]) along a dim. The loop iterates
/// over that dim and computes a slice of all others at a time. f16 and bf16 are
/// accumulated in f32.
template <typename Op, Value (Elements::*combine)(Value, Value) const,
          bool startsAtOne>
FailureOr<Value> lowerScan(Op op, typename Op::Adaptor in, LinalgBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.decline() << kConstantDim;
  Type from = dtypeOf(op.getSelf()), result = dtypeOf(op.getResult()),
       dtype = wide(result);
  Value self = in.getSelf();
  Sizes sizes = b.sizes.of(self);
  if (sizes.empty())
    return b.convert(self, from, result);

  *dim = normalDim(*dim, sizes.size());
  Elements outside = b.elements(dtype);
  Value first = startsAtOne ? outside.one() : outside.zero();
  if (b.isForIree()) {
    Sizes others = sizes;
    others.erase(others.begin() + *dim);
    Value scanned =
        ireeScan(b, b.convert(self, from, dtype), b.filled(others, first), *dim,
                 [&](LinalgBuilder &inner, Value soFar, Value x) {
                   return (inner.elements(dtype).*combine)(soFar, x);
                 });
    return b.convert(scanned, dtype, result);
  }

  Sizes lengths = sizes, offsets(sizes.size(), b.sizes.constant(0));
  Sizes steps(sizes.size(), b.sizes.constant(1));
  lengths[*dim] = b.sizes.constant(1);
  Value start = b.filled(lengths, first);
  Value scanned = b.empty(sizes, elementType(result));
  return b
      .forEach(
          sizes[*dim], {scanned, start},
          [&](LinalgBuilder &inner, ValueRange position, ValueRange soFar) {
            offsets[*dim] = position.front();
            Value slice = inner.slice(self, offsets, lengths);
            Value next = inner.pointwise(
                {soFar[1], slice}, lengths, elementType(dtype),
                [&](OpBuilder &body, Location loc, ValueRange x) {
                  Elements e(body, loc, dtype);
                  return (e.*combine)(x[0], e.convert(x[1], from));
                });
            Value stored = inner.create<tensor::InsertSliceOp>(
                inner.convert(next, dtype, result), soFar[0], offsets, lengths,
                steps);
            return SmallVector<Value>{stored, next};
          })
      .front();
}

} // namespace

void torch_to_linalg::populateScan(LinalgLowerings &lowerings) {
  lowerings.addReal(lowerScan<AtenCumprodOp, &Elements::mul, true>,
                    lowerScan<AtenCumsumOp, &Elements::add, false>);
}
