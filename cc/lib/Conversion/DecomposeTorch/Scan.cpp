//===- Scan.cpp - Running extrema and sums of exponentials ----------------===//
//
// After the k-th of log2(n) steps, an element stands for the 2^k elements that
// end at its position (W. D. Hillis and G. L. Steele, "Data parallel
// algorithms").
//
//===----------------------------------------------------------------------===//

#include "Complex.h"
#include "Decompositions.h"
#include "Matrices.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

using Tensors = SmallVector<Tensor>;
/// Combines what stands for earlier and for later elements.
using Combine = llvm::function_ref<Tensors(const Tensors &, const Tensors &)>;

/// Scans along a dim of `known` elements.
static void scanKnown(TorchBuilder &b, Tensors &tensors, int64_t dim,
                      int64_t known, Combine combine) {
  Value count = b.constant(known), zero = b.constant(0);
  for (int64_t size = 1; size < known; size *= 2) {
    Value distance = b.constant(size);
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

/// Scans along a dim whose size is known only at run time.
static void scanUnknown(TorchBuilder &b, Tensors &tensors, int64_t dim,
                        Combine combine) {
  Value count = b.size(tensors.front(), dim);
  int64_t dims = tensors.front().rank() - dim;
  Tensor place = range(b, b.constant(0), count);
  // One more, as the logarithm is rounded: further steps change nothing.
  Tensor size = asTensor(b, b.maxInt(count, b.constant(1)));
  Tensor doublings = size.apply<AtenLog2Op>().apply<AtenCeilOp>() + 1;
  Value steps = b.create<AtenIntTensorOp>(doublings);
  tensors.push_back({b, b.scalarTensor(int64_t(1), place.dtype())});
  tensors = loop(b, steps, tensors, [&](Value, ArrayRef<Tensor> states) {
    Tensor distance = states.back();
    Tensors later(states.drop_back()), earlier;
    Tensor from = max(place - distance, 0);
    for (Tensor x : later)
      earlier.push_back(x.apply<AtenIndexSelectOp>(b.constant(dim), from));
    Tensor hasEarlier(b, alongFirst(b, place >= distance, count, dims));
    Tensors combined = combine(earlier, later);
    for (auto [x, sum] : llvm::zip_equal(later, combined))
      x = where(hasEarlier, sum, x);
    later.push_back(distance * 2);
    return later;
  });
  tensors.pop_back();
}

/// Scans tensors of the same sizes along a dim.
static void scan(TorchBuilder &b, Tensors &tensors, int64_t dim,
                 Combine combine) {
  int64_t known = tensors.front().sizes()[dim];
  if (ShapedType::isDynamic(known))
    scanUnknown(b, tensors, dim, combine);
  else
    scanKnown(b, tensors, dim, known, combine);
}

/// cummax(x, dim) and cummin(x, dim): the extremum of the elements up to each
/// position, and the last position that has it. NaN is an extremum.
template <bool isMax, typename Op>
static Decompositions::Values extrema(Op op, TorchBuilder &b) {
  std::optional<int64_t> known = matchInt(op.getDim());
  if (!known)
    return {b.fail(kConstantDim), {}};
  Type number = indexDtype(b);
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
    Tensor isNew = (isMax ? x >= before : x <= before) | (x != x);
    return Tensors{where(isNew, x, before), where(isNew, later[1], earlier[1])};
  });
  return {tensors[0].as(own.dtype()), tensors[1]};
}

/// logcumsumexp(x, dim) = log(cumsum(exp(x), dim))
static Value logcumsumexp(AtenLogcumsumexpOp op, TorchBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.fail(kConstantDim);
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

/// Scans complex numbers, which `combine` combines in the dtype of the result.
static Complex scanned(TorchBuilder &b, Value x, Value dim, Type dtype,
                       Complex (*combine)(Complex, Complex)) {
  std::optional<int64_t> known = matchInt(dim);
  if (!known)
    b.fail(kConstantDim);
  Type part = partDtype(dtype);
  Complex own = partsOf(b, x);
  Tensors parts = {own.real.as(part), imaginaryOf(own).as(part)};
  if (int64_t rank = own.real.rank(); known && rank > 0)
    scan(b, parts, normalDim(*known, rank),
         [&](const Tensors &earlier, const Tensors &later) {
           Complex both =
               combine({earlier[0], earlier[1]}, {later[0], later[1]});
           return Tensors{both.real, imaginaryOf(both)};
         });
  return {parts[0], parts[1]};
}

static Complex times(Complex x, Complex y) { return x * y; }

static Value complexCumprod(AtenCumprodOp op, TorchBuilder &b) {
  return joined(
      scanned(b, op.getSelf(), op.getDim(), tensorType(op).getDtype(), times));
}

static Value complexLogcumsumexp(AtenLogcumsumexpOp op, TorchBuilder &b) {
  return joined(scanned(b, op.getSelf(), op.getDim(), tensorType(op).getDtype(),
                        logAddExp));
}

/// prod(x, dim, keepdim): the last one of the cumulative products of 1 and x.
static Value complexProduct(AtenProdDimIntOp op, TorchBuilder &b) {
  std::optional<int64_t> known = matchInt(op.getDim());
  std::optional<bool> keepdim = matchBool(op.getKeepdim());
  if (!known || !keepdim)
    return b.fail("expected a dim and keepdim that are known while compiling");
  Type dtype = tensorType(op).getDtype();
  Tensor x = Tensor(b, op.getSelf()).as(dtype);
  if (x.rank() == 0)
    return x;
  int64_t dim = normalDim(*known, x.rank());
  SmallVector<Value> sizes = b.sizes(x);
  Value count = sizes[dim];
  sizes[dim] = b.constant(1);
  Value factors = b.cat({filled(b, sizes, 1, dtype), x}, dim);
  Complex products = scanned(b, factors, b.constant(dim), dtype, times);
  return joined(eachPart(products, [&](Tensor part) -> Tensor {
    Value last = b.slice(part, dim, count);
    return {b, *keepdim ? last : b.squeeze(last, dim)};
  }));
}

void addComplexScans(Decompositions &forms) {
  forms.add(complexCumprod, complexLogcumsumexp, complexProduct);
}

void populateScan(Decompositions &decompositions) {
  decompositions.add(extrema<false, AtenCumminOp>, extrema<true, AtenCummaxOp>,
                     logcumsumexp);
}

} // namespace isthmus::decompose_torch
