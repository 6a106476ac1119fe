//===- SizeArithmetic.cpp - Static and dynamic sizes ----------------------===//

#include "SizeArithmetic.h"
#include "SizeRanges.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Support/Diagnostics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;

using Size = SizeArithmetic::Size;

std::optional<int64_t> torch_to_linalg::known(OpFoldResult size) {
  return getConstantIntValue(size);
}

SmallVector<int64_t>
torch_to_linalg::staticSizes(ArrayRef<OpFoldResult> sizes) {
  return llvm::map_to_vector(sizes, [](OpFoldResult size) {
    return known(size).value_or(ShapedType::kDynamic);
  });
}

/// True for the same computation on the same values, up to `depth` operations
/// back.
static bool areSameValues(Value a, Value b, unsigned depth) {
  if (a == b)
    return true;
  Operation *left = a.getDefiningOp(), *right = b.getDefiningOp();
  if (depth == 0 || !left || !right || left->getName() != right->getName() ||
      left->getNumResults() != 1 || left->getNumRegions() ||
      !isMemoryEffectFree(left) ||
      left->getNumOperands() != right->getNumOperands() ||
      left->getAttrDictionary() != right->getAttrDictionary())
    return false;
  return llvm::all_of(llvm::zip(left->getOperands(), right->getOperands()),
                      [&](auto operands) {
                        return areSameValues(std::get<0>(operands),
                                             std::get<1>(operands), depth - 1);
                      });
}

bool torch_to_linalg::areSame(OpFoldResult a, OpFoldResult b) {
  std::optional<int64_t> left = known(a), right = known(b);
  if (left || right)
    return left == right;
  return areSameValues(cast<Value>(a), cast<Value>(b), /*depth=*/6);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Bound on the magnitude of an invalid size in formulas: larger than any
/// tensor size, and small enough for sums.
static constexpr int64_t kReach = int64_t(1) << 48;

bool SizeArithmetic::isNeverNegative(Size size) {
  if (std::optional<int64_t> number = known(size))
    return *number >= 0;
  return isWithin(cast<Value>(size), 0, INT64_MAX, builder);
}

void SizeArithmetic::stopUnless(Value condition, const Twine &message) {
  if (matchPattern(condition, m_One()))
    return;
  cf::AssertOp::create(builder, loc, condition,
                       (nodePrefixOf(loc) + message).str());
}

void SizeArithmetic::stopUnless(arith::CmpIPredicate predicate, Size a, Size b,
                                const Twine &message) {
  stopUnless(
      arith::CmpIOp::create(builder, loc, predicate, toIndex(a), toIndex(b)),
      message);
}

void SizeArithmetic::keepWithin(Value value, int64_t limit) {
  StringRef message = "expected a size that memory can hold";
  if (!isWithin(value, -limit, INT64_MAX, builder))
    stopUnless(arith::CmpIPredicate::sge, value, constant(-limit), message);
  if (!isWithin(value, INT64_MIN, limit, builder))
    stopUnless(arith::CmpIPredicate::sle, value, constant(limit), message);
}

void SizeArithmetic::keepSum(Value a, Value b) {
  if (isSumExact(a, b, builder))
    return;
  keepWithin(a, kReach);
  keepWithin(b, kReach);
}

void SizeArithmetic::keepDifference(Value a, Value b) {
  if (isDifferenceExact(a, b, builder))
    return;
  keepWithin(a, kReach);
  keepWithin(b, kReach);
}

void SizeArithmetic::keepProduct(Value a, Value b) {
  if (isProductExact(a, b, builder))
    return;
  if (known(a))
    std::swap(a, b);
  if (std::optional<int64_t> factor = known(b)) {
    int64_t magnitude = std::max(std::abs(std::max(*factor, -INT64_MAX)), 1L);
    return keepWithin(a, kReach / magnitude);
  }
  if (!isNeverNegative(a) || !isNeverNegative(b)) { // not in any formula
    keepWithin(a, INT32_MAX);
    return keepWithin(b, INT32_MAX);
  }
  Value divisor =
      builder.createOrFold<arith::MaxSIOp>(loc, b, toIndex(constant(1)));
  Value limit = arith::DivSIOp::create(
      builder, loc, toIndex(constant(kMostElements)), divisor);
  stopUnless(arith::CmpIPredicate::sle, a, limit,
             "expected sizes with a product that memory can hold");
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value SizeArithmetic::toIndex(Size size) {
  if (auto value = dyn_cast<Value>(size))
    return value;
  // Ops that hold sizes may store them as i64.
  IntegerAttr number = builder.getIndexAttr(*known(size));
  return constantFrom<arith::ConstantOp>(constants, number, builder, loc,
                                         number);
}

template <typename Op>
Size SizeArithmetic::compute(Size a, Size b,
                             int64_t (torch::StaticSizes::*fold)(int64_t,
                                                                 int64_t)
                                 const) {
  std::optional<int64_t> left = known(a), right = known(b);
  if (left && right) {
    int64_t result = (torch::StaticSizes().*fold)(*left, *right);
    if (!ShapedType::isDynamic(result))
      return builder.getIndexAttr(result);
  }
  Value lhs = toIndex(a), rhs = toIndex(b);
  if constexpr (std::is_same_v<Op, arith::AddIOp>)
    keepSum(lhs, rhs);
  else if constexpr (std::is_same_v<Op, arith::SubIOp>)
    keepDifference(lhs, rhs);
  else if constexpr (std::is_same_v<Op, arith::MulIOp>)
    keepProduct(lhs, rhs);
  if (left && right) // undefined, or beyond 64 bits: not folded
    return Op::create(builder, loc, lhs, rhs).getResult();
  return builder.createOrFold<Op>(loc, lhs, rhs);
}

Size SizeArithmetic::add(Size a, Size b) {
  if (isKnown(b, 0))
    return a;
  return isKnown(a, 0) ? b
                       : compute<arith::AddIOp>(a, b, &torch::StaticSizes::add);
}
Size SizeArithmetic::sub(Size a, Size b) {
  if (areSame(a, b))
    return constant(0);
  return isKnown(b, 0) ? a
                       : compute<arith::SubIOp>(a, b, &torch::StaticSizes::sub);
}
Size SizeArithmetic::mul(Size a, Size b) {
  if (isKnown(b, 1))
    return a;
  return isKnown(a, 1) ? b
                       : compute<arith::MulIOp>(a, b, &torch::StaticSizes::mul);
}
Size SizeArithmetic::floorDiv(Size a, Size b) {
  return isKnown(b, 1) ? a
                       : compute<arith::FloorDivSIOp>(
                             a, b, &torch::StaticSizes::floorDiv);
}
Size SizeArithmetic::ceilDiv(Size a, Size b) {
  return isKnown(b, 1)
             ? a
             : compute<arith::CeilDivSIOp>(a, b, &torch::StaticSizes::ceilDiv);
}
Size SizeArithmetic::min(Size a, Size b) {
  return areSame(a, b)
             ? a
             : compute<arith::MinSIOp>(a, b, &torch::StaticSizes::min);
}
Size SizeArithmetic::max(Size a, Size b) {
  if (isKnown(b, 0) && isNeverNegative(a))
    return a;
  return areSame(a, b)
             ? a
             : compute<arith::MaxSIOp>(a, b, &torch::StaticSizes::max);
}

Size SizeArithmetic::product(ArrayRef<Size> sizes) {
  Size result = constant(1);
  for (Size size : sizes)
    result = mul(result, size);
  return result;
}

Size SizeArithmetic::broadcast(Size a, Size b) {
  if (isKnown(b, 1) || areSame(a, b))
    return a;
  if (isKnown(a, 1) || known(b))
    return b;
  if (known(a))
    return a;
  Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      toIndex(a), toIndex(constant(1)));
  return arith::SelectOp::create(builder, loc, isOne, toIndex(b), toIndex(a))
      .getResult();
}

//===----------------------------------------------------------------------===//
// Tensors and ints
//===----------------------------------------------------------------------===//

/// The tensor that `tensor` updates, which has the same sizes, or null: the
/// destination of an op, or the init of a loop in which each iteration yields
/// an update of its iteration argument.
static Value updatedTensor(Value tensor) {
  auto result = dyn_cast<OpResult>(tensor);
  if (!result)
    return {};
  if (auto destination =
          dyn_cast<DestinationStyleOpInterface>(result.getOwner()))
    return destination.getTiedOpOperand(result)->get();
  auto loop = dyn_cast<scf::ForOp>(result.getOwner());
  if (!loop)
    return {};
  Value update =
      loop.getTiedLoopYieldedValue(loop.getTiedLoopRegionIterArg(result))
          ->get();
  while (update && update != loop.getTiedLoopRegionIterArg(result))
    update = updatedTensor(update);
  return update ? loop.getTiedLoopInit(result)->get() : Value();
}

/// How many ops back a size is traced. A chain of concatenations may be as long
/// as the program, and tracing each op of it to its beginning takes quadratic
/// time. The sum of a pad is computed anew each time, so only as many pads are
/// followed as areSame compares.
static constexpr unsigned kMostSteps = 64, kStepsOfPad = 16;

Size SizeArithmetic::of(Value tensor, int64_t dim) {
  return of(tensor, dim, kMostSteps);
}

Size SizeArithmetic::of(Value tensor, int64_t dim, unsigned steps) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return constant(type.getDimSize(dim));
  Operation *op = steps > 0 ? tensor.getDefiningOp() : nullptr;
  if (auto cast = dyn_cast_or_null<tensor::CastOp>(op))
    if (isa<RankedTensorType>(cast.getSource().getType()))
      return of(cast.getSource(), dim, steps - 1);
  if (Value updated = op ? updatedTensor(tensor) : Value())
    return of(updated, dim, steps - 1);
  if (auto empty = dyn_cast_or_null<tensor::EmptyOp>(op))
    return empty.getMixedSizes()[dim];
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op))
    return expand.getMixedOutputShape()[dim];
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op))
    return product(llvm::map_to_vector(
        collapse.getReassociationIndices()[dim], [&](int64_t source) {
          return of(collapse.getSrc(), source, steps - 1);
        }));
  if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(op))
    if (slice.getSourceType().getRank() == type.getRank())
      return slice.getMixedSizes()[dim];
  if (auto pad = dyn_cast_or_null<tensor::PadOp>(op))
    if (steps >= kStepsOfPad)
      return add(add(of(pad.getSource(), dim, steps - kStepsOfPad),
                     pad.getMixedLowPad()[dim]),
                 pad.getMixedHighPad()[dim]);
  if (auto concat = dyn_cast_or_null<tensor::ConcatOp>(op))
    if (static_cast<int64_t>(concat.getDim()) != dim)
      return of(concat.getInputs().front(), dim, steps - 1);
  return tensor::DimOp::create(builder, loc, tensor, dim).getResult();
}

SizeArithmetic::Sizes SizeArithmetic::of(Value tensor) {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  return llvm::map_to_vector(llvm::seq<int64_t>(0, rank),
                             [&](int64_t dim) { return of(tensor, dim); });
}

Size SizeArithmetic::fromInt(Value integer) {
  if (std::optional<int64_t> number = getConstantIntValue(integer))
    return constant(*number);
  if (auto cast = integer.getDefiningOp<arith::IndexCastOp>())
    if (cast.getIn().getType().isIndex())
      return cast.getIn();
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    integer)
      .getResult();
}

Value SizeArithmetic::toInt(Size size) {
  if (std::optional<int64_t> known = torch_to_linalg::known(size)) {
    IntegerAttr number = builder.getI64IntegerAttr(*known);
    return constantFrom<arith::ConstantOp>(constants, number, builder, loc,
                                           number);
  }
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                    cast<Value>(size));
}
