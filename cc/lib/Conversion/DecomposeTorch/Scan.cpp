//===- Scan.cpp - Running extrema and sums of exponentials ----------------===//
//
// After the k-th of log2(n) steps, an element stands for the 2^k elements that
// end at its position (W. D. Hillis and G. L. Steele, "Data parallel
// algorithms").
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

using Tensors = SmallVector<Tensor>;

/// Scans tensors of the same sizes along a dim. `combine` gets what stands for
/// earlier and for later elements.
static void
scan(TorchBuilder &b, Tensors &tensors, int64_t dim,
     llvm::function_ref<Tensors(const Tensors &, const Tensors &)> combine) {
  int64_t known = tensors.front().sizes()[dim];
  Value count = b.size(tensors.front(), dim), zero = b.constant(0);
  // Further steps change nothing, so sizes known only at run time take all.
  int64_t steps = ShapedType::isDynamic(known) ? 31
                  : known > 1                  ? llvm::Log2_64_Ceil(known)
                                               : 0;
  for (int64_t step = 0; step < steps; ++step) {
    Value distance = b.minInt(b.constant(int64_t(1) << step), count);
    Tensors earlier, later, first;
    for (Tensor x : tensors) {
      first.push_back({b, b.slice(x, dim, zero, distance)});
      earlier.push_back({b, b.slice(x, dim, zero, b.subInt(count, distance))});
      later.push_back({b, b.slice(x, dim, distance)});
    }
    Tensors combined = combine(earlier, later);
    for (auto [x, start, rest] : llvm::zip_equal(tensors, first, combined))
      x = {b, b.cat({start, rest}, dim)};
  }
}

/// cummax(x, dim) and cummin(x, dim): the extremum of the elements up to each
/// position, and the last position that has it. NaN is an extremum.
template <bool isMax, typename Op>
static Decompositions::Values extrema(Op op, TorchBuilder &b) {
  std::optional<int64_t> known = matchInt(op.getDim());
  if (!known)
    return {b.fail("expected a dim that is known while compiling"), {}};
  Type number = IntegerType::get(b.getContext(), 64, IntegerType::Signed);
  Tensor own(b, op.getSelf());
  if (own.rank() == 0)
    return {own, b.scalarTensor(int64_t(0), number)};
  int64_t dim = normalDim(*known, own.rank());
  Value places = spreadIndex(b, range(b, b.constant(0), b.size(own, dim)), dim,
                             b.sizes(own));
  Tensors tensors = {isBoolean(own.dtype()) ? own.as(number) : own,
                     Tensor(b, places)};
  scan(b, tensors, dim, [](const Tensors &earlier, const Tensors &later) {
    Tensor before = earlier[0], x = later[0];
    Tensor isNew = (isMax ? x >= before : x <= before)
                       .template apply<AtenLogicalOrOp>(x != x);
    return Tensors{where(isNew, x, before), where(isNew, later[1], earlier[1])};
  });
  return {tensors[0].as(own.dtype()), tensors[1]};
}

/// logcumsumexp(x, dim) = log(cumsum(exp(x), dim))
static Value logcumsumexp(AtenLogcumsumexpOp op, TorchBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.fail("expected a dim that is known while compiling");
  Tensor own(b, op.getSelf());
  if (own.rank() == 0)
    return own;
  Tensors tensors = {own.widened()};
  scan(b, tensors, normalDim(*dim, own.rank()),
       [](const Tensors &earlier, const Tensors &later) {
         return Tensors{logAddExp(earlier[0], later[0])};
       });
  return tensors[0].as(own.dtype());
}

void populateScan(Decompositions &decompositions) {
  decompositions.add(extrema<false, AtenCumminOp>, extrema<true, AtenCummaxOp>,
                     logcumsumexp);
}

} // namespace isthmus::decompose_torch
