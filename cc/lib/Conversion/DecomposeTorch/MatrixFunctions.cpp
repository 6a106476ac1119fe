//===- MatrixFunctions.cpp - Products, exponentials and norms of matrices -===//

#include "Decompositions.h"
#include "Matrices.h"
#include "isthmus/Dialect/Torch/FactorizationComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include <variant>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// A^n by squares; of the inverse if n is negative.
static Value power(AtenLinalgMatrixPowerOp op, TorchBuilder &b) {
  std::optional<int64_t> n = matchInt(op.getN());
  if (!n)
    return b.fail("expected an exponent that is known while compiling");
  Tensor a(b, op.getSelf());
  if (*n == 0) {
    Value size = rowsOf(a);
    return expanded(identity(b, size, size, a.dtype()), b.sizes(a));
  }
  if (*n < 0)
    a = {b, b.create<AtenLinalgInvOp>(a)};
  std::optional<Tensor> result;
  for (uint64_t rest = *n < 0 ? -uint64_t(*n) : *n;;) {
    if (rest & 1)
      result = result ? matmul(*result, a) : a;
    if (!(rest >>= 1))
      return *result;
    a = matmul(a, a);
  }
}

/// Where to cut each chain of matrices [first, last] in two, so that the
/// products take the fewest multiplications. Matrix i has sizes[i] rows and
/// sizes[i + 1] columns.
static SmallVector<SmallVector<size_t>> cutsFor(ArrayRef<int64_t> sizes) {
  size_t count = sizes.size() - 1;
  SmallVector<SmallVector<double>> costs(count, SmallVector<double>(count, 0));
  SmallVector<SmallVector<size_t>> cuts(count, SmallVector<size_t>(count, 0));
  for (size_t length = 1; length < count; ++length)
    for (size_t first = 0; first + length < count; ++first) {
      size_t last = first + length;
      costs[first][last] = infinity;
      for (size_t cut = first; cut < last; ++cut) {
        double cost = costs[first][cut] + costs[cut + 1][last] +
                      double(sizes[first]) * sizes[cut + 1] * sizes[last + 1];
        if (cost < costs[first][last])
          std::tie(costs[first][last], cuts[first][last]) =
              std::pair(cost, cut);
      }
    }
  return cuts;
}

/// The product of matrices, of which the first may be a row and the last a
/// column. If there are many, or sizes are unknown, from the left.
template <typename Op>
static Value chain(Op op, TorchBuilder &b) {
  auto tensors = matchList(op->getOperand(0));
  if (!tensors || tensors->empty())
    return b.fail("expected a list of tensors that is made by "
                  "torch.prim.ListConstruct");
  // Finding the order takes the cube of their number; far fewer are usual.
  constexpr size_t mostToOrder = 64;
  auto inOrder = [&] {
    Tensor result(b, tensors->front());
    for (Value next : llvm::drop_begin(*tensors))
      result = matmul(result, {b, next});
    return result;
  };
  if (tensors->size() > mostToOrder)
    return inOrder();
  SmallVector<int64_t> sizes;
  for (auto [index, tensor] : llvm::enumerate(*tensors)) {
    ArrayRef<int64_t> own = tensorType(tensor).getSizes();
    sizes.push_back(index == 0 && own.size() == 1 ? 1 : own[0]);
  }
  ArrayRef<int64_t> last = tensorType(tensors->back()).getSizes();
  sizes.push_back(last.size() == 2 ? last[1] : 1);
  if (llvm::any_of(sizes, ShapedType::isDynamic))
    return inOrder();
  SmallVector<SmallVector<size_t>> cuts = cutsFor(sizes);
  std::function<Tensor(size_t, size_t)> product = [&](size_t first,
                                                      size_t last) -> Tensor {
    if (first == last)
      return {b, (*tensors)[first]};
    size_t cut = cuts[first][last];
    return matmul(product(first, cut), product(cut + 1, last));
  };
  return product(0, tensors->size() - 1);
}

/// linalg_vander(x [...,n], N): 1, x, x^2, ... x^(N - 1) along a new dim, as
/// products of 1, x, x, ... x. A number counts as a row of one.
template <typename Op>
static Value powersOf(Op op, TorchBuilder &b) {
  Tensor x = Tensor(b, op.getX()).as(tensorType(op).getDtype());
  if (x.rank() == 0)
    x = {b, b.unsqueeze(x, 0)};
  Value count = isNone(op.getN()) ? b.size(x, x.rank() - 1) : op.getN();
  Tensor isFirst = range(b, b.constant(0), count) == 0;
  return where(isFirst, 1, {b, b.unsqueeze(x, x.rank())})
      .apply<AtenCumprodOp>(b.constant(x.rank()), b.none());
}

/// vander(x [n], N, increasing): from x^(N - 1) to 1 unless they increase.
static Value vander(AtenVanderOp op, TorchBuilder &b) {
  std::optional<bool> increases = matchBool(op.getIncreasing());
  if (!increases)
    return b.fail("expected increasing to be known while compiling");
  Value powers = powersOf(op, b);
  return *increases ? powers : b.create<AtenFlipOp>(powers, b.ints(1));
}

//===----------------------------------------------------------------------===//
// The exponential
//===----------------------------------------------------------------------===//

/// 1 + A + ... + A^16 / 16! for |A| <= 1/2, to the precision of f64. With B =
/// A^4, ((c4 B + c3) B + c2) B + ..., where each c has the powers below 4.
static Tensor taylor(Tensor a) {
  TorchBuilder &b = a.builder();
  Value n = rowsOf(a);
  Tensor one = identity(b, n, n, a.dtype()), square = matmul(a, a);
  Tensor powers[] = {one, a, square, matmul(square, a)};
  Tensor fourth = matmul(square, square);
  double factorial = 1;
  SmallVector<double> inverses = {1};
  for (int64_t k = 1; k <= 16; ++k)
    inverses.push_back(1 / (factorial *= k));
  Tensor sum = fourth * inverses[16];
  for (int64_t group = 3;; --group) {
    for (int64_t k = 0; k < 4; ++k)
      sum = sum + powers[k] * inverses[4 * group + k];
    if (group == 0)
      return sum;
    sum = matmul(sum, fourth);
  }
}

/// exp(A) = exp(A / 2^s)^(2^s), with an s for each matrix for which the largest
/// sum of a column of |A / 2^s| is at most 1/2.
static Value exponential(AtenLinalgMatrixExpOp op, TorchBuilder &b) {
  Tensor a(b, op.getSelf());
  ArrayRef<int64_t> sizes = a.sizes();
  if (llvm::is_contained(sizes, 0))
    return a;
  int64_t last = a.rank() - 1;
  Tensor size = largestOver(sumOver(abs(a), {last - 1}), {last});
  // No halvings for NaN, and for infinity those that f64 would need.
  Tensor exponent = size.apply<AtenLog2Op>().apply<AtenCeilOp>() + 1;
  Tensor halvings = where(size > 0.5, min(exponent, 1025), 0);
  Tensor most = largestOver(halvings, allDims(a.rank()));
  Value steps = b.create<AtenIntTensorOp>(b.squeeze(most, allDims(a.rank())));
  auto isOn = [&](Value number) {
    return asTensor(b, number).as(halvings.dtype()) < halvings;
  };
  States halved =
      repeat(b, steps, {a}, [&](Value number, ArrayRef<Tensor> states) {
        return States{where(isOn(number), states[0] * 0.5, states[0])};
      });
  return repeat(b, steps, {taylor(halved[0])},
                [&](Value number, ArrayRef<Tensor> states) {
                  Tensor x = states[0];
                  return States{where(isOn(number), matmul(x, x), x)};
                })[0];
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

/// The order of a norm: a number, or "fro" or "nuc".
using Order = std::variant<double, StringRef>;

static std::optional<Order> orderOf(TorchBuilder &b, Value value) {
  if (std::optional<StringRef> name = matchStr(value)) {
    if (*name == "fro" || *name == "nuc")
      return *name;
    b.fail("expected the norm \"fro\" or \"nuc\", got \"" + *name + "\"");
    return std::nullopt;
  }
  std::optional<double> number = matchNumber(value);
  if (!number) {
    b.fail("expected an order that is known while compiling");
    return std::nullopt;
  }
  double size = std::fabs(*number);
  if (size == 1 || size == 2 || size == infinity)
    return *number;
  b.fail("expected a norm of order 1, 2 or inf, or of their negatives");
  return std::nullopt;
}

/// The norms of the matrices in two dims, which are kept with size 1 or go:
///   "fro"  the root of the sum of squares
///   "nuc"  the sum of singular values
///   2      the largest singular value; -2 the smallest
///   1      the largest sum of a column's |x|; -1 the smallest
///   inf    the largest sum of a row's |x|; -inf the smallest
static Value matrixNorm(Tensor x, Order order, ArrayRef<int64_t> dims,
                        bool keepdim) {
  TorchBuilder &b = x.builder();
  Value none = b.none();
  int64_t rows = dims[0], columns = dims[1];
  auto extreme = [&](Tensor y, bool isLargest, int64_t dim, bool keeps) {
    Value list = b.ints(ArrayRef<int64_t>(dim)), keep = b.constantBool(keeps);
    return isLargest ? Value(y.apply<AtenAmaxOp>(list, keep))
                     : Value(y.apply<AtenAminOp>(list, keep));
  };
  auto *name = std::get_if<StringRef>(&order);
  if (name && *name == "fro")
    return x.apply<AtenLinalgVectorNormOp>(b.constant(2), b.ints(dims),
                                           b.constantBool(keepdim), none);
  double p = name ? 0 : std::get<double>(order);
  bool isLargest = p > 0;
  if (std::fabs(p) == 1 || std::fabs(p) == infinity) {
    int64_t summed = std::fabs(p) == 1 ? rows : columns,
            other = std::fabs(p) == 1 ? columns : rows;
    Value norm = extreme(sumOver(abs(x), {summed}), isLargest, other, true);
    return keepdim ? norm : b.squeeze(norm, dims);
  }
  SmallVector<int64_t> arranged = allDims(x.rank());
  llvm::erase_if(arranged,
                 [&](int64_t dim) { return llvm::is_contained(dims, dim); });
  llvm::append_range(arranged, dims);
  Tensor values(b, b.create<AtenLinalgSvdvalsOp>(b.permute(x, arranged), none));
  int64_t last = values.rank() - 1;
  Value norm = name ? b.sum(values, {last}, /*keepdim=*/false)
                    : extreme(values, isLargest, last, false);
  if (!keepdim)
    return norm;
  for (int64_t dim : {std::min(rows, columns), std::max(rows, columns)})
    norm = b.unsqueeze(norm, dim);
  return norm;
}

/// The operand in the dtype of the result.
template <typename Op>
static Tensor converted(Op op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  return isComplex(x.dtype()) ? x : x.as(tensorType(op).getDtype());
}

/// The dims of a norm, in the order that is given; none means all.
template <typename Op>
static std::optional<SmallVector<int64_t>> dimsOf(Op op, TorchBuilder &b) {
  int64_t rank = tensorType(op.getSelf()).getRank();
  if (isNone(op.getDim()))
    return allDims(rank);
  std::optional<SmallVector<int64_t>> dims = matchInts(op.getDim());
  if (!dims) {
    b.fail(kConstantDims);
    return std::nullopt;
  }
  for (int64_t &dim : *dims)
    dim = normalDim(dim, rank);
  return dims;
}

template <typename Op>
static Value matrixNormOf(Op op, TorchBuilder &b) {
  auto dims = dimsOf(op, b);
  std::optional<Order> order = orderOf(b, op.getOrd());
  std::optional<bool> keepdim = matchBool(op.getKeepdim());
  if (!dims || !order)
    return {};
  if (dims->size() != 2 || !keepdim)
    return b.fail("expected two dims, and a keepdim that is known while "
                  "compiling");
  return matrixNorm(converted(op, b), *order, *dims, *keepdim);
}

/// norm(x, p, dims): of matrices for an order and two dims, or all of two; else
/// of vectors, by default of order 2.
template <typename Op>
static Value normOf(Op op, TorchBuilder &b) {
  auto dims = dimsOf(op, b);
  if (!dims)
    return {};
  bool hasOrder = !isNone(op.getOrd());
  if (hasOrder && dims->size() == 2)
    return matrixNormOf(op, b);
  return b.create<AtenLinalgVectorNormOp>(
      op.getSelf(), hasOrder ? op.getOrd() : b.constant(2), op.getDim(),
      op.getKeepdim(), op.getDtype());
}

/// cond(A, p) = |A| |A^-1|; for 2 and -2 the ratio of the extreme singular
/// values, for "nuc" the product of their sum and that of their inverses.
/// Otherwise, matrices without an inverse have infinity, as NaNs have.
static Tensor conditionOf(Tensor a, Order order) {
  TorchBuilder &b = a.builder();
  SmallVector<int64_t> dims = {a.rank() - 2, a.rank() - 1};
  auto norm = [&](Tensor x) -> Tensor {
    return {b, matrixNorm(x, order, dims, /*keepdim=*/false)};
  };
  auto *p = std::get_if<double>(&order);
  auto *name = std::get_if<StringRef>(&order);
  bool isNuclear = name && *name == "nuc";
  if (isNuclear || (p && std::fabs(*p) == 2)) {
    Tensor values(b, b.create<AtenLinalgSvdvalsOp>(a, b.none()));
    int64_t last = values.rank() - 1;
    if (isNuclear)
      return {b, b.squeeze(sumOver(values, last) * sumOver(1 / values, last),
                           last)};
    Tensor largest = largestOver(values, {last}),
           smallest = -largestOver(-values, {last});
    return {b,
            b.squeeze(*p > 0 ? largest / smallest : smallest / largest, last)};
  }
  auto all = b.create<AtenLinalgInvExOp>(a, b.constantBool(false));
  Value info = all->getResult(1);
  for (int64_t dim : dims)
    info = b.unsqueeze(info, dim);
  Tensor inverse = where(Tensor(b, info) > 0, infinity, {b, all->getResult(0)});
  Tensor product = norm(a) * norm(inverse);
  return where(product.apply<AtenIsnanOp>(), infinity, product);
}

/// cond(A, p), which is 0 for matrices without elements.
template <typename Op>
static Value cond(Op op, TorchBuilder &b) {
  Tensor a(b, op.getSelf());
  std::optional<Order> order =
      isNone(op.getP()) ? Order(2.0) : orderOf(b, op.getP());
  if (!order)
    return {};
  Value size = smallerSize(a);
  if (matchInt(size) == 0)
    return filled(b, batchAnd(a, {}), 0, tensorType(op).getDtype());
  Tensor condition = conditionOf(a, *order);
  return matchInt(size) ? condition
                        : where(asTensor(b, size) == 0, 0, condition);
}

void populateMatrixFunctions(Decompositions &decompositions) {
  decompositions.add(chain<AtenChainMatmulOp>, chain<AtenLinalgMultiDotOp>,
                     cond<AtenLinalgCondOp>, cond<AtenLinalgCondPStrOp>,
                     exponential, matrixNormOf<AtenLinalgMatrixNormOp>,
                     matrixNormOf<AtenLinalgMatrixNormStrOrdOp>,
                     normOf<AtenLinalgNormOp>, normOf<AtenLinalgNormOrdStrOp>,
                     power, powersOf<AtenLinalgVanderOp>, vander);
}

} // namespace isthmus::decompose_torch
