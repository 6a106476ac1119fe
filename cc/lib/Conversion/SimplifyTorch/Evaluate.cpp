//===- Evaluate.cpp - Ops on small literals -------------------------------===//
//
// Exporters leave masks and index arithmetic as ops on constants. Numbers of
// all dtypes are doubles here: an op on an integer that is not exact as a
// double is left in place, and floats are rounded to their dtype after every
// op. Weights are resources, not literals, and stay as they are.
//
//===----------------------------------------------------------------------===//

#include "Simplifications.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;
using namespace isthmus::simplify_torch;

int64_t simplify_torch::countOf(ValueTensorType type) {
  uint64_t count = 1;
  for (int64_t size : type.getSizes())
    count = llvm::SaturatingMultiply<uint64_t>(count, size);
  return std::min<uint64_t>(count, INT64_MAX);
}

namespace {

/// Up to here, no other integer rounds to the same double.
constexpr double maxExact = 0x1p53 - 1;

/// The elements of a literal in row-major order; a splat has a single one.
struct Numbers {
  ValueTensorType type;
  SmallVector<double> values;

  bool isSplat() const { return values.size() == 1; }
  double operator[](int64_t index) const {
    return values[isSplat() ? 0 : index];
  }

  /// Appends elements [index * size, (index + 1) * size).
  void append(int64_t index, int64_t size, SmallVector<double> &to) const {
    if (isSplat())
      to.append(size, values.front());
    else
      to.append(values.begin() + index * size,
                values.begin() + (index + 1) * size);
  }
};

/// True if the index of every element fits an int64_t.
bool isCountable(ValueTensorType type) { return countOf(type) < INT64_MAX; }

bool isSigned(Type dtype) {
  return !isBoolean(dtype) && !dtype.isUnsignedInteger();
}

/// The first `count` elements of a literal whose dtype is `Stored` in C++.
template <typename Stored>
SmallVector<double> readAs(DenseElementsAttr elements, int64_t count) {
  auto begin = elements.value_begin<Stored>();
  return SmallVector<double>(begin, begin + count);
}

std::optional<Numbers> read(Value value) {
  auto literal = value.getDefiningOp<ValueTensorLiteralOp>();
  auto elements = literal ? dyn_cast<DenseElementsAttr>(literal.getValue())
                          : DenseElementsAttr();
  if (!elements ||
      (!elements.isSplat() && elements.getNumElements() > maxElements))
    return std::nullopt;
  ValueTensorType type = tensorType(value);
  if (!isCountable(type))
    return std::nullopt;
  Type dtype = type.getDtype();
  Numbers numbers{type, {}};
  int64_t count = elements.isSplat() ? 1 : elements.getNumElements();
  if (isIntegral(dtype)) {
    for (APInt bits : llvm::make_range(elements.value_begin<APInt>(),
                                       elements.value_begin<APInt>() + count)) {
      double number = doubleOf(bits, dtype);
      if (std::abs(number) > maxExact)
        return std::nullopt;
      numbers.values.push_back(number);
    }
    return numbers;
  }
  if (!isFloatingPoint(dtype))
    return std::nullopt;
  if (dtype.isF32())
    numbers.values = readAs<float>(elements, count);
  else if (dtype.isF64())
    numbers.values = readAs<double>(elements, count);
  else
    for (APFloat number :
         llvm::make_range(elements.value_begin<APFloat>(),
                          elements.value_begin<APFloat>() + count))
      numbers.values.push_back(number.convertToDouble());
  return numbers;
}

/// A literal of the numbers; null if its dtype cannot represent them.
Value write(const Numbers &numbers, TorchBuilder &b) {
  Type dtype = numbers.type.getDtype();
  auto type = cast<ShapedType>(toBuiltin(numbers.type));
  if (isIntegral(dtype)) {
    unsigned width = dtype.getIntOrFloatBitWidth();
    SmallVector<APInt> bits;
    for (double number : numbers.values) {
      if (!(std::abs(number) <= maxExact) || number != std::trunc(number))
        return {};
      bool fits = isSigned(dtype)
                      ? llvm::isIntN(width, static_cast<int64_t>(number))
                      : number >= 0 &&
                            llvm::isUIntN(width, static_cast<uint64_t>(number));
      if (!fits)
        return {};
      bits.push_back(APInt(64, static_cast<int64_t>(number), /*isSigned=*/true)
                         .trunc(width));
    }
    // Signed dtypes are signless as builtin element types.
    if (dtype.isUnsignedInteger())
      type = type.clone(dtype);
    return b.literal(DenseElementsAttr::get(type, bits));
  }
  if (dtype.isF64())
    return b.literal(DenseElementsAttr::get(type, ArrayRef(numbers.values)));
  if (dtype.isF32()) {
    SmallVector<float> rounded(numbers.values.begin(), numbers.values.end());
    return b.literal(DenseElementsAttr::get(type, ArrayRef(rounded)));
  }
  SmallVector<APFloat> rounded;
  for (double number : numbers.values) {
    APFloat &value = rounded.emplace_back(number);
    bool losesInfo;
    value.convert(cast<mlir::FloatType>(dtype).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &losesInfo);
  }
  return b.literal(DenseElementsAttr::get(type, rounded));
}

/// The strides of the dims; 0 if a dim of size 1 is repeated.
SmallVector<int64_t> stridesFor(ArrayRef<int64_t> own,
                                ArrayRef<int64_t> result) {
  SmallVector<int64_t> strides(result.size(), 0);
  int64_t stride = 1;
  for (size_t fromEnd = 1; fromEnd <= own.size(); ++fromEnd) {
    int64_t size = own[own.size() - fromEnd];
    strides[result.size() - fromEnd] = size == 1 ? 0 : stride;
    stride *= size;
  }
  return strides;
}

/// Visits the positions of a shape in row-major order, each as offsets computed
/// with `count` lists of strides.
template <size_t count, typename Visit>
void forEachOffset(ArrayRef<int64_t> sizes,
                   const std::array<SmallVector<int64_t>, count> &strides,
                   Visit visit) {
  SmallVector<int64_t> position(sizes.size(), 0);
  std::array<int64_t, count> offsets = {};
  while (true) {
    visit(offsets);
    int64_t dim = static_cast<int64_t>(sizes.size()) - 1;
    for (; dim >= 0; --dim) {
      bool ends = ++position[dim] == sizes[dim];
      for (size_t i = 0; i < count; ++i)
        offsets[i] += strides[i][dim] * (ends ? 1 - sizes[dim] : 1);
      if (!ends)
        break;
      position[dim] = 0;
    }
    if (dim < 0)
      return;
  }
}

class Evaluation {
public:
  Evaluation(Operation *op, TorchBuilder &b)
      : op(op), b(b), type(tensorType(op->getResult(0))) {}

  Value run() {
    if (!type.hasStaticShape() || !type.getDtype() || countOf(type) == 0 ||
        !isCountable(type))
      return {};
    return TypeSwitch<Operation *, Value>(op)
        .Case([&](AtenAddTensorOp add) { return sum(add.getAlpha(), 1); })
        .Case([&](AtenSubTensorOp sub) { return sum(sub.getAlpha(), -1); })
        .Case([&](AtenMulTensorOp) {
          return binary([](double x, double y) { return x * y; });
        })
        .Case([&](AtenDivTensorOp) {
          return binary([](double x, double y) { return x / y; });
        })
        .Case([&](AtenMaximumOp) { return binary(larger); })
        .Case([&](AtenMinimumOp) {
          return binary([](double x, double y) { return -larger(-x, -y); });
        })
        .Case([&](AtenPowTensorTensorOp) { return power(); })
        .Case([&](AtenRemainderTensorOp) {
          return binary([](double x, double y) {
            double rest = std::fmod(x, y);
            return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
          });
        })
        .Case([&](AtenEqTensorOp) { return binary(std::equal_to<double>()); })
        .Case(
            [&](AtenNeTensorOp) { return binary(std::not_equal_to<double>()); })
        .Case([&](AtenLtTensorOp) { return binary(std::less<double>()); })
        .Case([&](AtenLeTensorOp) { return binary(std::less_equal<double>()); })
        .Case([&](AtenGtTensorOp) { return binary(std::greater<double>()); })
        .Case([&](AtenGeTensorOp) {
          return binary(std::greater_equal<double>());
        })
        .Case([&](AtenLogicalAndOp) {
          return binary(std::logical_and<double>());
        })
        .Case(
            [&](AtenLogicalOrOp) { return binary(std::logical_or<double>()); })
        .Case([&](AtenLogicalXorOp) {
          return binary(
              [](double x, double y) { return (x != 0) != (y != 0); });
        })
        .Case([&](AtenBitwiseAndTensorOp) {
          return onBools(std::logical_and<double>());
        })
        .Case([&](AtenBitwiseOrTensorOp) {
          return onBools(std::logical_or<double>());
        })
        .Case([&](AtenLogicalNotOp) {
          return unary([](double x) { return x == 0; });
        })
        .Case([&](AtenIsnanOp) {
          return unary([](double x) { return std::isnan(x); });
        })
        .Case([&](AtenAbsOp) {
          return unary([](double x) { return std::abs(x); });
        })
        .Case([&](AtenNegOp) { return unary([](double x) { return -x; }); })
        .Case([&](AtenCeilOp) {
          return unary([](double x) { return std::ceil(x); });
        })
        .Case([&](AtenFloorOp) {
          return unary([](double x) { return std::floor(x); });
        })
        .Case([&](AtenRoundOp) { // halves to the even number
          return unary([](double x) { return std::nearbyint(x); });
        })
        .Case([&](AtenSqrtOp) {
          return unary([](double x) { return std::sqrt(x); });
        })
        .Case([&](AtenReciprocalOp) {
          return unary([](double x) { return 1 / x; });
        })
        .Case([&](AtenExpOp) {
          return unary([](double x) { return std::exp(x); });
        })
        .Case([&](AtenLogOp) {
          return unary([](double x) { return std::log(x); });
        })
        .Case([&](AtenCosOp) {
          return unary([](double x) { return std::cos(x); });
        })
        .Case([&](AtenSinOp) {
          return unary([](double x) { return std::sin(x); });
        })
        .Case([&](PrimsConvertElementTypeOp convert) {
          return converted(convert);
        })
        .Case([&](AtenWhereSelfOp) {
          return pointwise<3>(
              [](double c, double x, double y) { return c != 0 ? x : y; });
        })
        .Case([&](AtenArangeStartStepOp range) { return arange(range); })
        .Case([&](AtenFullOp full) { return filled(full); })
        .Case<AtenViewOp, AtenUnsqueezeOp, PrimsSqueezeOp>(
            [&](auto) { return reshaped(); })
        .Case([&](AtenExpandOp) {
          return pointwise<1>([](double x) { return x; });
        })
        .Case([&](AtenPermuteOp permute) { return permuted(permute); })
        .Case([&](AtenFlipOp flip) { return flipped(flip); })
        .Case([&](AtenSliceTensorOp slice) { return sliced(slice); })
        .Case([&](AtenCatOp cat) { return joined(cat); })
        .Case([&](AtenIndexSelectOp select) { return selected(select); })
        .Case([&](AtenIndexTensorOp index) { return indexed(index); })
        .Case([&](AtenCumsumOp cumsum) { return summedUp(cumsum); })
        .Default([](Operation *) { return Value(); });
  }

private:
  /// NaN if either operand is NaN.
  static double larger(double x, double y) {
    return std::isnan(x) || std::isnan(y) ? std::nan("") : std::max(x, y);
  }

  /// Applies a function to the first `count` operands, with broadcasting.
  template <size_t count, typename Function>
  Value pointwise(Function function) {
    SmallVector<Numbers, count> operands;
    for (size_t i = 0; i < count; ++i) {
      std::optional<Numbers> numbers = read(op->getOperand(i));
      if (!numbers)
        return {};
      operands.push_back(std::move(*numbers));
    }
    auto apply = [&](const std::array<int64_t, count> &at) -> double {
      if constexpr (count == 1)
        return function(operands[0][at[0]]);
      else if constexpr (count == 2)
        return function(operands[0][at[0]], operands[1][at[1]]);
      else
        return function(operands[0][at[0]], operands[1][at[1]],
                        operands[2][at[2]]);
    };
    Numbers result{type, {}};
    if (llvm::all_of(operands, [](const Numbers &numbers) {
          return numbers.isSplat();
        })) {
      result.values.push_back(apply({}));
      return write(result, b);
    }
    if (countOf(type) > maxElements)
      return {};
    std::array<SmallVector<int64_t>, count> strides;
    for (size_t i = 0; i < count; ++i)
      strides[i] = stridesFor(operands[i].type.getSizes(), type.getSizes());
    forEachOffset(type.getSizes(), strides,
                  [&](const std::array<int64_t, count> &at) {
                    result.values.push_back(apply(at));
                  });
    return write(result, b);
  }

  template <typename Function>
  Value binary(Function function) {
    return pointwise<2>(function);
  }
  template <typename Function>
  Value unary(Function function) {
    return pointwise<1>(function);
  }
  template <typename Function>
  Value onBools(Function function) {
    return isBoolean(type.getDtype()) ? binary(function) : Value();
  }

  Value sum(Value alpha, double sign) {
    std::optional<double> factor = matchNumber(alpha);
    if (!factor || isBoolean(type.getDtype()))
      return {};
    return binary([&](double x, double y) { return x + sign * *factor * y; });
  }

  /// Negative powers of an integer are 0 unless they are integers.
  Value power() {
    bool integral = isIntegral(type.getDtype());
    return binary([integral](double x, double y) {
      return integral && y < 0 && std::abs(x) != 1 ? 0 : std::pow(x, y);
    });
  }

  Value converted(PrimsConvertElementTypeOp) {
    Type dtype = type.getDtype();
    return unary([&](double x) {
      if (isBoolean(dtype))
        return static_cast<double>(x != 0);
      return isIntegral(dtype) ? std::trunc(x) : x;
    });
  }

  Value arange(AtenArangeStartStepOp range) {
    std::optional<double> start = matchNumber(range.getStart()),
                          step = matchNumber(range.getStep());
    if (!start || !step || countOf(type) > maxElements)
      return {};
    if (isIntegral(type.getDtype())) { // uses whole numbers
      start = std::trunc(*start);
      step = std::trunc(*step);
    }
    Numbers result{type, {}};
    for (int64_t i = 0; i < countOf(type); ++i)
      result.values.push_back(*start + *step * static_cast<double>(i));
    return write(result, b);
  }

  Value filled(AtenFullOp full) {
    std::optional<double> number = matchNumber(full.getFillValue());
    return number ? write({type, {*number}}, b) : Value();
  }

  Value reshaped() {
    std::optional<Numbers> source = read(op->getOperand(0));
    return source ? write({type, source->values}, b) : Value();
  }

  Value permuted(AtenPermuteOp permute) {
    std::optional<Numbers> source = read(permute.getSelf());
    std::optional<SmallVector<int64_t>> order = matchInts(permute.getDims());
    if (!source || !order)
      return {};
    ArrayRef<int64_t> own = source->type.getSizes();
    SmallVector<int64_t> strides = stridesFor(own, own), reordered;
    for (int64_t dim : *order)
      reordered.push_back(strides[normalDim(dim, own.size())]);
    return gathered(*source, reordered, 0);
  }

  Value flipped(AtenFlipOp flip) {
    std::optional<Numbers> source = read(flip.getSelf());
    std::optional<SmallVector<int64_t>> dims = matchInts(flip.getDims());
    if (!source || !dims)
      return {};
    ArrayRef<int64_t> own = source->type.getSizes();
    SmallVector<int64_t> strides = stridesFor(own, own);
    int64_t offset = 0;
    for (int64_t dim : *dims) {
      int64_t normal = normalDim(dim, own.size());
      offset += strides[normal] * (own[normal] - 1);
      strides[normal] = -strides[normal];
    }
    return gathered(*source, strides, offset);
  }

  Value sliced(AtenSliceTensorOp slice) {
    std::optional<Numbers> source = read(slice.getSelf());
    std::optional<int64_t> dim = matchInt(slice.getDim()),
                           step = matchInt(slice.getStep());
    std::optional<int64_t> start =
        isNone(slice.getStart()) ? 0 : matchInt(slice.getStart());
    if (!source || !dim || !step || !start)
      return {};
    ArrayRef<int64_t> own = source->type.getSizes();
    int64_t normal = normalDim(*dim, own.size());
    int64_t first =
        *start < 0 ? std::max<int64_t>(*start + own[normal], 0) : *start;
    SmallVector<int64_t> strides = stridesFor(own, own);
    int64_t offset = first * strides[normal];
    // A step beyond the dim is never taken.
    strides[normal] *= std::min(*step, own[normal]);
    return gathered(*source, strides, offset);
  }

  /// Element p of the result is element offset + p . strides of the source.
  Value gathered(const Numbers &source, SmallVector<int64_t> strides,
                 int64_t offset) {
    Numbers result{type, source.values};
    if (!source.isSplat()) {
      result.values.clear();
      forEachOffset(type.getSizes(), std::array{std::move(strides)},
                    [&](const std::array<int64_t, 1> &at) {
                      result.values.push_back(source[offset + at[0]]);
                    });
    }
    return write(result, b);
  }

  Value joined(AtenCatOp cat) {
    auto tensors = matchList(cat.getTensors());
    std::optional<int64_t> dim = matchInt(cat.getDim());
    if (!tensors || !dim || countOf(type) > maxElements)
      return {};
    int64_t normal = normalDim(*dim, type.getRank());
    SmallVector<Numbers> parts;
    for (Value tensor : *tensors) {
      std::optional<Numbers> part = read(tensor);
      if (!part || part->type.getRank() != type.getRank() ||
          part->type.getDtype() != type.getDtype())
        return {};
      parts.push_back(std::move(*part));
    }
    Numbers result{type, {}};
    int64_t outer =
        ShapedType::getNumElements(type.getSizes().take_front(normal));
    for (int64_t i = 0; i < outer; ++i)
      for (const Numbers &part : parts)
        part.append(
            i,
            ShapedType::getNumElements(part.type.getSizes().drop_front(normal)),
            result.values);
    return write(result, b);
  }

  Value selected(AtenIndexSelectOp select) {
    std::optional<Numbers> source = read(select.getSelf()),
                           index = read(select.getIndex());
    std::optional<int64_t> dim = matchInt(select.getDim());
    if (!source || !index || !dim || source->type.getRank() == 0 ||
        countOf(type) > maxElements)
      return {};
    ArrayRef<int64_t> own = source->type.getSizes();
    int64_t normal = normalDim(*dim, own.size());
    Numbers result{type, {}};
    int64_t outer = ShapedType::getNumElements(own.take_front(normal)),
            inner = ShapedType::getNumElements(own.drop_front(normal + 1));
    for (int64_t i = 0; i < outer; ++i)
      for (int64_t j = 0; j < type.getSizes()[normal]; ++j) {
        double place = (*index)[j];
        if (!(place >= 0 && place < own[normal]))
          return {};
        source->append(i * own[normal] + static_cast<int64_t>(place), inner,
                       result.values);
      }
    return write(result, b);
  }

  /// self[indices], with an index for each of the first dims.
  Value indexed(AtenIndexTensorOp op) {
    std::optional<Numbers> source = read(op.getSelf());
    auto list = matchList(op.getIndices());
    if (!source || !list || list->empty() || countOf(type) > maxElements)
      return {};
    SmallVector<Numbers> indices;
    for (Value value : *list) {
      std::optional<Numbers> index = read(value);
      if (!index || !isIntegral(index->type.getDtype()) ||
          isBoolean(index->type.getDtype()))
        return {};
      indices.push_back(std::move(*index));
    }
    ArrayRef<int64_t> own = source->type.getSizes();
    size_t count = indices.size();
    if (own.size() < count)
      return {};
    ArrayRef<int64_t> kept = own.drop_front(count),
                      places = type.getSizes().drop_back(kept.size());
    int64_t inner = ShapedType::getNumElements(kept);
    Numbers result{type, {}};
    // The number of the row of `inner` elements that each place takes.
    SmallVector<int64_t> rows(ShapedType::getNumElements(places), 0);
    for (size_t dim = 0; dim < count; ++dim) {
      const Numbers &index = indices[dim];
      int64_t size = own[dim];
      size_t next = 0;
      bool isInside = true;
      forEachOffset(
          places, std::array{stridesFor(index.type.getSizes(), places)},
          [&](const std::array<int64_t, 1> &at) {
            double place = index[at[0]];
            place += place < 0 ? static_cast<double>(size) : 0;
            isInside &= place >= 0 && place < static_cast<double>(size);
            int64_t &row = rows[next++];
            row = isInside ? row * size + static_cast<int64_t>(place) : 0;
          });
      if (!isInside)
        return {};
    }
    for (int64_t row : rows)
      source->append(row, inner, result.values);
    return write(result, b);
  }

  /// The sums of integers along a dim. Those of floats depend on the target.
  Value summedUp(AtenCumsumOp op) {
    std::optional<Numbers> source = read(op.getSelf());
    std::optional<int64_t> dim = matchInt(op.getDim());
    if (!source || !dim || !isIntegral(type.getDtype()) ||
        !isIntegral(source->type.getDtype()) || type.getRank() == 0 ||
        countOf(type) > maxElements)
      return {};
    ArrayRef<int64_t> own = type.getSizes();
    int64_t normal = normalDim(*dim, own.size()), size = own[normal];
    int64_t inner = ShapedType::getNumElements(own.drop_front(normal + 1));
    Numbers result{type, {}};
    source->append(0, countOf(type), result.values);
    for (int64_t i = inner; i < countOf(type); ++i)
      if (i / inner % size != 0)
        result.values[i] += result.values[i - inner];
    return write(result, b);
  }

  Operation *op;
  TorchBuilder &b;
  ValueTensorType type;
};

} // namespace

Value simplify_torch::evaluate(Operation *op, TorchBuilder &b) {
  if (op->getNumResults() != 1 ||
      !isa<ValueTensorType>(op->getResult(0).getType()))
    return {};
  return Evaluation(op, b).run();
}
