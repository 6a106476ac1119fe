//===- Window.cpp - The sliding window of Conv and pooling ----------------===//

#include "Window.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

std::optional<SmallVector<int64_t>> Window::symmetricPads() const {
  SmallVector<int64_t> pads;
  for (auto [first, last] : llvm::zip(begin, end)) {
    std::optional<int64_t> known = torch::matchInt(first);
    if (!known || known != torch::matchInt(last))
      return std::nullopt;
    pads.push_back(*known);
  }
  return pads;
}

Value onnx_to_torch::padLastDims(NodeBuilder &b, Value x, ValueRange begin,
                                 ValueRange end, Value number) {
  SmallVector<Value> pads; // pairs from the last dim backwards
  bool isNeeded = false;
  for (auto [first, last] : llvm::reverse(llvm::zip(begin, end))) {
    pads.append({first, last});
    isNeeded |= torch::matchInt(first) != 0 || torch::matchInt(last) != 0;
  }
  if (!isNeeded)
    return x;
  return b.create<torch::AtenConstantPadNdOp>(x, b.ints(pads), number);
}

Value Window::pad(NodeBuilder &b, Value x, Value number) const {
  SmallVector<Value> last;
  for (auto [explicitEnd, extra] : llvm::zip(end, overflow))
    last.push_back(b.addInt(explicitEnd, extra));
  return padLastDims(b, x, begin, last, number);
}

static Value ceilDiv(NodeBuilder &b, Value value, int64_t divisor) {
  return b.floorDivInt(b.addInt(value, b.constant(divisor - 1)),
                       b.constant(divisor));
}

/// auto_pad: as many windows as ceil(size / stride), the padding they need
/// split in halves, an odd one at the end (SAME_UPPER) or the beginning.
static void padToSame(NodeBuilder &b, Value x, bool upper, Window &window) {
  for (int64_t dim = 0; dim < window.rank(); ++dim) {
    int64_t stride = window.strides[dim], reach = window.reach(dim);
    Value total = b.constant(reach - 1);
    if (stride != 1) {
      Value size = b.size(x, dim + 2);
      Value last = b.mulInt(b.subInt(ceilDiv(b, size, stride), b.constant(1)),
                            b.constant(stride));
      total = b.maxInt(b.subInt(b.addInt(last, b.constant(reach)), size),
                       b.constant(0));
    }
    Value less = b.floorDivInt(total, b.constant(2)),
          more = b.subInt(total, less);
    window.begin.push_back(upper ? less : more);
    window.end.push_back(upper ? more : less);
  }
}

/// ceil_mode: min(ceil((size + begin + end - reach) / stride) + 1,
/// ceil((size + begin) / stride)) windows, as the last one must start before
/// the end padding.
static Value overflowOf(NodeBuilder &b, Value x, const Window &window,
                        int64_t dim) {
  int64_t stride = window.strides[dim];
  Value one = b.constant(1), reach = b.constant(window.reach(dim));
  Value fromBegin = b.addInt(b.size(x, dim + 2), window.begin[dim]);
  Value padded = b.addInt(fromBegin, window.end[dim]);
  Value rounded = b.addInt(ceilDiv(b, b.subInt(padded, reach), stride), one);
  Value count = b.minInt(rounded, ceilDiv(b, fromBegin, stride));
  Value needed =
      b.addInt(b.mulInt(b.subInt(count, one), b.constant(stride)), reach);
  return b.subInt(needed, padded);
}

LogicalResult onnx_to_torch::checkMagnitude(NodeBuilder &b, StringRef name,
                                            ArrayRef<int64_t> list) {
  for (int64_t number : list)
    if (!llvm::isInt<32>(number))
      return b.decline() << "expected " << name << " of 32 bits, got "
                         << number;
  return success();
}

FailureOr<Window> onnx_to_torch::windowOf(NodeBuilder &b, Value x,
                                          const WindowAttributes &attributes,
                                          ArrayRef<int64_t> kernel) {
  int64_t spatial = rankOf(x) - 2;
  if (spatial < 1)
    return b.decline() << "expected an input of rank 3 or more, got "
                       << x.getType();
  SmallVector<int64_t> ones(spatial, 1), zeros(2 * spatial, 0);
  Window window;
  window.kernel = intsOf(attributes.kernel, kernel);
  window.strides = intsOf(attributes.strides, ones);
  window.dilations = intsOf(attributes.dilations, ones);
  std::pair<StringRef, ArrayRef<int64_t>> lists[] = {
      {"kernel_shape", window.kernel},
      {"strides", window.strides},
      {"dilations", window.dilations}};
  for (auto [name, list] : lists) {
    if (static_cast<int64_t>(list.size()) != spatial)
      return b.decline() << "expected " << spatial << " numbers in " << name
                         << ", got " << list.size();
    if (llvm::any_of(list, [](int64_t number) { return number < 1; }))
      return b.decline() << "expected " << name << " of 1 or more, got "
                         << *llvm::min_element(list);
    if (failed(checkMagnitude(b, name, list)))
      return failure();
  }
  window.overflow.assign(spatial, b.constant(0));
  StringRef autoPad = attributes.autoPad;
  if (autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER") {
    padToSame(b, x, autoPad == "SAME_UPPER", window);
    return window;
  }
  if (autoPad != "NOTSET" && autoPad != "VALID" && !autoPad.empty())
    return b.decline() << "expected auto_pad to be NOTSET, SAME_LOWER, "
                          "SAME_UPPER or VALID, got '"
                       << autoPad << "'";
  bool isExplicit = autoPad != "VALID";
  SmallVector<int64_t> pads =
      isExplicit ? intsOf(attributes.pads, zeros) : zeros;
  if (static_cast<int64_t>(pads.size()) != 2 * spatial)
    return b.decline() << "expected " << 2 * spatial << " numbers in pads, got "
                       << pads.size();
  if (failed(checkMagnitude(b, "pads", pads)))
    return failure();
  for (int64_t dim = 0; dim < spatial; ++dim) {
    window.begin.push_back(b.constant(pads[dim]));
    window.end.push_back(b.constant(pads[dim + spatial]));
  }
  // Rounding up makes no difference to the windows of auto_pad.
  window.isCeil = attributes.ceilMode && isExplicit;
  if (window.isCeil)
    for (int64_t dim = 0; dim < spatial; ++dim)
      window.overflow[dim] = overflowOf(b, x, window, dim);
  return window;
}
