//===- Signal.cpp - ONNX windows and Fourier transforms to ATen -----------===//
//
// One function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
// Complex numbers are a last dim of two, the real and the imaginary part.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Window.h"
#include "isthmus/Dialect/Onnx/Math.h"
#include "isthmus/Dialect/Onnx/Schemas.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// Where a result of `dtype` is computed: f64 for itself, f32 for the others.
Type computedIn(Type dtype) {
  return dtype.isF64() ? dtype : Float32Type::get(dtype.getContext());
}

/// The dtype that an attribute names by ONNX's number.
FailureOr<Type> namedDtype(NodeBuilder &b, int64_t number) {
  Type element = onnx::getElementType(number, b.getContext());
  Type dtype = element ? torch::toTorchDtype(element) : Type();
  if (!dtype)
    return b.decline() << "expected a dtype that torch has, got " << number;
  return dtype;
}

/// 2 * pi / period, a !torch.float.
Value fullTurnOver(NodeBuilder &b, Value period) {
  return b.fold<torch::AtenDivFloatOp>(
      b.constantFloat(2 * llvm::numbers::pi),
      b.fold<torch::AtenFloatScalarOp>(period));
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// The sum of coefficients[k] * cos(2 * pi * k * n / N) for n = 0 ... size - 1,
/// where N is the size, or one less if the window is symmetric.
template <typename Op>
FailureOr<Value> cosineWindow(Op op, typename Op::Adaptor in, NodeBuilder &b,
                              ArrayRef<double> coefficients) {
  FailureOr<Value> size = intOf(b, in.getSize(), "size");
  FailureOr<Type> dtype = namedDtype(b, op.getOutputDatatype());
  if (failed(size) || failed(dtype))
    return failure();
  Type wide = computedIn(*dtype);
  Value period = op.getPeriodic() ? *size : b.subInt(*size, b.constant(1));
  Value places = b.convert(iota(b, b.constant(0), *size), wide);
  Value angles =
      b.create<torch::AtenMulScalarOp>(places, fullTurnOver(b, period));
  Value sum = filled(b, *size, b.constantFloat(coefficients.front()), wide);
  for (auto [k, coefficient] : llvm::enumerate(coefficients.drop_front())) {
    Value multiple =
        b.create<torch::AtenMulScalarOp>(angles, b.constantFloat(k + 1));
    sum = b.create<torch::AtenAddTensorOp>(sum,
                                           b.create<torch::AtenCosOp>(multiple),
                                           b.constantFloat(coefficient));
  }
  return b.convert(sum, *dtype);
}

/// BlackmanWindow-17: 0.42 - 0.5 * cos(2 * pi * n / N) + 0.08 * cos(4 * pi * n
/// / N)
FailureOr<Value> lowerBlackmanWindow(onnx::BlackmanWindowOp op,
                                     onnx::BlackmanWindowOp::Adaptor in,
                                     NodeBuilder &b) {
  return cosineWindow(op, in, b, {0.42, -0.5, 0.08});
}

/// HammingWindow-17: 25 / 46 - 21 / 46 * cos(2 * pi * n / N)
FailureOr<Value> lowerHammingWindow(onnx::HammingWindowOp op,
                                    onnx::HammingWindowOp::Adaptor in,
                                    NodeBuilder &b) {
  return cosineWindow(op, in, b, {25.0 / 46, -21.0 / 46});
}

/// HannWindow-17: 0.5 - 0.5 * cos(2 * pi * n / N), which is sin^2(pi * n / N).
FailureOr<Value> lowerHannWindow(onnx::HannWindowOp op,
                                 onnx::HannWindowOp::Adaptor in,
                                 NodeBuilder &b) {
  return cosineWindow(op, in, b, {0.5, -0.5});
}

/// MelWeightMatrix-17: column i is a triangle over the bins of a spectrum, from
/// edge i to edge i + 2 with its peak of 1 at edge i + 1. The edges lie evenly
/// on the mel scale, mel(f) = 2595 * log10(1 + f / 700).
FailureOr<Value> lowerMelWeightMatrix(onnx::MelWeightMatrixOp op,
                                      onnx::MelWeightMatrixOp::Adaptor in,
                                      NodeBuilder &b) {
  SmallVector<int64_t> counts;
  for (auto [operand, name] : {std::pair(in.getNumMelBins(), "num_mel_bins"),
                               {in.getDftLength(), "dft_length"},
                               {in.getSampleRate(), "sample_rate"}}) {
    FailureOr<int64_t> known = knownInt(b, operand, name);
    if (failed(known))
      return failure();
    counts.push_back(*known);
  }
  auto lower = b.constantFloats(in.getLowerEdgeHertz()),
       upper = b.constantFloats(in.getUpperEdgeHertz());
  if (!lower || !upper || lower->size() != 1 || upper->size() != 1)
    return b.decline() << "expected edges to be known while compiling, got "
                          "values known at run time only";
  FailureOr<Type> dtype = namedDtype(b, op.getOutputDatatype());
  if (failed(dtype))
    return failure();
  int64_t bins = counts[0], dftLength = counts[1], rate = counts[2];
  constexpr int64_t most = 1 << 16;
  if (bins < 0 || bins > most || dftLength < 0 || dftLength > most || rate < 1)
    return b.decline() << "expected num_mel_bins and dft_length in [0, " << most
                       << "] and a sample_rate of 1 or more, got " << bins
                       << ", " << dftLength << " and " << rate;
  int64_t rows = dftLength / 2 + 1;
  auto mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  double low = mel(lower->front()), high = mel(upper->front());
  SmallVector<int64_t> edges;
  for (int64_t i = 0; i < bins + 2; ++i) {
    double place = low + i * (high - low) / (bins + 2);
    double hertz = 700 * (std::pow(10, place / 2595) - 1);
    edges.push_back(std::floor((dftLength + 1) * hertz / rate));
    if (edges.back() < 0 || edges.back() >= rows)
      return b.decline() << "expected edges inside a spectrum of " << rows
                         << " bins, got one at bin " << edges.back();
  }
  std::vector<float> weights(rows * bins, 0);
  for (int64_t i = 0; i < bins; ++i) {
    int64_t left = edges[i], peak = edges[i + 1], right = edges[i + 2];
    auto at = [&](int64_t row) -> float & { return weights[row * bins + i]; };
    at(peak) = 1;
    for (int64_t row = left; row < peak; ++row)
      at(row) = double(row - left) / (peak - left);
    for (int64_t row = peak; row < right; ++row)
      at(row) = double(right - row) / (right - peak);
  }
  Value matrix = b.literal(DenseElementsAttr::get(
      RankedTensorType::get({rows, bins}, Float32Type::get(b.getContext())),
      ArrayRef(weights)));
  return b.convert(matrix, *dtype);
}

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

/// The discrete Fourier transform of the last dim of a tensor of `length`
/// elements, as a product with the matrix of its waves.
class Transform {
public:
  Transform(NodeBuilder &b, Value length, bool inverse, bool onesided)
      : b(b), length(length), inverse(inverse), onesided(onesided) {}

  /// Of a real and an imaginary part; no imaginary part is 0, and so is a
  /// missing one of the result.
  std::pair<Value, Value> apply(Value real, Value imaginary) {
    bool toReal = inverse && onesided;
    Value half = b.addInt(b.floorDivInt(length, b.constant(2)), b.constant(1));
    Value rows = toReal ? half : length;
    Value columns = onesided && !inverse ? half : length;
    dtype = dtypeOf(real);
    makeWaves(rows, columns, /*weighs=*/toReal);
    real = resized(real, rows);
    if (imaginary)
      imaginary = resized(imaginary, rows);
    // (real + i * imaginary) * (cosines -+ i * sines)
    Value y = product(real, cosines);
    if (imaginary) {
      Value other = product(imaginary, sines);
      y = inverse ? b.sub(y, other) : b.add(y, other);
    }
    if (toReal)
      return {y, Value()};
    Value z = product(real, sines);
    if (!inverse)
      z = b.create<torch::AtenNegOp>(z);
    if (imaginary)
      z = b.add(z, product(imaginary, cosines));
    return {y, z};
  }

private:
  /// cos and sin of 2 * pi * j * k / length at [j, k], over the length for the
  /// inverse. Where half a spectrum makes a real result, what it leaves out is
  /// the mirror image of what it has: all but the ends count twice.
  void makeWaves(Value rows, Value columns, bool weighs) {
    Value zero = b.constant(0), one = b.constant(1);
    Value j = b.unsqueeze(iota(b, zero, rows), 1);
    Value k = b.unsqueeze(iota(b, zero, columns), 0);
    auto scalar = [&](Value number) {
      return b.tensorOfInts(number, int64Dtype(b), /*scalar=*/true);
    };
    // Whole turns are taken off while the numbers are integers.
    Value turned =
        b.create<torch::AtenRemainderTensorOp>(b.mul(j, k), scalar(length));
    Value angles = b.create<torch::AtenMulScalarOp>(b.convert(turned, dtype),
                                                    fullTurnOver(b, length));
    cosines = b.create<torch::AtenCosOp>(angles);
    sines = b.create<torch::AtenSinOp>(angles);
    if (!inverse)
      return;
    Value weights =
        b.div(b.scalarTensor(1.0, dtype), b.convert(scalar(length), dtype));
    if (weighs) {
      // The first row, and the one at the middle of an even length.
      Value mirrored = b.create<torch::AtenRsubScalarOp>(j, length, one);
      Value isEnd = b.create<torch::AtenLogicalOrOp>(
          b.create<torch::AtenEqScalarOp>(j, zero),
          b.create<torch::AtenEqTensorOp>(j, mirrored));
      Value twice = b.create<torch::AtenMulScalarOp>(weights, b.constant(2));
      weights = b.where(isEnd, weights, twice);
    }
    cosines = b.mul(cosines, weights);
    sines = b.mul(sines, weights);
  }

  /// The last dim with zeros at its end, or cut off there.
  Value resized(Value x, Value size) {
    Value missing = b.subInt(size, b.size(x, rankOf(x) - 1));
    return padLastDims(b, x, b.constant(0), missing, b.constantFloat(0));
  }

  Value product(Value x, Value matrix) {
    return b.create<torch::AtenMatmulOp>(x, matrix);
  }

  NodeBuilder &b;
  Value length;
  bool inverse, onesided;
  Type dtype;
  Value cosines, sines;
};

/// The transform along the dim before the last one, which holds the parts.
Value transformed(NodeBuilder &b, Value x, Transform transform) {
  Type dtype = dtypeOf(x);
  int64_t last = rankOf(x) - 1;
  x = b.convert(x, computedIn(dtype));
  auto part = [&](int64_t index) -> Value {
    return b.create<torch::AtenSelectIntOp>(x, b.constant(last),
                                            b.constant(index));
  };
  Value imaginary = sizeOf(x, last) == 1 ? Value() : part(1);
  auto [y, z] = transform.apply(part(0), imaginary);
  if (b.hasFailed())
    return y;
  Value result = b.unsqueeze(y, last);
  if (z)
    result = b.cat({result, b.unsqueeze(z, last)}, last);
  return b.convert(result, dtype);
}

/// The parts of complex numbers in the last dim; declines any other number.
LogicalResult checkParts(NodeBuilder &b, Value x) {
  int64_t parts = rankOf(x) < 2 ? 0 : sizeOf(x, rankOf(x) - 1);
  if (parts == 1 || parts == 2)
    return success();
  return b.decline() << "expected a last dim of 1 or 2 parts of a number, got "
                     << x.getType();
}

/// DFT-20: sum_j x[j] * exp(-2 * pi * i * j * k / N) along `axis`; `inverse`
/// has + in the exponent and divides by N. `onesided` is the first half of the
/// spectrum of a real signal: of the result, or of the input of the inverse.
FailureOr<Value> lowerDFT(onnx::DFTOp op, onnx::DFTOp::Adaptor in,
                          NodeBuilder &b) {
  Value x = in.getInput();
  int64_t rank = rankOf(x);
  if (failed(checkParts(b, x)))
    return failure();
  FailureOr<int64_t> axis = rank - 2;
  if (isPresent(in.getAxis())) {
    FailureOr<int64_t> known = knownInt(b, in.getAxis(), "axis");
    if (failed(known))
      return failure();
    axis = axisOf(b, *known, rank);
  }
  if (failed(axis))
    return failure();
  if (*axis == rank - 1)
    return b.decline() << "expected an axis before the last one, got " << *axis;
  bool inverse = op.getInverse(), onesided = op.getOnesided();
  FailureOr<Value> length = b.size(x, *axis);
  if (isPresent(in.getDftLength()))
    length = intOf(b, in.getDftLength(), "dft_length");
  else if (inverse && onesided)
    length = b.mulInt(b.subInt(*length, b.constant(1)), b.constant(2));
  if (failed(length))
    return failure();
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(order[*axis], order[rank - 2]);
  bool isMoved = *axis != rank - 2;
  Value y = transformed(b, isMoved ? b.permute(x, order) : x,
                        Transform(b, *length, inverse, onesided));
  return isMoved && !b.hasFailed() ? b.permute(y, order) : y;
}

/// STFT-17: DFT of each frame of a [batch, length, parts] signal, weighed by
/// `window`: [batch, frames, bins, 2]. Frames are frame_step apart.
FailureOr<Value> lowerSTFT(onnx::STFTOp op, onnx::STFTOp::Adaptor in,
                           NodeBuilder &b) {
  Value signal = in.getSignal();
  if (failed(checkParts(b, signal)))
    return failure();
  if (rankOf(signal) != 3)
    return b.decline() << "expected a signal of rank 3, got "
                       << signal.getType();
  if (isPresent(in.getWindow()) && rankOf(in.getWindow()) != 1)
    return b.decline() << "expected a window of rank 1, got "
                       << in.getWindow().getType();
  FailureOr<Value> step = intOf(b, in.getFrameStep(), "frame_step");
  FailureOr<Value> length = b.size(signal, 1);
  if (isPresent(in.getFrameLength()))
    length = intOf(b, in.getFrameLength(), "frame_length");
  else if (isPresent(in.getWindow()))
    length = b.size(in.getWindow(), 0);
  if (failed(step) || failed(length))
    return failure();
  Value zero = b.constant(0), one = b.constant(1);
  Value rest = b.subInt(b.size(signal, 1), *length);
  Value frames = b.addInt(b.floorDivInt(rest, *step), one);
  Value starts = b.unsqueeze(
      b.create<torch::AtenMulScalarOp>(iota(b, zero, frames), *step), 1);
  Value places = b.add(starts, b.unsqueeze(iota(b, zero, *length), 0));
  Value framed = take(b, signal, places, 1);
  if (isPresent(in.getWindow()))
    framed = b.mul(framed, b.unsqueeze(in.getWindow(), 1));
  if (b.hasFailed())
    return failure();
  return transformed(
      b, framed,
      Transform(b, *length, /*inverse=*/false, op.getOnesided() != 0));
}

} // namespace

void onnx_to_torch::populateSignal(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerBlackmanWindow);
  lowerings.add(lowerDFT);
  lowerings.add(lowerHammingWindow);
  lowerings.add(lowerHannWindow);
  lowerings.add(lowerMelWeightMatrix);
  lowerings.add(lowerSTFT);
}
