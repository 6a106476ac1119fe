//===- Pooling.cpp - ONNX pooling to ATen ---------------------------------===//
//
// One function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Quantization.h"
#include "Window.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Onnx/Nn.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/NnComposites.h"
#include "isthmus/Dialect/Torch/NnOps.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

FailureOr<Window> poolingWindow(const WindowAttributes &attributes, Value x,
                                NodeBuilder &b) {
  FailureOr<Window> window = windowOf(b, x, attributes);
  if (succeeded(window) && window->rank() > 3)
    return b.decline() << "expected at most 3 spatial dims, got "
                       << window->rank();
  return window;
}

template <typename Op>
FailureOr<Window> poolingWindow(Op op, Value x, NodeBuilder &b) {
  WindowAttributes attributes = WindowAttributes::of(op);
  attributes.ceilMode = op.getCeilMode();
  return poolingWindow(attributes, x, b);
}

/// The padding that ATen's pooling accepts: the same on both sides, and at most
/// half of the kernel.
std::optional<SmallVector<int64_t>> poolingPads(const Window &window) {
  std::optional<SmallVector<int64_t>> pads = window.symmetricPads();
  if (pads)
    for (auto [pad, kernel] : llvm::zip(*pads, window.kernel))
      if (pad < 0 || 2 * pad > kernel)
        return std::nullopt;
  return pads;
}

SmallVector<int64_t> spatialDims(Value x) {
  return llvm::to_vector(llvm::seq<int64_t>(2, rankOf(x)));
}

/// [N, C, ...] as [N * C, 1, ...].
Value asPlanes(NodeBuilder &b, Value x) {
  SmallVector<Value> sizes = b.sizes(x);
  sizes[0] = b.mulInt(sizes[0], sizes[1]);
  sizes[1] = b.constant(1);
  return b.view(x, sizes);
}

/// The sum over each window of a padded input.
Value windowSums(NodeBuilder &b, Value padded, const Window &window) {
  Type dtype = dtypeOf(padded);
  SmallVector<int64_t> zeros(window.rank(), 0), filter = {1, 1};
  llvm::append_range(filter, window.kernel);
  Value ones =
      filled(b,
             llvm::map_to_vector(
                 filter, [&](int64_t size) { return b.constant(size); }),
             number(b, 1, dtype), dtype);
  Value sums = b.create<torch::AtenConvolutionOp>(
      asPlanes(b, padded), ones, b.none(), b.ints(window.strides),
      b.ints(zeros), b.ints(window.dilations), b.constantBool(false),
      b.ints(zeros), b.constant(1));
  if (b.hasFailed())
    return sums;
  SmallVector<Value> sizes = b.sizes(sums);
  sizes[0] = b.size(padded, 0);
  sizes[1] = b.size(padded, 1);
  return b.view(sums, sizes);
}

/// The mean over each window of x [N, C, ...]; padding counts as zeros if
/// `countsPads`, elements that ceil_mode adds at the end never count.
FailureOr<Value> averagePool(NodeBuilder &b, Value x,
                             const FailureOr<Window> &window, bool countsPads) {
  if (failed(window))
    return failure();
  bool isDense = llvm::all_of(window->dilations,
                              [](int64_t dilation) { return dilation == 1; });
  std::optional<SmallVector<int64_t>> pads = poolingPads(*window);
  if (pads && isDense) {
    Value kernel = b.ints(window->kernel), strides = b.ints(window->strides);
    Value padding = b.ints(*pads), isCeil = b.constantBool(window->isCeil);
    Value countsPadding = b.constantBool(countsPads);
    if (window->rank() == 1)
      return Value(b.create<torch::AtenAvgPool1dOp>(x, kernel, strides, padding,
                                                    isCeil, countsPadding));
    if (window->rank() == 2)
      return Value(b.create<torch::AtenAvgPool2dOp>(
          x, kernel, strides, padding, isCeil, countsPadding, b.none()));
    return Value(b.create<torch::AtenAvgPool3dOp>(
        x, kernel, strides, padding, isCeil, countsPadding, b.none()));
  }
  // The sum over each window, divided by the number of elements that count.
  Type dtype = dtypeOf(x);
  Value zero = b.constantFloat(0);
  SmallVector<Value> sizes = b.sizes(x);
  sizes[0] = sizes[1] = b.constant(1);
  Window around = *window;
  if (countsPads)
    for (int64_t dim = 0; dim < around.rank(); ++dim) {
      sizes[dim + 2] = b.addInt(sizes[dim + 2],
                                b.addInt(around.begin[dim], around.end[dim]));
      around.begin[dim] = around.end[dim] = b.constant(0);
    }
  Value counted =
      around.pad(b, filled(b, sizes, b.constantFloat(1), dtype), zero);
  return b.div(windowSums(b, window->pad(b, x, zero), *window),
               windowSums(b, counted, *window));
}

/// AveragePool-22
FailureOr<Value> lowerAveragePool(onnx::AveragePoolOp op,
                                  onnx::AveragePoolOp::Adaptor in,
                                  NodeBuilder &b) {
  return averagePool(b, in.getX(), poolingWindow(op, in.getX(), b),
                     op.getCountIncludePad());
}

/// onnxruntime's QLinearAveragePool: AveragePool of a quantized tensor,
/// quantized; under channels_last of [N, ..., C].
FailureOr<Value>
lowerQLinearAveragePool(onnx::MicrosoftQLinearAveragePoolOp op,
                        onnx::MicrosoftQLinearAveragePoolOp::Adaptor in,
                        NodeBuilder &b) {
  Value x = dequantize(b, in.getX(), in.getXScale(), in.getXZeroPoint());
  if (op.getChannelsLast())
    x = channelsFirst(b, x);
  WindowAttributes attributes{op.getKernelShape(), op.getStrides(),
                              std::nullopt,        op.getPads(),
                              op.getAutoPad(),     op.getCeilMode() != 0};
  FailureOr<Value> y = averagePool(b, x, poolingWindow(attributes, x, b),
                                   op.getCountIncludePad());
  if (failed(y) || b.hasFailed())
    return failure();
  if (op.getChannelsLast())
    y = channelsLast(b, *y);
  return quantize(b, *y, in.getYScale(), in.getYZeroPoint(),
                  b.declaredDtype(op.getY()));
}

/// GlobalAveragePool-22: the mean over all spatial dims.
FailureOr<Value> lowerGlobalAveragePool(onnx::GlobalAveragePoolOp,
                                        onnx::GlobalAveragePoolOp::Adaptor in,
                                        NodeBuilder &b) {
  return Value(b.create<torch::AtenMeanDimOp>(in.getX(),
                                              b.ints(spatialDims(in.getX())),
                                              b.constantBool(true), b.none()));
}

/// |x|^p
Value powered(NodeBuilder &b, Value x, int64_t p) {
  if (p == 2)
    return b.mul(x, x);
  Value magnitude = b.create<torch::AtenAbsOp>(x);
  if (p == 1)
    return magnitude;
  return b.create<torch::AtenPowTensorScalarOp>(magnitude, b.constantFloat(p));
}

/// x^(1 / p)
Value root(NodeBuilder &b, Value x, int64_t p) {
  if (p == 1)
    return x;
  if (p == 2)
    return b.create<torch::AtenSqrtOp>(x);
  return b.create<torch::AtenPowTensorScalarOp>(x, b.constantFloat(1.0 / p));
}

/// GlobalLpPool-22: the p-norm over all spatial dims.
FailureOr<Value> lowerGlobalLpPool(onnx::GlobalLpPoolOp op,
                                   onnx::GlobalLpPoolOp::Adaptor in,
                                   NodeBuilder &b) {
  Value sum = b.sum(powered(b, in.getX(), op.getP()), spatialDims(in.getX()),
                    /*keepdim=*/true);
  return root(b, sum, op.getP());
}

/// GlobalMaxPool-22: the maximum over all spatial dims.
FailureOr<Value> lowerGlobalMaxPool(onnx::GlobalMaxPoolOp,
                                    onnx::GlobalMaxPoolOp::Adaptor in,
                                    NodeBuilder &b) {
  return Value(b.create<torch::AtenAmaxOp>(
      in.getX(), b.ints(spatialDims(in.getX())), b.constantBool(true)));
}

/// LpPool-22: the p-norm over each window.
FailureOr<Value> lowerLpPool(onnx::LpPoolOp op, onnx::LpPoolOp::Adaptor in,
                             NodeBuilder &b) {
  FailureOr<Window> window = poolingWindow(op, in.getX(), b);
  if (failed(window))
    return failure();
  Value powers =
      window->pad(b, powered(b, in.getX(), op.getP()), b.constantFloat(0));
  return root(b, windowSums(b, powers, *window), op.getP());
}

/// The padding value that never is the maximum over a window.
Value lowest(NodeBuilder &b, Type dtype) {
  if (torch::isFloatingPoint(dtype))
    return b.constantFloat(-std::numeric_limits<double>::infinity());
  if (dtype.isUnsignedInteger() || torch::isBoolean(dtype))
    return b.constant(0);
  return b.constant(
      APInt::getSignedMinValue(dtype.getIntOrFloatBitWidth()).getSExtValue());
}

/// aten.max_pool2d_with_indices counts elements within a (padded) plane, and
/// the op for volumes likewise; ONNX counts them within the whole tensor, in
/// row-major order or, under storage_order 1, in column-major order of the
/// spatial dims.
Value wholeTensorIndices(NodeBuilder &b, Value inPlane, Value x, Value padded,
                         ValueRange begin, bool columnMajor) {
  int64_t rank = begin.size();
  auto scalarOf = [&](Value size) {
    return b.tensorOfInts(size, int64Dtype(b), /*scalar=*/true);
  };
  SmallVector<Value> coordinates(rank), sizes(rank);
  Value rest = inPlane;
  for (int64_t dim = rank - 1; dim >= 0; --dim) {
    sizes[dim] = b.size(x, dim + 2);
    Value coordinate = rest;
    if (dim > 0) {
      Value size = scalarOf(b.size(padded, dim + 2));
      coordinate = b.create<torch::AtenRemainderTensorOp>(rest, size);
      rest = b.create<torch::AtenDivTensorModeOp>(rest, size,
                                                  b.constantStr("floor"));
    }
    coordinates[dim] =
        b.create<torch::AtenSubScalarOp>(coordinate, begin[dim], b.constant(1));
  }
  Value channels = b.size(x, 1), planes = b.mulInt(b.size(x, 0), channels);
  SmallVector<Value> shape(rank + 2, b.constant(1));
  shape[0] = b.size(x, 0);
  shape[1] = channels;
  Value place = b.view(iota(b, b.constant(0), planes), shape);
  if (columnMajor) {
    std::reverse(coordinates.begin(), coordinates.end());
    std::reverse(sizes.begin(), sizes.end());
  }
  for (auto [coordinate, size] : llvm::zip_equal(coordinates, sizes))
    place = b.add(b.create<torch::AtenMulScalarOp>(place, size), coordinate);
  return place;
}

/// The maximum over each window.
Value maxPool(NodeBuilder &b, Value x, const Window &window) {
  std::optional<SmallVector<int64_t>> pads = poolingPads(window);
  SmallVector<int64_t> zeros(window.rank(), 0);
  Value padded = pads ? x : window.pad(b, x, lowest(b, dtypeOf(x)));
  Value isCeil = b.constantBool(pads && window.isCeil);
  Value padding = b.ints(pads.value_or(zeros));
  Value kernel = b.ints(window.kernel), strides = b.ints(window.strides);
  Value dilations = b.ints(window.dilations);
  if (window.rank() == 1)
    return b.create<torch::AtenMaxPool1dOp>(padded, kernel, strides, padding,
                                            dilations, isCeil);
  if (window.rank() == 2)
    return b.create<torch::AtenMaxPool2dOp>(padded, kernel, strides, padding,
                                            dilations, isCeil);
  return b.create<torch::AtenMaxPool3dOp>(padded, kernel, strides, padding,
                                          dilations, isCeil);
}

/// MaxPool-22: the maximum over each window, and its index in the whole tensor.
FailureOr<SmallVector<Value>>
lowerMaxPool(onnx::MaxPoolOp op, onnx::MaxPoolOp::Adaptor in, NodeBuilder &b) {
  Value x = in.getX();
  FailureOr<Window> window = poolingWindow(op, x, b);
  if (failed(window))
    return failure();
  if (!isWanted(op.getIndices()))
    return SmallVector<Value>{maxPool(b, x, *window), Value()};
  SmallVector<int64_t> zeros(window->rank(), 0);
  std::optional<SmallVector<int64_t>> pads = poolingPads(*window);
  Value padded = pads ? x : window->pad(b, x, lowest(b, dtypeOf(x)));
  Value isCeil = b.constantBool(pads && window->isCeil);
  // One spatial dim is a plane of one row.
  bool isRow = window->rank() == 1;
  SmallVector<Value> begin = window->begin;
  if (pads) // then the indices are those of the unpadded plane
    begin.assign(begin.size(), b.constant(0));
  auto planar = [&](SmallVector<int64_t> list, int64_t first) {
    if (isRow)
      list.insert(list.begin(), first);
    return b.ints(list);
  };
  if (isRow) {
    x = b.unsqueeze(x, 2);
    padded = b.unsqueeze(padded, 2);
    begin.insert(begin.begin(), b.constant(0));
  }
  Value kernels = planar(window->kernel, 1), steps = planar(window->strides, 1),
        spread = planar(window->dilations, 1);
  Value padding = planar(pads.value_or(zeros), 0);
  ValueRange pooled;
  if (window->rank() == 3)
    pooled = b.create<torch::AtenMaxPool3dWithIndicesOp>(
                  padded, kernels, steps, padding, spread, isCeil)
                 ->getResults();
  else
    pooled = b.create<torch::AtenMaxPool2dWithIndicesOp>(
                  padded, kernels, steps, padding, spread, isCeil)
                 ->getResults();
  Value y = pooled[0];
  Value indices = wholeTensorIndices(b, pooled[1], x, padded, begin,
                                     op.getStorageOrder() == 1);
  if (isRow) {
    y = b.squeeze(y, {2});
    indices = b.squeeze(indices, {2});
  }
  return SmallVector<Value>{y, indices};
}

/// onnxruntime's NhwcMaxPool: MaxPool of [N, ..., C].
FailureOr<Value> lowerNhwcMaxPool(onnx::MicrosoftNhwcMaxPoolOp op,
                                  onnx::MicrosoftNhwcMaxPoolOp::Adaptor in,
                                  NodeBuilder &b) {
  Value x = channelsFirst(b, in.getX());
  FailureOr<Window> window = poolingWindow(op, x, b);
  if (failed(window))
    return failure();
  Value y = maxPool(b, x, *window);
  if (b.hasFailed())
    return failure();
  return channelsLast(b, y);
}

/// MaxUnpool-22: zeros but for the elements of X, which go to the indices I of
/// a tensor of the shape that X was pooled from: (size - 1) * stride + kernel -
/// pads. A larger output_shape adds zeros at the end.
FailureOr<Value> lowerMaxUnpool(onnx::MaxUnpoolOp op,
                                onnx::MaxUnpoolOp::Adaptor in, NodeBuilder &b) {
  Value x = in.getX();
  WindowAttributes attributes{
      op.getKernelShape(), op.getStrides(), std::nullopt,
      op.getPads(),        "NOTSET",        false};
  FailureOr<Window> window = windowOf(b, x, attributes);
  if (failed(window))
    return failure();
  SmallVector<Value> pooledFrom = {b.size(x, 0), b.size(x, 1)};
  for (int64_t dim = 0; dim < window->rank(); ++dim) {
    Value last = b.mulInt(b.subInt(b.size(x, dim + 2), b.constant(1)),
                          b.constant(window->strides[dim]));
    Value pads = b.addInt(window->begin[dim], window->end[dim]);
    pooledFrom.push_back(
        b.subInt(b.addInt(last, b.constant(window->kernel[dim])), pads));
  }
  Value count = b.product(pooledFrom);
  Value all = b.constant(-1), zero = number(b, 0, dtypeOf(x));
  Value zeros = filled(b, count, zero, dtypeOf(x));
  Value scattered = b.create<torch::AtenScatterSrcOp>(
      zeros, b.constant(0), b.view(in.getI(), all), b.view(x, all));
  Value y = b.view(scattered, pooledFrom);
  if (!isPresent(in.getOutputShape()))
    return y;
  FailureOr<SmallVector<Value>> shape = b.ints(in.getOutputShape());
  if (failed(shape) || shape->size() != pooledFrom.size())
    return b.decline() << "expected an output_shape of " << pooledFrom.size()
                       << " sizes, got " << in.getOutputShape().getType();
  SmallVector<Value> begin(shape->size(), b.constant(0)), end;
  for (auto [wanted, size] : llvm::zip(*shape, pooledFrom))
    end.push_back(b.subInt(wanted, size));
  return padLastDims(b, y, begin, end, zero);
}

} // namespace

void onnx_to_torch::populatePooling(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerAveragePool);
  lowerings.add(lowerGlobalAveragePool);
  lowerings.add(lowerGlobalLpPool);
  lowerings.add(lowerGlobalMaxPool);
  lowerings.add(lowerLpPool);
  lowerings.add(lowerMaxPool);
  lowerings.add(lowerMaxUnpool);
  lowerings.add(lowerNhwcMaxPool);
  lowerings.add(lowerQLinearAveragePool);
}
