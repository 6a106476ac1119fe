//===- Pad.cpp - ONNX padding to ATen -------------------------------------===//
//
// One function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Window.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Onnx/Tensor.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// The source of each position of a padded dim of `size` elements. `places` are
/// counted from the first element, so they start below 0.
Value sourceOf(NodeBuilder &b, Value places, Value size, StringRef mode) {
  Value zero = b.constant(0), one = b.constant(1);
  Value last = b.subInt(size, one);
  if (mode == "edge")
    return b.create<torch::AtenClampOp>(places, zero, last);
  auto wrapped = [&](Value period) {
    return Value(b.create<torch::AtenRemainderTensorOp>(
        places, b.tensorOfInts(period, int64Dtype(b), /*scalar=*/true)));
  };
  if (mode == "wrap")
    return wrapped(size);
  // reflect, for size 4: 0 1 2 3 2 1 0 1 ... is last - |i mod 2 * last - last|
  Value period = b.maxInt(b.mulInt(last, b.constant(2)), one);
  Value distance = b.create<torch::AtenAbsOp>(
      b.create<torch::AtenSubScalarOp>(wrapped(period), last, one));
  Value negated = b.create<torch::AtenNegOp>(distance);
  return b.create<torch::AtenAddScalarOp>(negated, last, one);
}

/// `pads` elements before and after each of `axes`, `constant` under mode
/// constant, or 0 if it is omitted; negative ones crop.
template <typename Op>
FailureOr<Value> padAxes(Op op, typename Op::Adaptor in, Value constant,
                         ArrayRef<int64_t> axes, NodeBuilder &b) {
  Value data = in.getData();
  int64_t rank = rankOf(data);
  FailureOr<SmallVector<int64_t>> dims = axesOf(b, axes, rank);
  if (failed(dims))
    return failure();
  FailureOr<SmallVector<Value>> pads = b.ints(in.getPads());
  if (failed(pads) || pads->size() != 2 * dims->size())
    return b.decline() << "expected 2 pads for each of " << dims->size()
                       << " axes, got " << in.getPads().getType();
  SmallVector<Value> begin(rank, b.constant(0)), end = begin;
  for (auto [index, dim] : llvm::enumerate(*dims)) {
    begin[dim] = (*pads)[index];
    end[dim] = (*pads)[index + dims->size()];
  }
  StringRef mode = op.getMode();
  if (mode == "constant") {
    Value value = number(b, 0, dtypeOf(data));
    if (isPresent(constant))
      value = numberOf(b, constant);
    return padLastDims(b, data, begin, end, value);
  }
  if (mode != "edge" && mode != "reflect" && mode != "wrap")
    return b.decline()
           << "expected mode to be constant, edge, reflect or wrap, got '"
           << mode << "'";
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (torch::matchInt(begin[dim]) == 0 && torch::matchInt(end[dim]) == 0)
      continue;
    Value size = b.size(data, dim);
    Value places =
        iota(b, b.subInt(b.constant(0), begin[dim]), b.addInt(size, end[dim]));
    data = b.create<torch::AtenIndexSelectOp>(data, b.constant(dim),
                                              sourceOf(b, places, size, mode));
  }
  return data;
}

SmallVector<int64_t> allAxes(Value data) {
  return llvm::to_vector(llvm::seq<int64_t>(0, rankOf(data)));
}

/// Pad-25
FailureOr<Value> lowerPad(onnx::PadOp op, onnx::PadOp::Adaptor in,
                          NodeBuilder &b) {
  SmallVector<int64_t> axes = allAxes(in.getData());
  if (isPresent(in.getAxes())) {
    FailureOr<SmallVector<int64_t>> known = knownInts(b, in.getAxes(), "axes");
    if (failed(known))
      return failure();
    axes = *known;
  }
  return padAxes(op, in, in.getConstantValue(), axes, b);
}

/// onnxruntime's Pad
FailureOr<Value> lowerMicrosoftPad(onnx::MicrosoftPadOp op,
                                   onnx::MicrosoftPadOp::Adaptor in,
                                   NodeBuilder &b) {
  return padAxes(op, in, in.getValue(), allAxes(in.getData()), b);
}

/// CenterCropPad-18: each of `axes` cut off or padded with zeros to a size in
/// `shape`, on both sides; an odd element more goes at the end.
FailureOr<Value> lowerCenterCropPad(onnx::CenterCropPadOp op,
                                    onnx::CenterCropPadOp::Adaptor in,
                                    NodeBuilder &b) {
  Value data = in.getInputData(), zero = b.constant(0), two = b.constant(2);
  int64_t rank = rankOf(data);
  FailureOr<SmallVector<int64_t>> dims =
      axesOf(b, intsOf(op.getAxes(), allAxes(data)), rank);
  if (failed(dims))
    return failure();
  FailureOr<SmallVector<Value>> shape = b.ints(in.getShape());
  if (failed(shape) || shape->size() != dims->size())
    return b.decline() << "expected a size for each of " << dims->size()
                       << " axes, got " << in.getShape().getType();
  SmallVector<Value> begin(rank, zero), end = begin;
  for (auto [dim, size] : llvm::zip_equal(*dims, *shape)) {
    // Half of the missing or surplus elements.
    Value missing = b.subInt(size, b.size(data, dim));
    Value excess = b.subInt(zero, missing);
    begin[dim] = b.subInt(b.floorDivInt(b.maxInt(missing, zero), two),
                          b.floorDivInt(b.maxInt(excess, zero), two));
    end[dim] = b.subInt(missing, begin[dim]);
  }
  return padLastDims(b, data, begin, end, number(b, 0, dtypeOf(data)));
}

} // namespace

void onnx_to_torch::populatePad(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerCenterCropPad);
  lowerings.add(lowerMicrosoftPad);
  lowerings.add(lowerPad);
}
