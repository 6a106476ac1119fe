//===- Tensor.cpp - Tensors that combine like numbers ---------------------===//

#include "Tensor.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include <limits>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;
using namespace isthmus::decompose_torch;

Tensor Tensor::number(double number) const {
  return {*b, b->scalarTensor(number, dtype())};
}

Tensor Tensor::widened() const {
  Type type = dtype();
  bool isNarrow = isFloatingPoint(type) && type.getIntOrFloatBitWidth() < 32;
  if (!isNarrow && !isIntegral(type))
    return *this;
  return as(Float32Type::get(value.getContext()));
}

std::optional<SmallVector<int64_t>>
decompose_torch::boundedInts(TorchBuilder &b, Value list, StringRef what) {
  std::optional<SmallVector<int64_t>> ints = matchInts(list);
  if (!ints) {
    b.fail("expected " + what + " that is known while compiling");
    return std::nullopt;
  }
  for (int64_t number : *ints)
    if (!llvm::isInt<32>(number)) {
      b.fail("expected " + what + " of 32 bits, got " + Twine(number));
      return std::nullopt;
    }
  return ints;
}

Tensor decompose_torch::scalar(TorchBuilder &b, Value number, Type dtype) {
  if (std::optional<int64_t> known = matchInt(number))
    return {b, b.scalarTensor(*known, dtype)};
  if (std::optional<double> known = matchNumber(number))
    return {b, b.scalarTensor(*known, dtype)};
  Value none = b.none();
  return {b, b.create<AtenFullOp>(b.ints(ArrayRef<int64_t>()), number,
                                  b.dtype(dtype), none, none, none)};
}

Tensor decompose_torch::operator+(Tensor a, Tensor b) {
  return {a.builder(), a.builder().add(a, b)};
}
Tensor decompose_torch::operator-(Tensor a, Tensor b) {
  return {a.builder(), a.builder().sub(a, b)};
}
Tensor decompose_torch::operator*(Tensor a, Tensor b) {
  return a.apply<AtenMulTensorOp>(b);
}
Tensor decompose_torch::operator/(Tensor a, Tensor b) {
  return a.apply<AtenDivTensorOp>(b);
}
Tensor decompose_torch::operator-(Tensor a) { return a.apply<AtenNegOp>(); }

Tensor decompose_torch::operator>(Tensor a, Tensor b) {
  return a.apply<AtenGtTensorOp>(b);
}
Tensor decompose_torch::operator>=(Tensor a, Tensor b) {
  return a.apply<AtenGeTensorOp>(b);
}
Tensor decompose_torch::operator<(Tensor a, Tensor b) {
  return a.apply<AtenLtTensorOp>(b);
}
Tensor decompose_torch::operator<=(Tensor a, Tensor b) {
  return a.apply<AtenLeTensorOp>(b);
}
Tensor decompose_torch::operator==(Tensor a, Tensor b) {
  return a.apply<AtenEqTensorOp>(b);
}
Tensor decompose_torch::operator&(Tensor a, Tensor b) {
  return a.apply<AtenLogicalAndOp>(b);
}
Tensor decompose_torch::operator|(Tensor a, Tensor b) {
  return a.apply<AtenLogicalOrOp>(b);
}
Tensor decompose_torch::operator!(Tensor x) {
  return x.apply<AtenLogicalNotOp>();
}
Tensor decompose_torch::operator!=(Tensor a, Tensor b) {
  return a.apply<AtenNeTensorOp>(b);
}
Tensor decompose_torch::max(Tensor a, Tensor b) {
  return a.apply<AtenMaximumOp>(b);
}
Tensor decompose_torch::min(Tensor a, Tensor b) {
  return a.apply<AtenMinimumOp>(b);
}

Tensor decompose_torch::where(Tensor condition, Tensor a, Tensor b) {
  return condition.apply<AtenWhereSelfOp>(a, b);
}

Tensor decompose_torch::abs(Tensor x) { return x.apply<AtenAbsOp>(); }
Tensor decompose_torch::atan(Tensor x) { return x.apply<AtenAtanOp>(); }
Tensor decompose_torch::cos(Tensor x) { return x.apply<AtenCosOp>(); }
Tensor decompose_torch::erf(Tensor x) { return x.apply<AtenErfOp>(); }
Tensor decompose_torch::exp(Tensor x) { return x.apply<AtenExpOp>(); }
Tensor decompose_torch::expm1(Tensor x) { return x.apply<AtenExpm1Op>(); }
Tensor decompose_torch::floor(Tensor x) { return x.apply<AtenFloorOp>(); }
Tensor decompose_torch::log(Tensor x) { return x.apply<AtenLogOp>(); }
Tensor decompose_torch::log1p(Tensor x) { return x.apply<AtenLog1pOp>(); }
Tensor decompose_torch::rsqrt(Tensor x) { return x.apply<AtenRsqrtOp>(); }
Tensor decompose_torch::sigmoid(Tensor x) { return x.apply<AtenSigmoidOp>(); }
Tensor decompose_torch::sin(Tensor x) { return x.apply<AtenSinOp>(); }
Tensor decompose_torch::sqrt(Tensor x) { return x.apply<AtenSqrtOp>(); }
Tensor decompose_torch::tanh(Tensor x) { return x.apply<AtenTanhOp>(); }

/// With the larger m and the smaller s of a and b, m + log(1 + exp(s - m)).
Tensor decompose_torch::logAddExp(Tensor a, Tensor b) {
  Tensor m = max(a, b), s = min(a, b);
  return where(abs(m) == std::numeric_limits<double>::infinity(), m,
               m + log1p(exp(s - m)));
}

Tensor decompose_torch::largestOver(Tensor x, ArrayRef<int64_t> dims) {
  TorchBuilder &b = x.builder();
  return x.apply<AtenAmaxOp>(b.ints(dims), b.constantBool(true));
}

Tensor decompose_torch::sumOver(Tensor x, ArrayRef<int64_t> dims) {
  TorchBuilder &b = x.builder();
  // aten.sum would read an empty list as all dims.
  return dims.empty() ? x : Tensor(b, b.sum(x, dims, /*keepdim=*/true));
}

Tensor decompose_torch::countOver(Tensor x, ArrayRef<int64_t> dims) {
  TorchBuilder &b = x.builder();
  Value elements = b.constant(1);
  for (int64_t dim : dims)
    if (dim < x.rank())
      elements = b.mulInt(elements, b.size(x, dim));
  return scalar(b, elements, x.dtype());
}

Tensor decompose_torch::range(TorchBuilder &b, Value start, Value end) {
  return {b,
          b.create<AtenArangeStartStepOp>(start, end, b.constant(1), b.none(),
                                          b.none(), b.none(), b.none())};
}

Type decompose_torch::computedDtype(Type dtype) {
  return dtype.isF64() ? dtype : Type(Float32Type::get(dtype.getContext()));
}

Value decompose_torch::integers(TorchBuilder &b, ArrayRef<int64_t> values,
                                ArrayRef<int64_t> sizes) {
  auto type = RankedTensorType::get(sizes, b.getBuilder().getI64Type());
  return b.literal(DenseElementsAttr::get(type, values));
}

Value decompose_torch::reals(TorchBuilder &b, ArrayRef<double> values,
                             ArrayRef<int64_t> sizes, Type dtype) {
  if (!isFloatingPoint(dtype))
    return b.convert(reals(b, values, sizes, Float64Type::get(b.getContext())),
                     dtype);
  auto numbers = llvm::map_to_vector(values, [&](double value) -> Attribute {
    return FloatAttr::get(dtype, value);
  });
  return b.literal(
      DenseElementsAttr::get(RankedTensorType::get(sizes, dtype), numbers));
}

Value decompose_torch::listOf(Operation *op, TorchBuilder &b,
                              ValueRange tensors) {
  return PrimListConstructOp::create(b.getBuilder(), b.getLoc(),
                                     op->getResult(0).getType(), tensors);
}

Type decompose_torch::indexDtype(TorchBuilder &b) {
  return IntegerType::get(b.getContext(), 64, IntegerType::Signed);
}

Tensor decompose_torch::productAlong(Tensor x, int64_t dim, Value matrix) {
  TorchBuilder &b = x.builder();
  SmallVector<int64_t> order = allDims(x.rank());
  std::swap(order[dim], order.back());
  Tensor rows(b, b.permute(x, order));
  return {b, b.permute(rows.apply<AtenMatmulOp>(matrix), order)};
}

Value decompose_torch::alongFirst(TorchBuilder &b, Value row, Value size,
                                  int64_t dims) {
  SmallVector<Value> sizes(dims, b.constant(1));
  sizes.front() = size;
  return b.view(row, sizes);
}

Tensor decompose_torch::columnMinusRow(TorchBuilder &b, Value rows,
                                       Value columns) {
  Value zero = b.constant(0);
  Tensor row(b, b.unsqueeze(range(b, zero, rows), 1));
  return range(b, zero, columns) - row;
}

Value decompose_torch::spreadIndex(TorchBuilder &b, Value positions,
                                   int64_t dim, ArrayRef<Value> sizes) {
  return b.expand(alongFirst(b, positions, b.constant(-1), sizes.size() - dim),
                  sizes);
}

Tensor decompose_torch::countEnds(TorchBuilder &b, Value ends, Value count) {
  Tensor position(b, b.unsqueeze(range(b, b.constant(0), count), 1));
  Tensor end = Tensor(b, ends).as(position.dtype());
  return {b, b.sum(position >= end, {1}, /*keepdim=*/false)};
}

Value decompose_torch::fromStart(TorchBuilder &b, Value position, Value size) {
  Value isNegative = b.fold<AtenLtIntOp>(position, b.constant(0));
  return b.addInt(position, b.mulInt(b.fold<AtenIntBoolOp>(isNegative), size));
}

Tensor decompose_torch::fromStart(Tensor positions, Value size) {
  Tensor count = scalar(positions.builder(), size, positions.dtype());
  return where(positions < 0, positions + count, positions);
}

Tensor decompose_torch::filled(TorchBuilder &b, ArrayRef<Value> sizes,
                               double number, Type dtype) {
  Value none = b.none();
  return {b, b.create<AtenFullOp>(b.ints(sizes), b.constantFloat(number),
                                  b.dtype(dtype), none, none, none)};
}

Tensor decompose_torch::zerosLike(Tensor x) {
  return filled(x.builder(), x.builder().sizes(x), 0, x.dtype());
}

static bool isOne(Value size) { return matchInt(size) == 1; }

static Value broadcastSize(TorchBuilder &b, Value x, Value y) {
  if (isOne(x) || isOne(y))
    return isOne(x) ? y : x;
  return matchInt(x) ? x : matchInt(y) ? y : b.maxInt(x, y);
}

SmallVector<Value> decompose_torch::broadcastSizes(TorchBuilder &b,
                                                   ArrayRef<Value> x,
                                                   ArrayRef<Value> y) {
  if (x.size() < y.size())
    std::swap(x, y);
  SmallVector<Value> sizes(x);
  size_t offset = x.size() - y.size();
  for (auto [dim, size] : llvm::enumerate(y))
    sizes[offset + dim] = broadcastSize(b, sizes[offset + dim], size);
  return sizes;
}

std::pair<Tensor, Tensor> decompose_torch::broadcast(Tensor x, Tensor y) {
  TorchBuilder &b = x.builder();
  SmallVector<Value> sizes = broadcastSizes(b, b.sizes(x), b.sizes(y));
  return {{b, b.expand(x, sizes)}, {b, b.expand(y, sizes)}};
}

States decompose_torch::loop(TorchBuilder &b, Value steps, const States &init,
                             Step step) {
  OpBuilder &builder = b.getBuilder();
  SmallVector<Value> carried(init.begin(), init.end());
  SmallVector<Type> types = llvm::to_vector(ValueRange(carried).getTypes());
  auto loop = PrimLoopOp::create(builder, b.getLoc(), types, steps,
                                 b.constantBool(true), carried);

  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> arguments = {torch::IntType::get(b.getContext())};
  llvm::append_range(arguments, types);
  Block *body =
      builder.createBlock(&loop.getRegion(), {}, arguments,
                          SmallVector<Location>(arguments.size(), b.getLoc()));
  States states;
  for (Value state : body->getArguments().drop_front())
    states.push_back({b, state});
  SmallVector<Value> after;
  for (auto [state, type] :
       llvm::zip_equal(step(body->getArgument(0), states), types))
    // An update can know more sizes than the initial state, or fewer.
    after.push_back(
        Value(state).getType() == type
            ? Value(state)
            : TensorStaticInfoCastOp::create(builder, b.getLoc(), type, state));
  PrimLoopConditionOp::create(builder, b.getLoc(), b.constantBool(true), after);

  States results;
  for (Value result : loop.getResults())
    results.push_back({b, result});
  return results;
}

States decompose_torch::repeat(TorchBuilder &b, Value steps, const States &init,
                               Step step) {
  constexpr int64_t maxUnrolled = 8;
  std::optional<int64_t> known = matchInt(steps);
  if (!known || *known > maxUnrolled)
    return loop(b, steps, init, step);
  States states = init;
  for (int64_t number = 0; number < *known; ++number)
    states = step(b.constant(number), states);
  return states;
}
