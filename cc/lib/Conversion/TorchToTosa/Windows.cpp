//===- Windows.cpp - Common parts of convolutions and poolings ------------===//

#include "Windows.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

Value torch_to_tosa::channelsLast(Value x, TosaBuilder &b) {
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, TosaBuilder::rankOf(x)));
  std::rotate(order.begin() + 1, order.begin() + 2, order.end());
  return b.transpose(x, order);
}

Value torch_to_tosa::channelsFirst(Value x, TosaBuilder &b) {
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, TosaBuilder::rankOf(x)));
  std::rotate(order.begin() + 1, order.end() - 1, order.end());
  return b.transpose(x, order);
}

LogicalResult torch_to_tosa::fit(Value &x, MutableArrayRef<Window> windows,
                                 ArrayRef<int64_t> counts, TosaBuilder &b) {
  SmallVector<int64_t> sizes(TosaBuilder::sizesOf(x));
  for (auto [dim, window, count] : llvm::enumerate(windows, counts)) {
    int64_t &size = sizes[dim + 1];
    if (ShapedType::isDynamic(size) && window.stride == 1)
      continue;
    if (ShapedType::isDynamic(size))
      return failure();
    int64_t used = (count - 1) * window.stride + window.reach();
    int64_t spare = size + window.before + window.after - used;
    int64_t fromPadding = std::min(spare, window.after);
    window.after -= fromPadding;
    size -= spare - fromPadding;
  }
  x = b.slice(x, SmallVector<int64_t>(sizes.size(), 0), sizes);
  return success();
}

UnsupportedOps::Reason torch_to_tosa::declineDynamic(Value input,
                                                     TosaBuilder &b) {
  return b.decline() << "TOSA wants windows that fit the input exactly, which "
                        "needs its sizes, got "
                     << input.getType()
                     << "; make sizes known with --specialize";
}
