//===- Windows.cpp - What convolutions and poolings share -----------------===//

#include "Windows.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

Value torch_to_tosa::channelsLast(Value x, TosaBuilder &b) {
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, TosaBuilder::rankOf(x)));
  std::rotate(order.begin() + 1, order.begin() + 2, order.end());
  return b.transpose(x, order);
}

Value torch_to_tosa::channelsFirst(Value x, TosaBuilder &b) {
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, TosaBuilder::rankOf(x)));
  std::rotate(order.begin() + 1, order.end() - 1, order.end());
  return b.transpose(x, order);
}

LogicalResult torch_to_tosa::fit(Value &x, int64_t dim, Window &window, int64_t count,
                                 TosaBuilder &b) {
  int64_t size = TosaBuilder::sizesOf(x)[dim];
  if (ShapedType::isDynamic(size))
    return success(window.stride == 1);
  int64_t used = (count - 1) * window.stride + window.reach();
  int64_t spare = size + window.before + window.after - used;
  int64_t fromPadding = std::min(spare, window.after);
  window.after -= fromPadding;
  if (spare > fromPadding)
    x = b.slice(x, dim, 0, size - (spare - fromPadding));
  return success();
}

std::optional<SmallVector<int64_t>> torch_to_tosa::perDim(Value list, int64_t dims,
                                                          ArrayRef<int64_t> fallback) {
  std::optional<SmallVector<int64_t>> values = torch::matchInts(list);
  if (!values)
    return std::nullopt;
  if (values->empty())
    values->assign(fallback.begin(), fallback.end());
  if (values->size() == 1)
    values->assign(dims, values->front());
  if (static_cast<int64_t>(values->size()) != dims)
    return std::nullopt;
  return values;
}
