//===- Resize.cpp - ONNX Resize to ATen -----------------------------------===//
//
// Interpolation works on one axis at a time. Along an axis, each element of the
// result is a weighted sum of a few elements of the input, its taps:
//   x = coordinate in the input of the result's element y
//   result[y] = sum over offsets i of weight(i - fraction(x)) * input[floor(x)
//   + i]
// Coordinates and weights are written once, over any kind of number: for known
// sizes they are doubles and become literals, else they are tensors of one
// number per element of the result.
//
// The formulas are those of Resize-19 (https://onnx.ai/onnx/operators) and of
// its reference implementation, onnx/reference/ops/op_resize.py.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Tensor.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// The limit per element of the result: each tap is a separate op.
constexpr int64_t maxTaps = 1024;
/// The limit on all taps of an axis with known sizes, which become literals.
constexpr int64_t maxLiteralTaps = 1 << 20;

//===----------------------------------------------------------------------===//
// Numbers: doubles, or f32 tensors that broadcast
//===----------------------------------------------------------------------===//

struct Numbers {
  NodeBuilder *b;
  Value value;

  Numbers make(Value result) const { return {b, result}; }
  Numbers constant(double number) const {
    return make(b->scalarTensor(number, Float32Type::get(b->getContext())));
  }
  friend Numbers operator+(Numbers x, Numbers y) {
    return x.make(x.b->add(x.value, y.value));
  }
  friend Numbers operator-(Numbers x, Numbers y) {
    return x.make(x.b->sub(x.value, y.value));
  }
  friend Numbers operator*(Numbers x, Numbers y) {
    return x.make(x.b->mul(x.value, y.value));
  }
  friend Numbers operator/(Numbers x, Numbers y) {
    return x.make(x.b->div(x.value, y.value));
  }
  friend Numbers operator+(Numbers x, double y) { return x + x.constant(y); }
  friend Numbers operator-(Numbers x, double y) { return x - x.constant(y); }
  friend Numbers operator*(Numbers x, double y) { return x * x.constant(y); }
  friend Numbers operator-(double x, Numbers y) { return y.constant(x) - y; }
};

double floorOf(double x) { return std::floor(x); }
double ceilOf(double x) { return std::ceil(x); }
double absOf(double x) { return std::abs(x); }
double ifAtMost(double x, double bound, double yes, double no) {
  return x <= bound ? yes : no;
}
double clampTo(double x, double low, double high) {
  return std::max(low, std::min(x, high));
}
double constantLike(double, double number) { return number; }

Numbers floorOf(Numbers x) {
  return x.make(x.b->create<torch::AtenFloorOp>(x.value));
}
Numbers ceilOf(Numbers x) {
  return x.make(x.b->create<torch::AtenCeilOp>(x.value));
}
Numbers absOf(Numbers x) {
  return x.make(x.b->create<torch::AtenAbsOp>(x.value));
}
Numbers constantLike(Numbers x, double number) { return x.constant(number); }
Numbers ifAtMost(Numbers x, Numbers bound, Numbers yes, Numbers no) {
  Value atMost = x.b->create<torch::AtenLeTensorOp>(x.value, bound.value);
  return x.make(x.b->where(atMost, yes.value, no.value));
}
Numbers clampTo(Numbers x, Numbers low, Numbers high) {
  return x.make(
      x.b->create<torch::AtenClampTensorOp>(x.value, low.value, high.value));
}

//===----------------------------------------------------------------------===//
// Coordinates and weights
//===----------------------------------------------------------------------===//

/// An axis in the terms of the formulas.
template <typename N>
struct Axis {
  N size;       // elements of the input
  N resized;    // elements of the result
  N scale;      // resized / size, but for rounding
  N start, end; // the region of interest, as parts of the axis
};

/// The input coordinate of element `y` of the result; null for an unknown mode.
template <typename N>
std::optional<N> coordinateOf(StringRef mode, N y, const Axis<N> &axis) {
  N width = axis.scale * axis.size; // may be fractional
  N zero = constantLike(y, 0.0), one = constantLike(y, 1.0);
  auto ifSingle = [&](N yes, N no) { // width == 1
    return ifAtMost(absOf(width - one), zero, yes, no);
  };
  if (mode == "asymmetric")
    return y / axis.scale;
  N halfPixel = (y + 0.5) / axis.scale - 0.5;
  if (mode == "half_pixel")
    return halfPixel;
  if (mode == "pytorch_half_pixel")
    return ifSingle(constantLike(y, -0.5), halfPixel);
  if (mode == "half_pixel_symmetric")
    return axis.size * 0.5 * (1.0 - axis.resized / width) + halfPixel;
  N last = axis.size - 1.0;
  if (mode == "align_corners")
    return ifSingle(zero, y * last / (width - 1.0));
  if (mode == "tf_crop_and_resize") {
    N extent = (axis.end - axis.start) * last;
    return ifSingle(extent * 0.5, y * extent / (width - 1.0)) +
           axis.start * last;
  }
  return std::nullopt;
}

/// The interpolation that the attributes specify.
struct Filter {
  StringRef mode, nearestMode;
  double cubicCoefficient;
  bool excludeOutside;
  /// Below 1 the filter is stretched by its inverse (antialias).
  double stretch = 1;

  /// The distance from its coordinate within which an element has taps.
  double reach() const {
    return std::ceil((mode == "cubic" ? 2 : 1) / stretch);
  }
  double tapCount() const { return mode == "nearest" ? 1 : 2 * reach(); }
};

/// The weight of a tap at distance `t`: linear max(0, 1 - t), or the cubic of
/// Keys (1981) with coefficient a.
template <typename N>
N weightAt(N t, const Filter &filter) {
  N zero = constantLike(t, 0.0), one = constantLike(t, 1.0);
  if (filter.mode == "linear")
    return ifAtMost(t, one, 1.0 - t, zero);
  double a = filter.cubicCoefficient;
  N inner = (t * (a + 2) - (a + 3)) * t * t + 1.0;
  N outer = ((t * a - 5 * a) * t + 8 * a) * t - 4 * a;
  return ifAtMost(t, one, inner,
                  ifAtMost(t, constantLike(t, 2.0), outer, zero));
}

template <typename N>
struct Tap {
  N index;
  std::optional<N> weight; // none: 1
};

/// The taps of the result's element at coordinate `x`.
template <typename N>
SmallVector<Tap<N>> tapsAt(N x, N size, const Filter &filter) {
  N zero = constantLike(x, 0.0), one = constantLike(x, 1.0);
  N last = size - one;
  if (filter.mode == "nearest") {
    N index = filter.nearestMode == "floor"               ? floorOf(x)
              : filter.nearestMode == "ceil"              ? ceilOf(x)
              : filter.nearestMode == "round_prefer_ceil" ? floorOf(x + 0.5)
                                                          : ceilOf(x - 0.5);
    return {{clampTo(index, zero, last), std::nullopt}};
  }
  N whole = floorOf(x), fraction = x - whole;
  SmallVector<Tap<N>> taps;
  std::optional<N> total;
  for (double offset = 1 - filter.reach(); offset <= filter.reach(); ++offset) {
    N index = whole + offset;
    N weight = weightAt(absOf(offset - fraction) * filter.stretch, filter);
    N inside = clampTo(index, zero, last);
    if (filter.excludeOutside)
      weight = ifAtMost(absOf(index - inside), zero, weight, zero);
    total = total ? *total + weight : weight;
    taps.push_back({inside, weight});
  }
  if (filter.excludeOutside || filter.stretch < 1)
    for (Tap<N> &tap : taps)
      tap.weight = *tap.weight / *total;
  return taps;
}

//===----------------------------------------------------------------------===//
// One axis
//===----------------------------------------------------------------------===//

/// An axis to resize, from the operands.
struct ResizedAxis {
  int64_t dim;
  Value size, resized;     // !torch.int
  Value scale, start, end; // !torch.float
};

std::optional<Axis<double>> knownAxis(const ResizedAxis &axis) {
  auto size = torch::matchInt(axis.size),
       resized = torch::matchInt(axis.resized);
  auto scale = torch::matchFloat(axis.scale),
       start = torch::matchFloat(axis.start), end = torch::matchFloat(axis.end);
  // The largest number of elements that a double holds exactly.
  constexpr int64_t most = int64_t(1) << 53;
  if (!size || *size > most || !resized || *resized > most || !scale ||
      !start || !end)
    return std::nullopt;
  return Axis<double>{double(*size), double(*resized), *scale, *start, *end};
}

Numbers asNumbers(NodeBuilder &b, Value scalar) {
  return {&b, filled(b, {}, scalar, Float32Type::get(b.getContext()))};
}

/// Index and weight tensors of rank 1.
using TensorTap = Tap<Value>;

/// One literal per tap, with its value for each element of the result.
SmallVector<TensorTap>
literalTaps(NodeBuilder &b, ArrayRef<SmallVector<Tap<double>>> perElement,
            Type dtype) {
  SmallVector<TensorTap> taps;
  auto type = [&](Type element) {
    return RankedTensorType::get({static_cast<int64_t>(perElement.size())},
                                 element);
  };
  for (size_t k = 0; k < perElement.front().size(); ++k) {
    SmallVector<int64_t> indices;
    SmallVector<Attribute> weights;
    bool matters = false;
    for (const SmallVector<Tap<double>> &element : perElement) {
      indices.push_back(static_cast<int64_t>(element[k].index));
      double weight = element[k].weight.value_or(1.0);
      weights.push_back(FloatAttr::get(dtype, weight));
      matters |= weight != 0;
    }
    bool isLast = k + 1 == perElement.front().size();
    if (!matters && !(isLast && taps.empty()))
      continue;
    TensorTap tap{
        b.literal(DenseElementsAttr::get(type(b.getBuilder().getI64Type()),
                                         ArrayRef<int64_t>(indices))),
        std::nullopt};
    if (perElement.front()[k].weight)
      tap.weight = b.literal(DenseElementsAttr::get(type(dtype), weights));
    taps.push_back(tap);
  }
  return taps;
}

Value interpolate(NodeBuilder &b, Value x, int64_t dim,
                  ArrayRef<TensorTap> taps) {
  Value sum;
  for (const TensorTap &tap : taps) {
    Value term =
        b.create<torch::AtenIndexSelectOp>(x, b.constant(dim), tap.index);
    if (tap.weight)
      term = b.mul(term, alongAxis(b, *tap.weight, dim, rankOf(x)));
    sum = sum ? b.add(sum, term) : term;
  }
  return sum;
}

/// `x` with one axis resized; `extrapolation` fills positions outside of it, if
/// the mode has any.
Value resizeAxis(NodeBuilder &b, Value x, const ResizedAxis &axis,
                 StringRef mode, const Filter &filter,
                 std::optional<double> extrapolation) {
  Type dtype = dtypeOf(x);
  Value y, isInside;
  if (std::optional<Axis<double>> known = knownAxis(axis);
      known && known->resized * filter.tapCount() <= maxLiteralTaps) {
    SmallVector<SmallVector<Tap<double>>> taps;
    SmallVector<bool> inside;
    for (double place = 0; place < known->resized; ++place) {
      double coordinate = *coordinateOf(mode, place, *known);
      // As f32 has it, also where sizes are open: a coordinate next to an
      // integer is that integer.
      if (!dtype.isF64())
        coordinate = static_cast<float>(coordinate);
      taps.push_back(tapsAt(coordinate, known->size, filter));
      inside.push_back(coordinate >= 0 && coordinate <= known->size - 1);
    }
    y = interpolate(b, x, axis.dim, literalTaps(b, taps, dtype));
    if (extrapolation && !llvm::all_of(inside, [](bool is) { return is; }))
      isInside = b.literal(DenseElementsAttr::get(
          RankedTensorType::get({static_cast<int64_t>(inside.size())},
                                b.getBuilder().getI1Type()),
          ArrayRef<bool>(inside)));
  } else {
    Axis<Numbers> values{asNumbers(b, axis.size), asNumbers(b, axis.resized),
                         asNumbers(b, axis.scale), asNumbers(b, axis.start),
                         asNumbers(b, axis.end)};
    Numbers places{&b, b.convert(iota(b, b.constant(0), axis.resized),
                                 Float32Type::get(b.getContext()))};
    Numbers coordinate = *coordinateOf(mode, places, values);
    SmallVector<TensorTap> taps;
    for (const Tap<Numbers> &tap : tapsAt(coordinate, values.size, filter)) {
      taps.push_back({b.convert(tap.index.value, int64Dtype(b)), std::nullopt});
      if (tap.weight)
        taps.back().weight = b.convert(tap.weight->value, dtype);
    }
    y = interpolate(b, x, axis.dim, taps);
    if (extrapolation) {
      Numbers last = values.size - 1.0;
      Value isHigh =
          b.create<torch::AtenLeTensorOp>(coordinate.value, last.value);
      Value isLow =
          b.create<torch::AtenGeScalarOp>(coordinate.value, b.constantFloat(0));
      isInside = b.create<torch::AtenLogicalAndOp>(isLow, isHigh);
    }
  }
  if (!isInside)
    return y;
  return b.where(alongAxis(b, isInside, axis.dim, rankOf(x)), y,
                 b.scalarTensor(*extrapolation, dtype));
}

//===----------------------------------------------------------------------===//
// Resize
//===----------------------------------------------------------------------===//

/// Element `index` of a rank-1 float tensor as a !torch.float.
Value floatAt(NodeBuilder &b, Value tensor, int64_t index) {
  if (auto known = b.constantFloats(tensor))
    return b.constantFloat((*known)[index]);
  return numberOf(b, b.create<torch::AtenSelectIntOp>(tensor, b.constant(0),
                                                      b.constant(index)));
}

Value toFloat(NodeBuilder &b, Value integer) {
  return b.fold<torch::AtenFloatScalarOp>(integer);
}

/// keep_aspect_ratio_policy: the one scale that keeps all sizes at or below (or
/// above) the requested ones, which become round(scale * size).
LogicalResult keepAspectRatio(NodeBuilder &b, StringRef policy,
                              MutableArrayRef<ResizedAxis> axes) {
  if (policy != "not_larger" && policy != "not_smaller")
    return b.decline()
           << "expected keep_aspect_ratio_policy to be stretch, not_larger or "
              "not_smaller, got '"
           << policy << "'";
  std::optional<double> scale;
  for (const ResizedAxis &axis : axes) {
    auto size = torch::matchInt(axis.size),
         wanted = torch::matchInt(axis.resized);
    if (!size || !wanted)
      return b.decline() << "expected sizes known while compiling where the "
                            "aspect ratio is kept, "
                            "got sizes known at run time only";
    if (*size < 1)
      return b.decline() << "expected sizes of 1 or more where the aspect "
                            "ratio is kept, got "
                         << *size;
    double own = double(*wanted) / *size;
    scale = !scale                   ? own
            : policy == "not_larger" ? std::min(*scale, own)
                                     : std::max(*scale, own);
  }
  for (ResizedAxis &axis : axes) {
    double exact = *scale * *torch::matchInt(axis.size);
    axis.resized =
        b.fold<torch::AtenFloorFloatOp>(b.constantFloat(exact + 0.5));
    axis.scale = b.constantFloat(*scale);
  }
  return success();
}

/// The axes of a node with their sizes, scales and regions.
FailureOr<SmallVector<ResizedAxis>>
axesToResize(onnx::ResizeOp op, onnx::ResizeOp::Adaptor in, NodeBuilder &b) {
  Value x = in.getX();
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
  FailureOr<SmallVector<int64_t>> dims =
      axesOf(b, intsOf(op.getAxes(), all), rankOf(x));
  if (failed(dims))
    return failure();
  int64_t count = dims->size();
  auto has = [&](Value operand) {
    return isPresent(operand) && sizeOf(operand, 0) != 0;
  };
  if (has(in.getScales()) == has(in.getSizes()))
    return b.decline() << "expected either scales or sizes, got "
                       << (has(in.getScales()) ? "both" : "neither");
  SmallVector<Value> sizes;
  if (has(in.getSizes())) {
    FailureOr<SmallVector<Value>> given = b.ints(in.getSizes());
    if (failed(given) || static_cast<int64_t>(given->size()) != count)
      return b.decline() << "expected " << count << " sizes, got "
                         << in.getSizes().getType();
    sizes = *given;
  } else if (sizeOf(in.getScales(), 0) != count) {
    return b.decline() << "expected " << count << " scales, got "
                       << in.getScales().getType();
  }
  bool isCropped = op.getCoordinateTransformationMode() == "tf_crop_and_resize";
  if (isCropped && (!has(in.getRoi()) || sizeOf(in.getRoi(), 0) != 2 * count))
    return b.decline() << "expected a roi of " << 2 * count << " numbers, got "
                       << in.getRoi().getType();

  SmallVector<ResizedAxis> axes;
  for (auto [index, dim] : llvm::enumerate(*dims)) {
    ResizedAxis axis{dim, b.size(x, dim),     {},
                     {},  b.constantFloat(0), b.constantFloat(1)};
    if (!sizes.empty()) {
      axis.resized = sizes[index];
      axis.scale = b.fold<torch::AtenDivFloatOp>(toFloat(b, axis.resized),
                                                 toFloat(b, axis.size));
    } else {
      axis.scale = floatAt(b, in.getScales(), index);
      if (std::optional<double> known = torch::matchFloat(axis.scale);
          known && !(*known > 0 && std::isfinite(*known)))
        return b.decline() << "expected finite scales above 0, got " << *known;
      Value exact =
          b.fold<torch::AtenMulFloatOp>(toFloat(b, axis.size), axis.scale);
      axis.resized = b.fold<torch::AtenFloorFloatOp>(exact);
    }
    if (failed(requireAtLeast(b, axis.resized, 0, "sizes")))
      return failure();
    if (isCropped) {
      axis.start = floatAt(b, in.getRoi(), index);
      axis.end = floatAt(b, in.getRoi(), index + count);
    }
    axes.push_back(axis);
  }
  if (!sizes.empty() && op.getKeepAspectRatioPolicy() != "stretch" &&
      failed(keepAspectRatio(b, op.getKeepAspectRatioPolicy(), axes)))
    return failure();
  return axes;
}

/// Whether resizing does not change an axis.
bool isIdentity(const ResizedAxis &axis) {
  auto size = torch::matchInt(axis.size),
       resized = torch::matchInt(axis.resized);
  if (size && resized)
    return *size == *resized && torch::matchFloat(axis.scale).value_or(1) == 1;
  if (torch::matchFloat(axis.scale) == 1.0)
    return true;
  auto same = axis.resized.getDefiningOp<torch::AtenSizeIntOp>();
  auto own = axis.size.getDefiningOp<torch::AtenSizeIntOp>();
  return same && own && same.getSelf() == own.getSelf() &&
         torch::matchInt(same.getDim()) == torch::matchInt(own.getDim());
}

/// Resize-19
FailureOr<Value> lowerResize(onnx::ResizeOp op, onnx::ResizeOp::Adaptor in,
                             NodeBuilder &b) {
  Filter filter{op.getMode(), op.getNearestMode(),
                op.getCubicCoeffA().convertToDouble(),
                op.getExcludeOutside() != 0};
  if (!llvm::is_contained({"nearest", "linear", "cubic"}, filter.mode))
    return b.decline() << "expected mode to be nearest, linear or cubic, got '"
                       << filter.mode << "'";
  if (!llvm::is_contained(
          {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"},
          filter.nearestMode))
    return b.decline() << "expected nearest_mode to be round_prefer_floor, "
                          "round_prefer_ceil, "
                          "floor or ceil, got '"
                       << filter.nearestMode << "'";
  StringRef mode = op.getCoordinateTransformationMode();
  if (!coordinateOf(mode, 0.0, Axis<double>{1, 1, 1, 0, 1}))
    return b.decline()
           << "expected a coordinate_transformation_mode that ONNX has, got '"
           << mode << "'";
  FailureOr<SmallVector<ResizedAxis>> axes = axesToResize(op, in, b);
  if (failed(axes))
    return failure();

  // Weights are fractions, and halves would round them.
  Type dtype = dtypeOf(in.getX()), f32 = Float32Type::get(b.getContext());
  bool isWeighted = filter.mode != "nearest";
  Value y = in.getX();
  if (isWeighted && !dtype.isF64())
    y = b.convert(y, f32);
  std::optional<double> extrapolation;
  if (mode == "tf_crop_and_resize")
    extrapolation = op.getExtrapolationValue().convertToDouble();
  for (const ResizedAxis &axis : *axes) {
    if (isIdentity(axis) && mode != "tf_crop_and_resize")
      continue;
    if (torch::matchInt(axis.resized) == 0) {
      y = b.slice(y, axis.dim, b.constant(0), b.constant(0));
      continue;
    }
    filter.stretch = 1;
    if (op.getAntialias() && isWeighted) {
      std::optional<double> scale = torch::matchFloat(axis.scale);
      if (!scale)
        return b.decline() << "expected a scale known while compiling with "
                              "antialias, got one "
                              "known at run time only";
      filter.stretch = std::min(*scale, 1.0);
      if (!(filter.tapCount() <= maxTaps))
        return b.decline() << "expected a filter of at most " << maxTaps
                           << " elements with antialias, got a scale of "
                           << *scale;
    }
    y = resizeAxis(b, y, axis, mode, filter, extrapolation);
  }
  return b.convert(y, dtype);
}

} // namespace

void onnx_to_torch::populateResize(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerResize);
}
