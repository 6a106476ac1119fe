//===- Creation.cpp - Type rules of ops that create tensors ---------------===//
//
// One function per rule that a registry line names. Sizes are ints; a size
// known only at run time is ShapedType::kDynamic.
//
//===----------------------------------------------------------------------===//

#include "../WholeNumber.h"
#include "Dtypes.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Dialect/Torch/TypeInference.h"
#include <cmath>

using namespace mlir;

namespace isthmus::torch::rules {

static LogicalResult sizedBy(TypeInference &op, unsigned index, Type dtype) {
  auto sizes = op.integers(index);
  return sizes ? op.give(*sizes, dtype) : op.giveUnranked(dtype);
}

/// aten.full(size, fill_value, dtype, ...)
LogicalResult full(TypeInference &op) {
  return sizedBy(op, 0, op.dtypeArgument(2, resultDtype(op[1])));
}

/// aten.zeros(size, dtype, ...): f32 by default.
LogicalResult filled(TypeInference &op) {
  return sizedBy(op, 0, op.dtypeArgument(1, Float32Type::get(op.getContext())));
}

/// The dtype argument before layout, device and pinning, which are the last.
static Type dtypeBeforeLayout(TypeInference &op, Type otherwise) {
  return op.dtypeArgument(op.getOperands().size() - 4, otherwise);
}

/// aten.rand(size, dtype, ...), and the form with a generator before the dtype:
/// f32 by default.
LogicalResult random_reals(TypeInference &op) {
  return sizedBy(op, 0,
                 dtypeBeforeLayout(op, Float32Type::get(op.getContext())));
}

/// aten.randint(high, size, dtype, ...), and the forms with `low` before `high`
/// and with a generator before the dtype: si64 by default.
LogicalResult random_integers(TypeInference &op) {
  unsigned size = isInt(op[1].getType()) ? 2 : 1;
  return sizedBy(op, size, dtypeBeforeLayout(op, signedDtype(op, 64)));
}

/// aten.zeros_like(self, dtype, ...), aten.full_like(self, fill_value, dtype,
/// ...): the layout, device, pinning and memory format follow the dtype.
LogicalResult full_like(TypeInference &op) {
  unsigned dtypeIndex = op.getOperands().size() - 5;
  return op.giveLike(op.tensor(0), op.dtypeArgument(dtypeIndex, op.dtype(0)));
}

/// aten.new_ones(self, size, dtype, ...): the dtype of self by default.
LogicalResult new_filled(TypeInference &op) {
  return sizedBy(op, 1, op.dtypeArgument(2, op.dtype(0)));
}

/// aten.new_full(self, size, fill_value, dtype, ...)
LogicalResult new_full(TypeInference &op) {
  return sizedBy(op, 1, op.dtypeArgument(3, op.dtype(0)));
}

/// aten.empty_strided(size, stride, dtype, ...): strides do not affect the
/// type.
LogicalResult filled_strided(TypeInference &op) {
  return sizedBy(op, 0, op.dtypeArgument(2, Float32Type::get(op.getContext())));
}

/// aten.scalar_tensor(s, dtype, ...): f32 by default.
LogicalResult scalar_tensor(TypeInference &op) {
  return op.give(ArrayRef<int64_t>(),
                 op.dtypeArgument(1, Float32Type::get(op.getContext())));
}

/// aten.eye(n, dtype, ...), aten.eye.m(n, m, dtype, ...): f32 by default.
LogicalResult eye(TypeInference &op) {
  unsigned count = op.getOperands().size() - 4;
  auto size = [&](unsigned index) {
    return op.integer(index).value_or(ShapedType::kDynamic);
  };
  return op.give({size(0), size(count - 1)},
                 op.dtypeArgument(count, Float32Type::get(op.getContext())));
}

/// Evenly spaced numbers, of f32 by default, or complex if a bound is.
static LogicalResult giveSpaced(TypeInference &op, unsigned dtypeIndex) {
  Type dtype = Float32Type::get(op.getContext());
  if (isComplex(op.dtype(0)) || isComplex(op.dtype(1)))
    dtype = ComplexType::get(dtype);
  return op.give({op.integer(2).value_or(ShapedType::kDynamic)},
                 op.dtypeArgument(dtypeIndex, dtype));
}

/// aten.linspace(start, end, steps, dtype, ...)
LogicalResult linspace(TypeInference &op) { return giveSpaced(op, 3); }

/// aten.logspace(start, end, steps, base, dtype, ...)
LogicalResult logspace(TypeInference &op) { return giveSpaced(op, 4); }

/// The number of places (row, column) of a matrix with column - row <= offset.
static int64_t countUpTo(int64_t rows, int64_t columns, int64_t offset) {
  // Row i has i + offset + 1 of them, but at least 0 and at most `columns`.
  int64_t first = std::clamp<int64_t>(-offset, 0, rows),
          full = std::clamp<int64_t>(columns - 1 - offset, first, rows);
  int64_t growing = full - first;
  return growing * (first + offset + 1) + growing * (growing - 1) / 2 +
         (rows - full) * columns;
}

/// Two rows of positions: those of `countOf(rows, columns, offset)` places.
static LogicalResult
givePlaces(TypeInference &op,
           llvm::function_ref<int64_t(int64_t, int64_t, int64_t)> countOf) {
  auto rows = op.integer(0), columns = op.integer(1), offset = op.integer(2);
  int64_t count = ShapedType::kDynamic;
  constexpr int64_t most = int64_t(1) << 30;
  if (rows && columns && offset) {
    if (*rows < 0 || *columns < 0)
      return op.fail("expected sizes of 0 or more, got " + Twine(*rows) +
                     " and " + Twine(*columns));
    if (*rows < most && *columns < most)
      count = countOf(*rows, *columns, std::clamp(*offset, -most, most));
  }
  return op.give({2, count}, op.dtypeArgument(3, signedDtype(op, 64)));
}

/// aten.tril_indices(row, col, offset, dtype, ...): [2,n], si64 by default.
LogicalResult tril_indices(TypeInference &op) {
  return givePlaces(op, countUpTo);
}
LogicalResult triu_indices(TypeInference &op) {
  return givePlaces(op, [](int64_t rows, int64_t columns, int64_t offset) {
    return rows * columns - countUpTo(rows, columns, offset - 1);
  });
}

/// aten.normal.float_float(mean, std, size, generator, dtype, ...): f32 by
/// default.
LogicalResult normal_of_numbers(TypeInference &op) {
  return sizedBy(op, 2, op.dtypeArgument(4, Float32Type::get(op.getContext())));
}

/// aten.multinomial(self [...,n], num_samples, ...): positions [...,samples].
LogicalResult multinomial(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  Type dtype = signedDtype(op, 64);
  if (!type.hasRank())
    return op.giveUnranked(dtype);
  if (type.getRank() < 1 || type.getRank() > 2)
    return op.fail("expected weights of rank 1 or 2, got " +
                   shapeText(type.getSizes()));
  SmallVector<int64_t> sizes(type.getSizes());
  sizes.back() = op.integer(1).value_or(ShapedType::kDynamic);
  return op.give(sizes, dtype);
}

/// aten.histc(self, bins, min, max)
LogicalResult histogram(TypeInference &op) {
  return op.give({op.integer(1).value_or(ShapedType::kDynamic)}, op.dtype(0));
}

/// aten.histogram.bin_ct(self, bins, ...) with a number of bins, or
/// aten.histogram.bins_tensor with their edges: also gives the edges.
LogicalResult histogram_with_edges(TypeInference &op) {
  int64_t edges = ShapedType::kDynamic;
  if (std::optional<int64_t> bins = op.integer(1))
    edges = StaticSizes().add(*bins, 1);
  else if (ValueTensorType type = op.tensor(1); type.getRank() == 1)
    edges = type.getSizes().front();
  int64_t bins = ShapedType::isDynamic(edges) ? edges : edges - 1;
  return failure(failed(op.give({bins}, op.dtype(0))) ||
                 failed(op.give({edges}, op.dtype(0))));
}

/// aten.randperm(n, dtype, ...), and the form with a generator before the
/// dtype: si64 by default.
LogicalResult random_order(TypeInference &op) {
  return op.give({op.integer(0).value_or(ShapedType::kDynamic)},
                 dtypeBeforeLayout(op, signedDtype(op, 64)));
}

/// start, start + step, ... below end: ceil((end - start) / step) elements. The
/// default start is 0, the default step is 1. For si64, PyTorch truncates the
/// operands to integers before it counts.
static LogicalResult giveRange(TypeInference &op, Value startValue,
                               Value endValue, Value stepValue, Type dtype) {
  auto whole = [&](Value value) -> std::optional<int64_t> {
    std::optional<int64_t> number = matchInt(value);
    std::optional<double> real = matchNumber(value);
    bool isCutOff = dtype && dtype.isSignedInteger(64);
    return !number && isCutOff && real ? wholeNumber(*real) : number;
  };
  std::optional<int64_t> start = startValue ? whole(startValue) : 0;
  std::optional<int64_t> end = whole(endValue);
  std::optional<int64_t> step = stepValue ? whole(stepValue) : 1;
  if (step && *step == 0)
    return op.fail("expected a step other than 0, got 0");
  if (start && end && step) {
    StaticSizes a;
    return op.give({a.max(a.ceilDiv(a.sub(*end, *start), *step), 0)}, dtype);
  }
  std::optional<double> first = startValue ? matchNumber(startValue) : 0.0;
  std::optional<double> last = matchNumber(endValue);
  std::optional<double> by = stepValue ? matchNumber(stepValue) : 1.0;
  if (!first || !last || !by || *by == 0.0)
    return op.give({ShapedType::kDynamic}, dtype);
  double count = std::max(std::ceil((*last - *first) / *by), 0.0);
  if (!(count < 0x1p62))
    return op.fail("expected a range of fewer than 2^62 elements");
  return op.give({static_cast<int64_t>(count)}, dtype);
}

/// aten.arange(end, dtype, ...)
LogicalResult arange_end(TypeInference &op) {
  return giveRange(op, {}, op[0], {}, op.dtypeArgument(1, resultDtype(op[0])));
}

/// aten.arange.start(start, end, dtype, ...)
LogicalResult arange_start(TypeInference &op) {
  return giveRange(
      op, op[0], op[1], {},
      op.dtypeArgument(2, resultDtype(op.getOperands().take_front(2))));
}

/// aten.arange.start_step(start, end, step, dtype, ...)
LogicalResult arange(TypeInference &op) {
  return giveRange(
      op, op[0], op[1], op[2],
      op.dtypeArgument(3, resultDtype(op.getOperands().take_front(3))));
}

/// A range with its end: floor((end - start) / step) + 1 elements.
static LogicalResult giveClosedRange(TypeInference &op,
                                     std::optional<double> step, Type dtype) {
  std::optional<double> start = matchNumber(op[0]), end = matchNumber(op[1]);
  if (!start || !end || !step)
    return op.give({ShapedType::kDynamic}, dtype);
  if (dtype && isIntegral(dtype)) {
    auto first = wholeNumber(*start), last = wholeNumber(*end),
         by = wholeNumber(*step);
    StaticSizes a;
    if (first && last && by && *by != 0)
      return op.give({a.add(a.floorDiv(a.sub(*last, *first), *by), 1)}, dtype);
  }
  double elements = std::floor((*end - *start) / *step) + 1;
  if (!(elements >= 1 && elements < 0x1p62))
    return op.fail("expected a step from the start towards the end");
  return op.give({static_cast<int64_t>(elements)}, dtype);
}

/// aten.range(start, end, dtype, ...): of f32 by default
LogicalResult range(TypeInference &op) {
  return giveClosedRange(
      op, 1.0, op.dtypeArgument(2, Float32Type::get(op.getContext())));
}

/// aten.range.step(start, end, step, dtype, ...)
LogicalResult range_step(TypeInference &op) {
  return giveClosedRange(
      op, matchNumber(op[2]),
      op.dtypeArgument(3, Float32Type::get(op.getContext())));
}

} // namespace isthmus::torch::rules
