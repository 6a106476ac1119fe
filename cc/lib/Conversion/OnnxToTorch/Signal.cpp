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
#include "isthmus/Dialect/Torch/ComplexComposites.h"
#include "isthmus/Dialect/Torch/FourierComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// The dtype that an attribute gives as an ONNX number.
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
  Type wide = wideDtype(*dtype);
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
    double edge = std::floor((dftLength + 1) * hertz / rate);
    if (!(edge >= 0 && edge < rows))
      return b.decline() << "expected edges inside a spectrum of " << rows
                         << " bins, got one at bin "
                         << llvm::formatv("{0:f0}", edge).str();
    edges.push_back(static_cast<int64_t>(edge));
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

/// The transform of `length` elements of a dim, or of all its elements if that
/// is null; the last dim holds the parts of a number.
Value transformed(NodeBuilder &b, Value x, int64_t dim, Value length,
                  bool inverse, bool onesided) {
  Type dtype = dtypeOf(x);
  int64_t last = rankOf(x) - 1;
  bool isReal = sizeOf(x, last) == 1;
  x = b.convert(x, wideDtype(dtype));
  Value numbers = isReal ? b.create<torch::AtenSelectIntOp>(x, b.constant(last),
                                                            b.constant(0))
                               .getResult()
                         : b.create<torch::AtenViewAsComplexOp>(x).getResult();
  Value at = b.constant(dim), norm = b.none();
  if (!length)
    length = norm;
  if (inverse && onesided) {
    Value y = b.create<torch::AtenFftIrfftOp>(numbers, length, at, norm);
    return b.hasFailed() ? y : b.convert(b.unsqueeze(y, last), dtype);
  }
  Value y;
  if (inverse)
    y = b.create<torch::AtenFftIfftOp>(numbers, length, at, norm);
  else if (onesided && isReal)
    y = b.create<torch::AtenFftRfftOp>(numbers, length, at, norm);
  else
    y = b.create<torch::AtenFftFftOp>(numbers, length, at, norm);
  if (b.hasFailed())
    return y;
  if (onesided && !isReal) {
    Value half = b.floorDivInt(b.size(y, dim), b.constant(2));
    y = b.slice(y, dim, b.constant(0), b.addInt(half, b.constant(1)));
  }
  return b.convert(b.create<torch::AtenViewAsRealOp>(y), dtype);
}

/// The parts of complex numbers in the last dim; declines any other number.
LogicalResult checkParts(NodeBuilder &b, Value x) {
  int64_t parts = sizeOf(x, rankOf(x) - 1);
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
  FailureOr<Value> length = Value();
  if (isPresent(in.getDftLength()))
    length = intOf(b, in.getDftLength(), "dft_length");
  if (failed(length) ||
      (*length && failed(requireAtLeast(b, *length, 1, "a dft_length"))))
    return failure();
  return transformed(b, x, *axis, *length, op.getInverse() != 0,
                     op.getOnesided() != 0);
}

/// STFT-17: DFT of each frame of a [batch, length, parts] signal, weighted by
/// `window`: [batch, frames, bins, 2]. Frames are frame_step apart.
FailureOr<Value> lowerSTFT(onnx::STFTOp op, onnx::STFTOp::Adaptor in,
                           NodeBuilder &b) {
  Value signal = in.getSignal();
  if (rankOf(signal) == 2) // as onnxruntime takes a real signal
    signal = b.unsqueeze(signal, 2);
  if (failed(checkParts(b, signal)))
    return failure();
  FailureOr<Value> step = intOf(b, in.getFrameStep(), "frame_step");
  FailureOr<Value> length = b.size(signal, 1);
  if (isPresent(in.getFrameLength()))
    length = intOf(b, in.getFrameLength(), "frame_length");
  else if (isPresent(in.getWindow()))
    length = b.size(in.getWindow(), 0);
  if (failed(step) || failed(length) ||
      failed(requireAtLeast(b, *step, 1, "a frame_step")) ||
      failed(requireAtLeast(b, *length, 1, "a frame_length")))
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
  return transformed(b, framed, 2, Value(), /*inverse=*/false,
                     op.getOnesided() != 0);
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
