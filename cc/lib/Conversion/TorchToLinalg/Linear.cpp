//===- Linear.cpp - Matrix products to linalg -----------------------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;
using namespace isthmus::torch;

namespace {

/// mm: [n,k] x [k,m]; bmm: the same with a leading batch dim. Products of f16
/// and bf16 are accumulated in f32, as linalg's named ops do if the result has
/// that type.
template <typename Op, typename LinalgOp>
FailureOr<Value> lowerMatmul(Op op, typename Op::Adaptor in, LinalgBuilder &b) {
  Type dtype = dtypeOf(op.getResult());
  if (isComplex(dtype) || isBoolean(dtype))
    return b.decline() << "expected numbers, got " << dtype;
  Value lhs = in.getSelf(), rhs = in.getMat2();
  Sizes sizes = b.sizes.of(lhs), right = b.sizes.of(rhs);
  size_t rank = sizes.size();
  b.checkSame(right[rank - 2], sizes[rank - 1],
              "as many rows on the right as columns on the left");
  if (rank == 3)
    b.checkSame(right[0], sizes[0], "batches of the same size");
  sizes.back() = right.back();
  Value zeros = b.filled(sizes, b.elements(wide(dtype)).zero());
  Value product =
      b.create<LinalgOp>(ValueRange{lhs, rhs}, ValueRange{zeros})->getResult(0);
  return b.convert(product, wide(dtype), dtype);
}

struct Region {
  Sizes offsets, lengths;
};

/// _grouped_mm(a, b, offs): a product for each group, whose part of a and b
/// ends before offs[group], inserted into the result. The ranks determine which
/// dim is split into groups:
///   a [m,k],   b [g,k,n]: the rows of a and of the result [m,n];
///   a [g,m,k], b [k,n]:   the columns of b and of the result [m,n];
///   a [m,k],   b [k,n]:   the columns of a and rows of b; the result [g,m,n].
FailureOr<Value> lowerGroupedMm(Aten_GroupedMmOp op,
                                Aten_GroupedMmOp::Adaptor in,
                                LinalgBuilder &b) {
  Value lhs = in.getSelf(), rhs = in.getMat2();
  Type from = dtypeOf(op.getSelf()), to = dtypeOf(op.getResult());
  if (!isNone(op.getBias()))
    return b.decline() << "expected no bias, which PyTorch has not either";
  if (from != dtypeOf(op.getMat2()) || isComplex(from) || isBoolean(from))
    return b.decline() << "expected numbers of one dtype, got " << from
                       << " and " << dtypeOf(op.getMat2());
  Sizes left = b.sizes.of(lhs), right = b.sizes.of(rhs);
  bool isBatch = left.size() == 3 && right.size() == 3;
  if (isBatch != isNone(op.getOffs()))
    return b.decline() << "expected offs for a matrix, and only there";
  b.checkSame(right[right.size() - 2], left.back(),
              "as many rows on the right as columns on the left");
  Size rows = left[left.size() - 2], columns = right.back();
  if (isBatch) {
    b.checkSame(right[0], left[0], "batches of the same size");
    Value zeros =
        b.filled({left[0], rows, columns}, b.elements(wide(from)).zero());
    Value product = b.create<linalg::BatchMatmulOp>(ValueRange{lhs, rhs}, zeros)
                        .getResult(0);
    return b.convert(product, wide(from), to);
  }

  Value ends = in.getOffs();
  Size groups = b.sizes.of(ends, 0), zero = b.sizes.constant(0);
  if (left.size() == 3 || right.size() == 3)
    b.checkSame(groups, left.size() == 3 ? left[0] : right[0],
                "as many offs as matrices");
  bool isInner = left.size() == right.size();
  Sizes sizes = {rows, columns};
  if (isInner)
    sizes.insert(sizes.begin(), groups);
  Size limit = isInner ? left[1] : right.size() == 3 ? rows : columns;
  Value result = b.filled(sizes, b.elements(to).zero());
  return b.forEach(
      groups, {result, b.sizes.toIndex(zero)},
      [&](LinalgBuilder &inner, ValueRange position, ValueRange carried) {
        Size group = position[0], start = carried[1];
        Value end = inner.create<arith::IndexCastOp>(
            inner.getBuilder().getIndexType(), inner.extract(ends, position));
        inner.checkNotNegative(end);
        inner.checkAtMost(end, limit, "offs inside of the dim they part");
        // Both are inside the dim: the previous offset was checked as well.
        Size length =
            inner.create<arith::SubIOp>(end, inner.sizes.toIndex(start))
                .getResult();
        inner.checkNotNegative(length);
        // A separate matrix, or a part of the common one.
        auto place = [&](ArrayRef<Size> sizes, int64_t partedDim) {
          Region region = {Sizes(sizes.size(), zero), Sizes(sizes)};
          bool isOwn = sizes.size() == 3;
          int64_t dim = isOwn ? 0 : partedDim;
          region.offsets[dim] = isOwn ? group : start;
          region.lengths[dim] = isOwn ? inner.sizes.constant(1) : length;
          return region;
        };
        auto part = [&](Value tensor, const Region &region) {
          Value part = inner.slice(tensor, region.offsets, region.lengths);
          return inner.reshape(part,
                               Sizes(ArrayRef(region.lengths).take_back(2)));
        };
        Region target = place(sizes, right.size() == 3 ? 0 : 1);
        Value a = part(lhs, place(left, right.size() == 3 ? 0 : 1)),
              c = part(rhs, place(right, left.size() == 3 ? 1 : 0));
        Value zeros = inner.filled(ArrayRef(target.lengths).take_back(2),
                                   inner.elements(wide(from)).zero());
        Value product = inner.create<linalg::MatmulOp>(ValueRange{a, c}, zeros)
                            .getResult(0);
        Sizes steps(sizes.size(), inner.sizes.constant(1));
        Value next = inner.create<tensor::InsertSliceOp>(
            inner.convert(product, wide(from), to), carried[0], target.offsets,
            target.lengths, steps);
        return SmallVector<Value>{next, end};
      })[0];
}

} // namespace

void torch_to_linalg::populateLinear(LinalgLowerings &lowerings) {
  lowerings.add(lowerMatmul<AtenBmmOp, linalg::BatchMatmulOp>,
                lowerMatmul<AtenMmOp, linalg::MatmulOp>, lowerGroupedMm);
}
