//===- Fourier.cpp - Fourier transforms -----------------------------------===//
//
// The discrete Fourier transform of x is
//   X[k] = sum over j of x[j] * exp(-+ 2 * pi * i * j * k / n)
// with + for the inverse: a product with the matrix of these waves. A long
// transform of known length is composed of shorter ones (see `transformed`).
//
//===----------------------------------------------------------------------===//

#include "Complex.h"
#include "isthmus/Dialect/Torch/ComplexComposites.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/FourierComposites.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// Longer transforms are composed of shorter ones.
static constexpr int64_t maxDirect = 256;
/// Larger matrices of waves are computed at run time.
static constexpr int64_t maxWaves = maxDirect * maxDirect;

//===----------------------------------------------------------------------===//
// Waves
//===----------------------------------------------------------------------===//

namespace {

/// The sign in the exponent.
enum class Sign { Minus, Plus };

/// The parts of exp(-+ 2 * pi * i * j * k / period) at [j, k], for numbers of a
/// dtype. Sines of whole and half turns are 0, so that the spectrum of real
/// numbers is real at its ends, as PyTorch's is.
struct Waves {
  Waves(TorchBuilder &b, Type dtype, Value period, Value rows, Value columns,
        Sign sign);
  Tensor cosines, sines;

private:
  Waves(std::pair<Tensor, Tensor> both)
      : cosines(both.first), sines(both.second) {}
};

} // namespace

static std::pair<Tensor, Tensor> knownWaves(TorchBuilder &b, Type dtype,
                                            int64_t period, int64_t rows,
                                            int64_t columns, Sign sign) {
  SmallVector<double> cosines, sines;
  for (int64_t j = 0; j < rows; ++j)
    for (int64_t k = 0; k < columns; ++k) {
      int64_t place = j * k % period;
      double angle = 2 * llvm::numbers::pi * double(place) / double(period);
      double sine = place * 2 % period == 0 ? 0 : std::sin(angle);
      cosines.push_back(std::cos(angle));
      sines.push_back(sign == Sign::Minus ? 0 - sine : sine);
    }
  auto matrix = [&](ArrayRef<double> values) -> Tensor {
    return {b, reals(b, values, {rows, columns}, dtype)};
  };
  return {matrix(cosines), matrix(sines)};
}

/// Whole turns are subtracted while the numbers are still integers.
static std::pair<Tensor, Tensor> computedWaves(TorchBuilder &b, Type dtype,
                                               Value period, Value rows,
                                               Value columns, Sign sign) {
  Value zero = b.constant(0);
  Tensor j(b, b.unsqueeze(range(b, zero, rows), 1)),
      k = range(b, zero, columns);
  Tensor turns = scalar(b, period, j.dtype());
  Tensor places = (j * k).apply<AtenRemainderTensorOp>(turns);
  Tensor angles = places.as(dtype) * (2 * llvm::numbers::pi) / turns.as(dtype);
  Tensor isHalf = (places == 0) | (places * 2 == turns);
  Tensor sines = where(isHalf, 0, sin(angles));
  return {cos(angles), sign == Sign::Minus ? 0 - sines : sines};
}

Waves::Waves(TorchBuilder &b, Type dtype, Value period, Value rows,
             Value columns, Sign sign)
    : Waves([&] {
        std::optional<int64_t> n = matchInt(period), height = matchInt(rows),
                               width = matchInt(columns);
        bool isLiteral = n && height && width && *n > 0 && *height > 0 &&
                         *width > 0 && *height <= maxWaves / *width;
        return isLiteral ? knownWaves(b, dtype, *n, *height, *width, sign)
                         : computedWaves(b, dtype, period, rows, columns, sign);
      }()) {}

/// x times waves, by a product of any kind.
template <typename Product>
static Complex turned(Complex x, const Waves &waves, Product product) {
  Tensor real = product(x.real, waves.cosines),
         imaginary = product(x.real, waves.sines);
  if (!x.imaginary)
    return {real, imaginary};
  return {real - product(*x.imaginary, waves.sines),
          imaginary + product(*x.imaginary, waves.cosines)};
}

static Tensor matrixProduct(Tensor x, Tensor matrix) {
  return x.apply<AtenMatmulOp>(matrix);
}

//===----------------------------------------------------------------------===//
// One dim, the last
//===----------------------------------------------------------------------===//

static Value half(TorchBuilder &b, Value length) {
  return b.addInt(b.floorDivInt(length, b.constant(2)), b.constant(1));
}

/// The largest divisor of a long length that is at most its square root; 1 if
/// the length is unknown, short, prime or too long for a signal.
static int64_t splitOf(Value length) {
  constexpr int64_t longest = int64_t(1) << 40;
  std::optional<int64_t> n = matchInt(length);
  if (!n || *n <= maxDirect || *n > longest)
    return 1;
  int64_t divisor = static_cast<int64_t>(std::sqrt(double(*n)));
  while (*n % divisor)
    --divisor;
  return divisor;
}

static Complex viewed(Complex x, ArrayRef<Value> sizes) {
  return eachPart(x, [&](Tensor part) -> Tensor {
    return {part.builder(), part.builder().view(part, sizes)};
  });
}

static Complex swapped(Complex x) {
  return eachPart(x, [](Tensor part) -> Tensor {
    SmallVector<int64_t> order = allDims(part.rank());
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    return {part.builder(), part.builder().permute(part, order)};
  });
}

/// The transform of the last dim. For a length n = p * q, j = q * j1 + j2 and k
/// = k1 + p * k2 split the exponent into j1 * k1 / p + j2 * k1 / n + j2 * k2 /
/// q: a transform of p elements for each j2, a rotation by j2 * k1 / n, and a
/// transform of q elements for each k1.
static Complex transformed(Complex x, Value length, Sign sign) {
  TorchBuilder &b = x.real.builder();
  int64_t split = splitOf(length);
  if (split == 1)
    return turned(x, Waves(b, x.real.dtype(), length, length, length, sign),
                  matrixProduct);
  Value p = b.constant(split), q = b.floorDivInt(length, p);
  SmallVector<Value> whole = b.sizes(x.real), parts = whole;
  parts.pop_back();
  parts.append({p, q});
  Complex y = transformed(swapped(viewed(x, parts)), p, sign); // [j2, k1]
  y = turned(y, Waves(b, x.real.dtype(), length, q, p, sign),
             [](Tensor numbers, Tensor waves) { return numbers * waves; });
  y = transformed(swapped(y), q, sign); // [k1, k2]
  return viewed(swapped(y), whole);
}

static Complex cut(Complex x, Value start, Value end) {
  return eachPart(x, [&](Tensor part) -> Tensor {
    TorchBuilder &b = part.builder();
    return {b, b.slice(part, part.rank() - 1, start, end)};
  });
}

/// The bins of half a spectrum that are their own mirror images, so that they
/// are real: the first one, and the last one of an even length.
static Tensor isOwnMirror(TorchBuilder &b, Value length) {
  Tensor bins = range(b, b.constant(0), half(b, length));
  return (bins == 0) | (bins * 2 == scalar(b, length, bins.dtype()));
}

/// Half of the spectrum of real numbers: the other half is its conjugate mirror
/// image.
static Complex halfTransformed(Complex x, Value length) {
  TorchBuilder &b = x.real.builder();
  Value bins = half(b, length), zero = b.constant(0);
  if (splitOf(length) == 1)
    return turned(x,
                  Waves(b, x.real.dtype(), length, length, bins, Sign::Minus),
                  matrixProduct);
  Complex result = cut(transformed(x, length, Sign::Minus), zero, bins);
  result.imaginary = where(isOwnMirror(b, length), 0, *result.imaginary);
  return result;
}

/// The real numbers whose half spectrum is x. The elements at the ends of the
/// half are their own mirror images, since they are assumed to be real; the
/// elements between them count twice.
static Tensor realOf(Complex x, Value length) {
  TorchBuilder &b = x.real.builder();
  Type dtype = x.real.dtype();
  Value bins = half(b, length), one = b.constant(1);
  x = cut(x, b.constant(0), bins);
  if (splitOf(length) != 1) {
    Complex mirror = cut(conj(x), one, b.addInt(b.subInt(length, bins), one));
    Complex other = eachPart(mirror, [&](Tensor part) {
      return part.apply<AtenFlipOp>(b.ints(part.rank() - 1));
    });
    auto whole = [&](Tensor first, Tensor second) -> Tensor {
      return {b, b.cat({first, second}, first.rank() - 1)};
    };
    Complex all{whole(x.real, other.real), std::nullopt};
    if (x.imaginary)
      all.imaginary = whole(*x.imaginary, *other.imaginary);
    return transformed(all, length, Sign::Plus).real;
  }
  Tensor weights = where(isOwnMirror(b, length), 1, x.real.number(2));
  Complex weighted = eachPart(x, [&](Tensor part) { return part * weights; });
  return turned(weighted, Waves(b, dtype, length, bins, length, Sign::Plus),
                matrixProduct)
      .real;
}

//===----------------------------------------------------------------------===//
// Any dims
//===----------------------------------------------------------------------===//

/// Applies `function` to x with a dim moved last, and moves it back.
template <typename Function>
static Complex along(int64_t dim, Complex x, Function function) {
  SmallVector<int64_t> order = allDims(x.real.rank());
  std::swap(order[dim], order.back());
  auto reordered = [&](Tensor part) -> Tensor {
    return {part.builder(), part.builder().permute(part, order)};
  };
  return eachPart(function(eachPart(x, reordered)), reordered);
}

namespace {
/// The arguments of one of PyTorch's core transforms.
struct Request {
  SmallVector<int64_t> dims;
  int64_t normalization;
};
} // namespace

template <typename Op>
static std::optional<Request> requestOf(Op op, TorchBuilder &b) {
  auto dims = matchInts(op.getDim());
  std::optional<int64_t> normalization = matchInt(op.getNormalization());
  if (!dims || dims->empty() || !normalization) {
    b.fail("expected dims and a normalization that are known while compiling");
    return std::nullopt;
  }
  for (int64_t &dim : *dims)
    dim = normalDim(dim, tensorType(op.getSelf()).getRank());
  return Request{*dims, *normalization};
}

/// Divides by nothing, by the square root of the number of elements, or by that
/// number.
enum Normalization : int64_t { ByNothing = 0, ByRoot = 1, ByCount = 2 };

static Complex normalized(Complex x, ArrayRef<Value> lengths,
                          int64_t normalization) {
  if (normalization == ByNothing)
    return x;
  TorchBuilder &b = x.real.builder();
  Value count = b.product(lengths);
  Tensor divisor = scalar(b, count, x.real.dtype());
  if (std::optional<int64_t> known = matchInt(count))
    divisor = x.real.number(normalization == ByRoot ? std::sqrt(double(*known))
                                                    : double(*known));
  else if (normalization == ByRoot)
    divisor = sqrt(divisor);
  return eachPart(x, [&](Tensor part) { return part / divisor; });
}

/// Sizes of dims.
static SmallVector<Value> lengthsOf(TorchBuilder &b, Tensor x,
                                    ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims, [&](int64_t dim) { return b.size(x, dim); });
}

static Complex transformedAlong(Complex x, ArrayRef<int64_t> dims, Sign sign) {
  for (int64_t dim : dims)
    x = along(dim, x, [&](Complex rows) {
      TorchBuilder &b = rows.real.builder();
      return transformed(rows, b.size(rows.real, rows.real.rank() - 1), sign);
    });
  return x;
}

static Value complexToComplex(Aten_FftC2cOp op, TorchBuilder &b) {
  std::optional<Request> request = requestOf(op, b);
  std::optional<bool> isForward = matchBool(op.getForward());
  if (!request || !isForward)
    return b.fail("expected a direction that is known while compiling");
  if (!isComplex(tensorType(op.getSelf()).getDtype()))
    return b.fail("expected complex numbers");
  Complex x = partsOf(b, op.getSelf());
  Complex y =
      transformedAlong(x, request->dims, *isForward ? Sign::Minus : Sign::Plus);
  return joined(normalized(y, lengthsOf(b, x.real, request->dims),
                           request->normalization));
}

static Value realToComplex(Aten_FftR2cOp op, TorchBuilder &b) {
  std::optional<Request> request = requestOf(op, b);
  std::optional<bool> isHalf = matchBool(op.getOnesided());
  if (!request || !isHalf)
    return b.fail("expected to know while compiling whether one side is "
                  "asked for");
  if (!isFloatingPoint(tensorType(op.getSelf()).getDtype()))
    return b.fail("expected floating-point numbers");
  Complex x = partsOf(b, op.getSelf());
  ArrayRef<int64_t> dims = request->dims;
  Complex y = along(dims.back(), x, [&](Complex rows) {
    Value length = b.size(x.real, dims.back());
    return *isHalf ? halfTransformed(rows, length)
                   : transformed(rows, length, Sign::Minus);
  });
  y = transformedAlong(y, dims.drop_back(), Sign::Minus);
  return joined(
      normalized(y, lengthsOf(b, x.real, dims), request->normalization));
}

static Value complexToReal(Aten_FftC2rOp op, TorchBuilder &b) {
  std::optional<Request> request = requestOf(op, b);
  if (!request)
    return {};
  if (!isComplex(tensorType(op.getSelf()).getDtype()))
    return b.fail("expected complex numbers");
  Complex x = partsOf(b, op.getSelf());
  ArrayRef<int64_t> dims = request->dims;
  Complex y = transformedAlong(x, dims.drop_back(), Sign::Plus);
  y = along(dims.back(), y, [&](Complex rows) {
    return Complex{realOf(rows, op.getLastDimSize()), std::nullopt};
  });
  SmallVector<Value> lengths = lengthsOf(b, x.real, dims.drop_back());
  lengths.push_back(op.getLastDimSize());
  return normalized(y, lengths, request->normalization).real;
}

//===----------------------------------------------------------------------===//
// torch.fft
//===----------------------------------------------------------------------===//

/// "forward", "backward" (the default) or "ortho" determines whether a
/// transform or its inverse divides by the number of elements.
static std::optional<int64_t> normalizationOf(Value norm, bool isForward) {
  std::optional<StringRef> name =
      isNone(norm) ? StringRef("backward") : matchStr(norm);
  if (name == "ortho")
    return ByRoot;
  if (name == "forward")
    return isForward ? ByCount : ByNothing;
  if (name == "backward")
    return isForward ? ByNothing : ByCount;
  return std::nullopt;
}

/// Pads a dim with zeros at its end, or truncates it.
static Value resized(TorchBuilder &b, Value x, int64_t dim, Value size) {
  Value own = b.size(x, dim);
  std::optional<int64_t> from = matchInt(own), to = matchInt(size);
  if (own == size || (from && from == to))
    return x;
  if (from && to && *to < *from)
    return b.slice(x, dim, b.constant(0), size);
  SmallVector<Value> pads(2 * (tensorType(x).getRank() - dim), b.constant(0));
  pads.back() = b.subInt(size, own); // negative numbers crop
  return b.create<AtenConstantPadNdOp>(x, b.ints(pads), b.constantFloat(0));
}

namespace {
enum class Form { WholeToWhole, WholeToHalf, HalfToWhole };
} // namespace

/// fft(x, n?, dim, norm?) and fftn(x, s?, dim?, norm?): dims are resized to the
/// given sizes, where -1 keeps a size. Without dims, the last ones are used,
/// one for each size, or all. A transform of real numbers with + in the
/// exponent is the conjugate of that with -.
template <typename Op, Form form, bool isForward>
static Value transform(Op op, TorchBuilder &b) {
  Value x = op.getSelf(), sizes = op->getOperand(1);
  if (isIntegral(tensorType(x).getDtype()))
    x = b.convert(x, Float32Type::get(b.getContext()));
  int64_t rank = tensorType(x).getRank();
  auto asList = [](Value value) -> std::optional<SmallVector<Value>> {
    if (isInt(value.getType()))
      return SmallVector<Value>{value};
    return matchList(value);
  };
  std::optional<SmallVector<Value>> lengths;
  if (!isNone(sizes) && !(lengths = asList(sizes)))
    return b.fail("expected a list of sizes");
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(
      lengths ? rank - static_cast<int64_t>(lengths->size()) : 0, rank));
  if (Value given = op.getDim(); !isNone(given)) {
    auto list = asList(given);
    dims.clear();
    for (Value dim : list.value_or(SmallVector<Value>())) {
      std::optional<int64_t> known = matchInt(dim);
      if (!known)
        return b.fail(kConstantDims);
      dims.push_back(normalDim(*known, rank));
    }
  }
  std::optional<int64_t> normalization =
      normalizationOf(op.getNorm(), isForward);
  if (dims.empty() || !normalization)
    return b.fail("expected dims, and a norm of \"forward\", \"backward\" or "
                  "\"ortho\"");

  Value lastLength;
  for (auto [index, dim] : llvm::enumerate(dims)) {
    Value length = lengths ? (*lengths)[index] : Value();
    bool isGiven = length && matchInt(length) != -1;
    if (form == Form::HalfToWhole && index + 1 == dims.size()) {
      if (!isGiven)
        length =
            b.mulInt(b.subInt(b.size(x, dim), b.constant(1)), b.constant(2));
      lastLength = length;
      x = resized(b, x, dim, half(b, length));
    } else if (isGiven) {
      x = resized(b, x, dim, length);
    }
  }

  Value names = b.ints(dims), by = b.constant(*normalization);
  bool isReal = !isComplex(tensorType(x).getDtype());
  if (form == Form::HalfToWhole) {
    if (isReal)
      x = b.convert(x, ComplexType::get(tensorType(x).getDtype()));
    if (isForward)
      x = b.create<AtenConjPhysicalOp>(x);
    return b.create<Aten_FftC2rOp>(x, names, by, lastLength);
  }
  if (!isReal) {
    if (form == Form::WholeToHalf)
      return b.fail("expected real numbers");
    return b.create<Aten_FftC2cOp>(x, names, by, b.constantBool(isForward));
  }
  Value y = b.create<Aten_FftR2cOp>(x, names, by,
                                    b.constantBool(form == Form::WholeToHalf));
  return isForward ? y : b.create<AtenConjPhysicalOp>(y).getResult();
}

/// fftshift moves frequency 0 to the middle of each dim, ifftshift back to its
/// start: a roll by size / 2, rounded down or up.
template <typename Op, bool isInverse>
static Value shift(Op op, TorchBuilder &b) {
  Value x = op.getSelf();
  int64_t rank = tensorType(x).getRank();
  auto dims = isNone(op.getDim()) ? allDims(rank) : matchInts(op.getDim());
  if (!dims)
    return b.fail(kConstantDims);
  SmallVector<Value> shifts;
  for (int64_t dim : *dims) {
    Value size = b.size(x, normalDim(dim, rank));
    if (isInverse)
      size = b.addInt(size, b.constant(1));
    shifts.push_back(b.floorDivInt(size, b.constant(2)));
  }
  return b.create<AtenRollOp>(x, b.ints(shifts), b.ints(*dims));
}

/// fftfreq(n, d)[k] is k / (n * d), and (k - n) / (n * d) from the middle on;
/// rfftfreq omits the latter.
template <typename Op, bool isHalf>
static Value frequencies(Op op, TorchBuilder &b) {
  Value n = op.getN();
  Tensor k = range(b, b.constant(0), isHalf ? half(b, n) : n);
  if (!isHalf) {
    Tensor count = scalar(b, n, k.dtype());
    k = where(k * 2 >= count, k - count, k);
  }
  Value step = b.fold<AtenDivFloatOp>(
      b.constantFloat(1),
      b.fold<AtenMulFloatOp>(b.fold<AtenFloatScalarOp>(n), op.getD()));
  Value number = k.as(tensorType(op).getDtype());
  return b.create<AtenMulScalarOp>(number, step);
}

//===----------------------------------------------------------------------===//
// Short-time transforms
//===----------------------------------------------------------------------===//

namespace {

/// The frames of a short-time transform: `length` elements every `step`.
struct Frames {
  int64_t length, step;
  /// Number of steps that a frame spans.
  int64_t pieces() const { return llvm::divideCeil(length, step); }
  /// The weights of each frame, [length]; null means 1.
  Value window;
};

} // namespace

/// A window shorter than the frames is centered in them.
template <typename Op>
static std::optional<Frames> framesOf(Op op, TorchBuilder &b, Type dtype) {
  auto fail = [&](const Twine &reason) {
    b.fail(reason);
    return std::nullopt;
  };
  std::optional<int64_t> length = matchInt(op.getNFft());
  if (!length || *length < 1)
    return fail("expected n_fft to be known while compiling");
  std::optional<int64_t> step = isNone(op.getHopLength())
                                    ? *length / 4
                                    : matchInt(op.getHopLength()),
                         width = isNone(op.getWinLength())
                                     ? *length
                                     : matchInt(op.getWinLength());
  if (*length > INT32_MAX || (step && *step > INT32_MAX))
    return fail("expected n_fft and hop_length of 32 bits");
  if (!step || *step < 1 || !width || *width < 1 || *width > *length)
    return fail("expected hop_length and win_length of 1 or more that are "
                "known while compiling");
  Value window = op.getWindow();
  if (isNone(window)) {
    if (*width == *length)
      return Frames{*length, *step, Value()};
    Value none = b.none();
    window = b.create<AtenFullOp>(b.ints(*width), b.constantFloat(1),
                                  b.dtype(dtype), none, none, none);
  }
  if (tensorType(window).getRank() != 1)
    return fail("expected a window of rank 1");
  if (*width < *length) {
    int64_t before = (*length - *width) / 2;
    window = b.create<AtenConstantPadNdOp>(
        window, b.ints({before, *length - *width - before}),
        b.constantFloat(0));
  }
  return Frames{*length, *step, window};
}

/// Adds a leading dim of size 1 if the rank is lower.
static Value batched(TorchBuilder &b, Value x, int64_t rank) {
  return tensorType(x).getRank() < rank ? b.unsqueeze(x, 0) : x;
}

/// stft(x [N?,L]): the transform of each frame, [N?,bins,frames].
static Value shortTime(Operation *op, TorchBuilder &b, Value signal,
                       const Frames &frames, Value normalized, Value onesided,
                       Value returnComplex) {
  bool isReal =
      !isComplex(tensorType(signal).getDtype()) &&
      !(frames.window && isComplex(tensorType(frames.window).getDtype()));
  std::optional<bool> isNormalized = matchBool(normalized),
                      isHalf = isNone(onesided) ? isReal : matchBool(onesided),
                      isNumber = isNone(returnComplex)
                                     ? !isReal
                                     : matchBool(returnComplex);
  if (!isNormalized || !isHalf || !isNumber)
    return b.fail("expected normalized, onesided and return_complex to be "
                  "known while compiling");
  Value last = b.constant(-1), none = b.none();
  Value x = b.create<AtenUnfoldOp>(batched(b, signal, 2), last,
                                   b.constant(frames.length),
                                   b.constant(frames.step));
  if (frames.window)
    x = b.create<AtenMulTensorOp>(x, frames.window);
  Value norm = *isNormalized ? b.constantStr("ortho") : none;
  Value y = *isHalf ? b.create<AtenFftRfftOp>(x, none, last, norm).getResult()
                    : b.create<AtenFftFftOp>(x, none, last, norm).getResult();
  y = b.permute(y, {0, 2, 1});
  if (tensorType(signal).getRank() == 1)
    y = b.squeeze(y, 0);
  return *isNumber ? y : b.create<AtenViewAsRealOp>(y).getResult();
}

static Value stft(AtenStftOp op, TorchBuilder &b) {
  if (!isNone(op.getAlignToWindow()) &&
      matchBool(op.getAlignToWindow()) != false)
    return b.fail("expected frames that are not aligned to the window");
  auto frames = framesOf(op, b, partDtype(tensorType(op.getSelf()).getDtype()));
  return frames ? shortTime(op, b, op.getSelf(), *frames, op.getNormalized(),
                            op.getOnesided(), op.getReturnComplex())
                : Value();
}

/// The same for a signal padded by half a frame on both sides.
static Value stftCenter(AtenStftCenterOp op, TorchBuilder &b) {
  std::optional<bool> isCentered = matchBool(op.getCenter());
  if (!isCentered || !isNone(op.getAlignToWindow()))
    return b.fail("expected center to be known while compiling, and frames "
                  "that are not aligned to the window");
  Value signal = op.getSelf();
  auto frames = framesOf(op, b, partDtype(tensorType(signal).getDtype()));
  if (!frames)
    return {};
  if (*isCentered) {
    int64_t rank = tensorType(signal).getRank(), pad = frames->length / 2;
    signal = b.create<AtenPadOp>(batched(b, signal, 2), b.ints({pad, pad}),
                                 op.getPadMode(), b.none());
    if (rank == 1)
      signal = b.squeeze(signal, 0);
  }
  return shortTime(op, b, signal, *frames, op.getNormalized(), op.getOnesided(),
                   op.getReturnComplex());
}

/// Adds up overlapping frames [N,T,length], `step` apart: [N, length + (T - 1)
/// * step]. Each frame is a row of pieces of `step` elements; the m-th pieces
/// of all frames start m pieces into the result.
static Tensor overlapped(Tensor x, const Frames &frames) {
  TorchBuilder &b = x.builder();
  int64_t pieces = frames.pieces();
  Value zero = b.constant(0), count = b.size(x, 1), batch = b.size(x, 0);
  Value padded = b.create<AtenConstantPadNdOp>(
      x, b.ints(ArrayRef<int64_t>{0, pieces * frames.step - frames.length}),
      b.constantFloat(0));
  std::optional<Tensor> sum;
  for (int64_t piece = 0; piece < pieces; ++piece) {
    Value own = b.slice(padded, 2, b.constant(piece * frames.step),
                        b.constant((piece + 1) * frames.step));
    Tensor placed(b, b.create<AtenConstantPadNdOp>(
                         own, b.ints({0, 0, piece, pieces - 1 - piece}),
                         b.constantFloat(0)));
    sum = sum ? *sum + placed : placed;
  }
  Value rows = b.addInt(count, b.constant(pieces - 1));
  Value step = b.constant(frames.step);
  Value flat = b.view(*sum, {batch, b.mulInt(rows, step)});
  Value end = b.addInt(b.mulInt(b.subInt(count, b.constant(1)), step),
                       b.constant(frames.length));
  return {b, b.slice(flat, 1, zero, end)};
}

/// istft(x [N?,bins,frames]): overlapping frames weighted by the window are
/// added up, and divided by the sum of the squared window.
static Value istft(AtenIstftOp op, TorchBuilder &b) {
  Value x = op.getSelf();
  Type part = partDtype(tensorType(x).getDtype());
  auto frames = framesOf(op, b, part);
  if (!frames)
    return {};
  if (frames->pieces() > maxPieces)
    return b.fail("expected frames of at most " + Twine(maxPieces) +
                  " steps, got " + Twine(frames->pieces()));
  std::optional<bool> isCentered = matchBool(op.getCenter()),
                      isNormalized = matchBool(op.getNormalized()),
                      isNumber = matchBool(op.getReturnComplex());
  if (!isCentered || !isNormalized || !isNumber)
    return b.fail("expected center, normalized and return_complex to be known "
                  "while compiling");
  int64_t rank = tensorType(x).getRank();
  Value last = b.constant(-1);
  Value length = b.constant(frames->length);
  Value norm = *isNormalized ? b.constantStr("ortho") : b.none();
  x = b.permute(batched(b, x, 3), {0, 2, 1});
  // Only half of the spectrum of real numbers is used.
  Value y = *isNumber
                ? b.create<AtenFftIfftOp>(x, b.none(), last, norm).getResult()
                : b.create<AtenFftIrfftOp>(x, length, last, norm).getResult();
  if (frames->window)
    y = b.create<AtenMulTensorOp>(y, frames->window);
  Complex signal = eachPart(partsOf(b, y), [&](Tensor numbers) {
    return overlapped(numbers, *frames);
  });
  Tensor window(b, frames->window
                       ? frames->window
                       : Value(b.create<AtenFullOp>(
                             b.ints(frames->length), b.constantFloat(1),
                             b.dtype(part), b.none(), b.none(), b.none())));
  Value count = b.size(y, 1);
  Tensor weights = overlapped(
      {b, b.expand(window * window, {b.constant(1), count, length})}, *frames);

  Value whole = b.size(weights, 1);
  Value start = b.constant(*isCentered ? frames->length / 2 : 0);
  Value end = !isNone(op.getLength()) ? b.addInt(start, op.getLength())
              : *isCentered           ? b.subInt(whole, start)
                                      : whole;
  auto kept = [&](Tensor numbers) -> Tensor {
    return {b, b.slice(numbers, 1, start, end)};
  };
  Tensor divisor = kept(weights);
  signal = eachPart(signal, [&](Tensor numbers) -> Tensor {
    Value result = kept(numbers) / divisor;
    if (!isNone(op.getLength())) // the signal is zero after the last frame
      result = resized(b, result, 1, op.getLength());
    return rank == 2 ? Tensor(b, b.squeeze(result, 0)) : Tensor(b, result);
  });
  return *isNumber ? joined(signal) : Value(signal.real);
}

void populateFourier(Decompositions &decompositions) {
  decompositions.add(complexToComplex, complexToReal, realToComplex,
                     frequencies<AtenFftFftfreqOp, false>,
                     frequencies<AtenFftRfftfreqOp, true>, istft,
                     shift<AtenFftFftshiftOp, false>,
                     shift<AtenFftIfftshiftOp, true>, stft, stftCenter,
                     transform<AtenFftFft2Op, Form::WholeToWhole, true>,
                     transform<AtenFftFftOp, Form::WholeToWhole, true>,
                     transform<AtenFftFftnOp, Form::WholeToWhole, true>,
                     transform<AtenFftHfft2Op, Form::HalfToWhole, true>,
                     transform<AtenFftHfftOp, Form::HalfToWhole, true>,
                     transform<AtenFftHfftnOp, Form::HalfToWhole, true>,
                     transform<AtenFftIfft2Op, Form::WholeToWhole, false>,
                     transform<AtenFftIfftOp, Form::WholeToWhole, false>,
                     transform<AtenFftIfftnOp, Form::WholeToWhole, false>,
                     transform<AtenFftIhfft2Op, Form::WholeToHalf, false>,
                     transform<AtenFftIhfftOp, Form::WholeToHalf, false>,
                     transform<AtenFftIhfftnOp, Form::WholeToHalf, false>,
                     transform<AtenFftIrfft2Op, Form::HalfToWhole, false>,
                     transform<AtenFftIrfftOp, Form::HalfToWhole, false>,
                     transform<AtenFftIrfftnOp, Form::HalfToWhole, false>,
                     transform<AtenFftRfft2Op, Form::WholeToHalf, true>,
                     transform<AtenFftRfftOp, Form::WholeToHalf, true>,
                     transform<AtenFftRfftnOp, Form::WholeToHalf, true>);
}

} // namespace isthmus::decompose_torch
