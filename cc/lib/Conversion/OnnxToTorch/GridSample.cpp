//===- GridSample.cpp - ONNX grids of coordinates to ATen -----------------===//
//
// One function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Sampling.h"
#include "isthmus/Dialect/Onnx/Image.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Onnx/Nn.h"
#include "isthmus/Dialect/Onnx/Tensor.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// AffineGrid-20: theta * (x, y, 1) for the centres of the pixels of an image
/// in [-1, 1], or in [-1, 1] from first to last centre with align_corners.
FailureOr<Value> lowerAffineGrid(onnx::AffineGridOp op,
                                 onnx::AffineGridOp::Adaptor in,
                                 NodeBuilder &b) {
  Value theta = in.getTheta();
  FailureOr<SmallVector<Value>> sizes = b.ints(in.getSize());
  if (failed(sizes) || (sizes->size() != 4 && sizes->size() != 5))
    return b.decline() << "expected size of 4 or 5 sizes, got "
                       << in.getSize().getType();
  ArrayRef<Value> spatial = ArrayRef(*sizes).drop_front(2);
  int64_t rank = spatial.size();
  if (rankOf(theta) != 3 || sizeOf(theta, 1) != rank ||
      sizeOf(theta, 2) != rank + 1)
    return b.decline() << "expected theta of [N, " << rank << ", " << rank + 1
                       << "], got " << theta.getType();
  Type dtype = dtypeOf(theta), wide = wideDtype(dtype);
  Value one = b.constant(1);
  SmallVector<Value> coordinates; // x first, which is the last dim
  for (int64_t dim = rank - 1; dim >= 0; --dim) {
    // (2 * i + 1) / size - 1, or 2 * i / (size - 1) - 1
    Value steps = op.getAlignCorners()
                      ? b.maxInt(b.subInt(spatial[dim], one), one)
                      : spatial[dim];
    Value places = b.convert(iota(b, b.constant(0), spatial[dim]), wide);
    places = addNumber(b, scaled(b, places, 2), op.getAlignCorners() ? 0 : 1);
    Value centres =
        addNumber(b, b.create<torch::AtenDivScalarOp>(places, steps), -1);
    Value line = alongAxis(b, centres, dim, rank);
    coordinates.push_back(b.unsqueeze(b.expand(line, spatial), rank));
  }
  coordinates.push_back(
      b.unsqueeze(filled(b, spatial, b.constantFloat(1), wide), rank));
  Value points =
      b.view(b.cat(coordinates, rank), {b.constant(-1), b.constant(rank + 1)});
  Value grid = b.create<torch::AtenMatmulOp>(
      points, b.permute(b.convert(theta, wide), {0, 2, 1}));
  SmallVector<Value> shape = {b.size(theta, 0)};
  llvm::append_range(shape, spatial);
  shape.push_back(b.constant(rank));
  return b.convert(b.view(grid, shape), dtype);
}

/// How GridSample reads an image.
struct GridReader {
  NodeBuilder &b;
  StringRef mode, padding;
  bool alignCorners;

  /// The taps along a dim of `size` for coordinates in [-1, 1].
  Taps tapsOf(Value coordinate, Value size) const {
    // From the centre of the first pixel to that of the last, or from border
    // to border, which lies half a pixel outside.
    Value x = addNumber(b, coordinate, 1);
    if (alignCorners)
      x = scaled(b, b.create<torch::AtenMulScalarOp>(x, lastOf(b, size)), 0.5);
    else
      x = addNumber(
          b, scaled(b, b.create<torch::AtenMulScalarOp>(x, size), 0.5), -0.5);
    if (mode == "nearest")
      x = b.create<torch::AtenRoundOp>(x);
    if (padding == "reflection")
      x = reflected(x, size);
    bool isZeroOutside = padding == "zeros";
    if (mode == "nearest")
      return {tap(x, size, Value())};
    if (mode == "linear" && padding != "reflection")
      return linearTaps(b, x, size, isZeroOutside);
    Value low = b.create<torch::AtenFloorOp>(x), share = b.sub(x, low);
    Taps taps;
    int64_t first = mode == "linear" ? 0 : -1, last = mode == "linear" ? 1 : 2;
    for (int64_t place = first; place <= last; ++place)
      taps.push_back(tap(addNumber(b, low, place), size,
                         weightOf(addNumber(b, share, -place))));
    return taps;
  }

private:
  /// Back and forth between the borders: low + span - |span - (|x - low| mod (2
  /// * span))|.
  Value reflected(Value x, Value size) const {
    double low = alignCorners ? 0 : -0.5;
    Value span = alignCorners ? lastOf(b, size) : size;
    Value period = b.maxInt(b.mulInt(span, b.constant(2)), b.constant(1));
    Value distance = b.create<torch::AtenAbsOp>(addNumber(b, x, -low));
    Value phase = b.create<torch::AtenRemainderTensorOp>(
        distance,
        b.convert(b.tensorOfInts(period, int64Dtype(b), /*scalar=*/true),
                  dtypeOf(x)));
    Value fromTurn = b.create<torch::AtenAbsOp>(
        b.create<torch::AtenSubScalarOp>(phase, span, b.constant(1)));
    Value back = b.create<torch::AtenNegOp>(fromTurn);
    return addNumber(
        b, b.create<torch::AtenAddScalarOp>(back, span, b.constant(1)), low);
  }

  Tap tap(Value position, Value size, Value weight) const {
    if (padding == "reflection")
      position = reflected(position, size);
    return tapAt(b, position, size, weight, padding == "zeros");
  }

  /// The weight of an element at a distance; the cubic one is Keys' with
  /// a = -0.75.
  Value weightOf(Value distance) const {
    Value x = b.create<torch::AtenAbsOp>(distance);
    if (mode == "linear")
      return b.create<torch::AtenRsubScalarOp>(x, b.constantFloat(1),
                                               b.constant(1));
    constexpr double a = -0.75;
    // Up to 1: ((a + 2) * x - (a + 3)) * x * x + 1
    Value near = addNumber(
        b, b.mul(addNumber(b, scaled(b, x, a + 2), -a - 3), b.mul(x, x)), 1);
    // Up to 2: ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    Value far = addNumber(b, scaled(b, x, a), -5 * a);
    far = addNumber(b, b.mul(far, x), 8 * a);
    far = addNumber(b, b.mul(far, x), -4 * a);
    Value isNear = b.create<torch::AtenLeScalarOp>(x, b.constantFloat(1));
    return b.where(isNear, near, far);
  }
};

/// X at the positions given by `grid`, in [-1, 1] from one border to the other
/// and with the coordinate of the last dim first.
template <typename Op>
FailureOr<Value> sampleGrid(Op op, typename Op::Adaptor in, StringRef mode,
                            NodeBuilder &b) {
  Value x = in.getX(), grid = in.getGrid();
  int64_t rank = rankOf(x) - 2;
  if (rank < 1 || rankOf(grid) != rank + 2 || sizeOf(grid, rank + 1) != rank)
    return b.decline() << "expected a grid with a coordinate for each spatial "
                          "dim, got "
                       << grid.getType() << " for " << x.getType();
  StringRef padding = op.getPaddingMode();
  if (mode != "linear" && mode != "nearest" && mode != "cubic")
    return b.decline() << "expected mode to be linear, nearest or cubic, got '"
                       << mode << "'";
  if (padding != "zeros" && padding != "border" && padding != "reflection")
    return b.decline()
           << "expected padding_mode to be zeros, border or reflection, got '"
           << padding << "'";
  Type dtype = dtypeOf(x), wide = wideDtype(dtype);
  grid = b.convert(grid, wide);
  GridReader reader{b, mode, padding, op.getAlignCorners() != 0};
  SmallVector<Taps> taps;
  for (int64_t dim = 0; dim < rank; ++dim) {
    Value coordinate = b.create<torch::AtenSelectIntOp>(
        grid, b.constant(rank + 1), b.constant(rank - 1 - dim));
    taps.push_back(reader.tapsOf(coordinate, b.size(x, dim + 2)));
  }
  Value image = moveToEnd(b, b.convert(x, wide), 1);
  Value sampled = sample(b, image, counted(b, b.size(x, 0), 0, rank + 1), taps);
  return b.convert(moveFromEnd(b, sampled, 1), dtype);
}

/// GridSample-22
FailureOr<Value> lowerGridSample(onnx::GridSampleOp op,
                                 onnx::GridSampleOp::Adaptor in,
                                 NodeBuilder &b) {
  return sampleGrid(op, in, op.getMode(), b);
}

/// onnxruntime's GridSample, which has other names for the modes.
FailureOr<Value>
lowerMicrosoftGridSample(onnx::MicrosoftGridSampleOp op,
                         onnx::MicrosoftGridSampleOp::Adaptor in,
                         NodeBuilder &b) {
  StringRef mode = llvm::StringSwitch<StringRef>(op.getMode())
                       .Case("bilinear", "linear")
                       .Case("bicubic", "cubic")
                       .Default(op.getMode());
  return sampleGrid(op, in, mode, b);
}

} // namespace

void onnx_to_torch::populateGridSample(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerAffineGrid);
  lowerings.add(lowerGridSample);
  lowerings.add(lowerMicrosoftGridSample);
}
