//===- Creation.cpp - Tensors filled with one value -----------------------===//

#include "Complex.h"
#include "Decompositions.h"
#include "Matrices.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/CreationComposites.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// aten.full with the given sizes; the layout and the device are ignored.
static Value full(TorchBuilder &b, Value sizes, Value number, Type dtype) {
  return b.create<AtenFullOp>(sizes, number, b.dtype(dtype), b.none(), b.none(),
                              b.none());
}

/// The op's result type gives the dtype, whether or not it has a dtype
/// argument.
template <int64_t number, typename Op>
static Value filled(Op op, TorchBuilder &b) {
  return full(b, op.getSize(), b.constant(number), tensorType(op).getDtype());
}

template <int64_t number, typename Op>
static Value filledLike(Op op, TorchBuilder &b) {
  return full(b, b.ints(b.sizes(op.getSelf())), b.constant(number),
              tensorType(op).getDtype());
}

static Value fullLike(AtenFullLikeOp op, TorchBuilder &b) {
  return full(b, b.ints(b.sizes(op.getSelf())), op.getFillValue(),
              tensorType(op).getDtype());
}

static Value fill(AtenFillScalarOp op, TorchBuilder &b) {
  return full(b, b.ints(b.sizes(op.getSelf())), op.getValue(),
              tensorType(op).getDtype());
}

static Value newFull(AtenNewFullOp op, TorchBuilder &b) {
  return full(b, op.getSize(), op.getFillValue(), tensorType(op).getDtype());
}

static Value scalarTensor(AtenScalarTensorOp op, TorchBuilder &b) {
  return full(b, b.ints(ArrayRef<int64_t>()), op.getS(),
              tensorType(op).getDtype());
}

/// start, start + 1, ... below end, with the op's own dtype argument.
static Value arangeOf(TorchBuilder &b, Value start, Value end, Value dtype) {
  return b.create<AtenArangeStartStepOp>(start, end, b.constant(1), dtype,
                                         b.none(), b.none(), b.none());
}

static Value arange(AtenArangeOp op, TorchBuilder &b) {
  return arangeOf(b, b.constant(0), op.getEnd(), op.getDtype());
}

static Value arangeStart(AtenArangeStartOp op, TorchBuilder &b) {
  return arangeOf(b, op.getStart(), op.getEnd(), op.getDtype());
}

/// range(start, end, step): start, start + step, ... up to the end. Integers
/// are those of arange up to the integer behind the end.
template <typename Op>
static Value rangeWithEnd(Op op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  std::optional<double> start = matchNumber(op.getStart()),
                        end = matchNumber(op.getEnd()), step = 1;
  if constexpr (std::is_same_v<Op, AtenRangeStepOp>)
    step = matchNumber(op.getStep());
  if (!start || !end || !step)
    return b.fail("expected bounds and a step that are known while compiling");
  if (isIntegral(dtype)) {
    constexpr double most = 0x1p53; // above, not every integer is a double
    if (!(std::max({std::abs(*start), std::abs(*end), std::abs(*step)}) < most))
      return b.fail("expected bounds and a step below 2^53");
    auto whole = [&](double x) { return b.constant(static_cast<int64_t>(x)); };
    Value behind = whole(std::trunc(*end) + (*step < 0 ? -1 : 1));
    return b.create<AtenArangeStartStepOp>(whole(*start), behind, whole(*step),
                                           b.dtype(dtype), b.none(), b.none(),
                                           b.none());
  }
  if (!isFloatingPoint(dtype))
    return b.fail("expected integers or floating-point numbers");
  double elements = std::floor((*end - *start) / *step) + 1;
  if (!(elements >= 1 && elements <= maxLiteral))
    return b.fail("expected from 1 to " + Twine(maxLiteral) + " elements");
  auto count = static_cast<int64_t>(elements);
  auto numbers = llvm::map_to_vector(llvm::seq(count), [&](int64_t i) {
    return *start + *step * static_cast<double>(i);
  });
  return reals(b, numbers, count, dtype);
}

static Value eye(AtenEyeOp op, TorchBuilder &b) {
  return identity(b, op.getN(), op.getN(), tensorType(op).getDtype());
}
static Value eyeOfTwo(AtenEyeMOp op, TorchBuilder &b) {
  return identity(b, op.getN(), op.getM(), tensorType(op).getDtype());
}

/// The dtype in which evenly spaced numbers of a dtype are computed.
static Type spacedDtype(Type dtype) {
  return isIntegral(dtype) ? Type(Float64Type::get(dtype.getContext()))
                           : computedDtype(partDtype(dtype));
}

/// linspace(start, end, steps) = start + i * (end - start) / (steps - 1), the
/// second half counted from the end. The bounds are numbers or tensors of rank
/// 0; those of integers are truncated.
template <typename Op>
static Tensor evenly(Op op, TorchBuilder &b) {
  Type own = tensorType(op).getDtype();
  bool hasComplexBound =
      isComplexTensor(op.getStart()) || isComplexTensor(op.getEnd());
  Type dtype = hasComplexBound ? own : spacedDtype(own),
       given = isIntegral(own) ? own : dtype;
  auto bound = [&](Value value) {
    return (isTensor(value.getType()) ? Tensor(b, value).as(given)
                                      : scalar(b, value, given))
        .as(dtype);
  };
  Value one = b.constant(1), count = op.getSteps();
  Tensor start = bound(op.getStart()), end = bound(op.getEnd()),
         last = scalar(b, b.maxInt(b.subInt(count, one), one), dtype);
  Tensor number = range(b, b.constant(0), count), place = number.as(dtype),
         step = (end - start) / last;
  Value half = b.maxInt(b.floorDivInt(count, b.constant(2)), one);
  return where(number < scalar(b, half, number.dtype()), start + place * step,
               end - (last - place) * step);
}

/// The same for integers that are known while compiling, each mapped by a
/// function and truncated: not all targets have f64. Null if they are not.
template <typename Op>
static Value knownIntegers(Op op, TorchBuilder &b,
                           llvm::function_ref<double(double)> function) {
  Type own = tensorType(op).getDtype();
  std::optional<int64_t> steps = matchInt(op.getSteps());
  std::optional<double> start = matchNumber(op.getStart()),
                        end = matchNumber(op.getEnd());
  if (!isIntegral(own) || !start || !end || !steps || *steps < 0 ||
      *steps > maxLiteral)
    return {};
  double first = std::trunc(*start), last = std::trunc(*end);
  int64_t intervals = std::max<int64_t>(*steps - 1, 1),
          half = std::max<int64_t>(*steps / 2, 1);
  double step = (last - first) / static_cast<double>(intervals);
  SmallVector<int64_t> numbers;
  for (int64_t i : llvm::seq(*steps)) {
    double number = i < half ? first + step * static_cast<double>(i)
                             : last - step * static_cast<double>(intervals - i);
    APSInt truncated(64, /*isUnsigned=*/false); // saturates
    bool isExact;
    APFloat(function(number))
        .convertToInteger(truncated, APFloat::rmTowardZero, &isExact);
    numbers.push_back(truncated.getExtValue());
  }
  return b.convert(integers(b, numbers, *steps), own);
}

template <typename Op>
static Value linspace(Op op, TorchBuilder &b) {
  if (Value known = knownIntegers(op, b, [](double x) { return x; }))
    return known;
  return evenly(op, b).as(tensorType(op).getDtype());
}

/// logspace(start, end, steps, base) = base ^ linspace(start, end, steps)
template <typename Op>
static Value logspace(Op op, TorchBuilder &b) {
  if (std::optional<double> base = matchNumber(op.getBase()))
    if (Value known =
            knownIntegers(op, b, [&](double x) { return std::pow(*base, x); }))
      return known;
  Tensor exponent = evenly(op, b);
  Type own = tensorType(op).getDtype();
  if (isComplex(own)) // powers of negative numbers are complex
    exponent = exponent.as(own);
  return scalar(b, op.getBase(), exponent.dtype())
      .template apply<AtenPowTensorTensorOp>(exponent)
      .as(own);
}

/// tril_indices(rows, columns, offset): the rows, then the columns, of the
/// places of a matrix with column - row <= offset, or, for triu, >= offset.
template <bool isLower, typename Op>
static Value triangleIndices(Op op, TorchBuilder &b) {
  auto rows = matchInt(op.getRow()), columns = matchInt(op.getCol()),
       offset = matchInt(op.getOffset());
  if (!rows || !columns || !offset)
    return b.fail("expected sizes and an offset that are known while "
                  "compiling");
  if (*rows > maxLiteral || *columns > maxLiteral)
    return b.fail("expected at most " + Twine(maxLiteral) +
                  " rows and columns, got " + Twine(*rows) + " and " +
                  Twine(*columns));
  SmallVector<int64_t> places[2];
  // An offset beyond the sizes is as good as any other.
  constexpr int64_t most = int64_t(1) << 30;
  int64_t shift = std::clamp(*offset, -most, most);
  for (int64_t row = 0; row < *rows; ++row) {
    int64_t diagonal = row + shift;
    int64_t first = isLower ? 0 : std::max<int64_t>(diagonal, 0),
            end = isLower ? std::min(diagonal + 1, *columns) : *columns;
    for (int64_t column = first; column < end; ++column) {
      places[0].push_back(row);
      places[1].push_back(column);
    }
    if (places[0].size() > maxLiteral)
      return b.fail("expected at most " + Twine(maxLiteral) + " places");
  }
  auto count = static_cast<int64_t>(places[0].size());
  llvm::append_range(places[0], places[1]);
  return b.convert(integers(b, places[0], {2, count}),
                   tensorType(op).getDtype());
}

// The contents of an empty tensor are undefined: here they are 0, so that every
// run is equal.
void populateCreation(Decompositions &decompositions) {
  decompositions.add(
      arange, arangeStart, eye, eyeOfTwo, fill, filled<0, AtenEmptyPermutedOp>,
      linspace<AtenLinspaceOp>, linspace<AtenLinspaceScalarTensorOp>,
      linspace<AtenLinspaceTensorScalarOp>,
      linspace<AtenLinspaceTensorTensorOp>, logspace<AtenLogspaceOp>,
      logspace<AtenLogspaceScalarTensorOp>,
      logspace<AtenLogspaceTensorScalarOp>,
      logspace<AtenLogspaceTensorTensorOp>, rangeWithEnd<AtenRangeOp>,
      rangeWithEnd<AtenRangeStepOp>, triangleIndices<true, AtenTrilIndicesOp>,
      triangleIndices<false, AtenTriuIndicesOp>,
      filled<0, AtenNewEmptyStridedOp>, filled<0, AtenEmptyMemoryFormatOp>,
      filled<0, AtenEmptyStridedOp>, filled<0, AtenNewEmptyOp>,
      filled<0, AtenNewZerosOp>, filled<0, AtenZerosOp>,
      filled<1, AtenNewOnesOp>, filled<1, AtenOnesOp>,
      filledLike<0, AtenEmptyLikeOp>, filledLike<0, AtenZerosLikeOp>,
      filledLike<1, AtenOnesLikeOp>, fullLike, newFull, scalarTensor);
}

} // namespace isthmus::decompose_torch
