//===- Strides.cpp - The elements that a tensor has of its storage --------===//

#include "Strides.h"

#include "Expression.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace isthmus::pt2;
using llvm::SmallVector;
using llvm::StringRef;

/// Computes sizes at one number for each symbol.
namespace {
class Example {
public:
  std::optional<int64_t> evaluate(const schema::SymInt &size) {
    if (size.value)
      return size.value;
    std::optional<Expression> expression = Expression::parse(size.expression);
    if (!expression)
      return std::nullopt;
    expression->forEachSymbol([&](StringRef name) {
      symbols.try_emplace(name, 10007 + 104 * symbols.size());
    });
    return expression->evaluate(symbols);
  }

private:
  llvm::StringMap<int64_t> symbols;
};
} // namespace

std::optional<bool> isthmus::pt2::isContiguous(const schema::TensorMeta &meta) {
  Example example;
  int64_t expected = 1;
  for (auto [size, stride] :
       llvm::reverse(llvm::zip(meta.sizes, meta.strides))) {
    std::optional<int64_t> count = example.evaluate(size),
                           step = example.evaluate(stride);
    if (!count || !step)
      return std::nullopt;
    if (*count != 1 && *step != expected)
      return false;
    if (llvm::MulOverflow(expected, *count, expected))
      return std::nullopt;
  }
  return true;
}

std::optional<SmallVector<int64_t>>
isthmus::pt2::getStorageOrder(const schema::TensorMeta &meta) {
  if (meta.sizes.size() != meta.strides.size())
    return std::nullopt;
  SmallVector<int64_t> order;
  for (auto [dim, size, stride] : llvm::enumerate(meta.sizes, meta.strides)) {
    if (!size.value || !stride.value)
      return std::nullopt;
    order.push_back(dim);
  }
  llvm::stable_sort(order, [&](int64_t a, int64_t b) {
    return *meta.strides[a].value > *meta.strides[b].value;
  });
  int64_t expected = 1;
  for (int64_t dim : llvm::reverse(order)) {
    int64_t size = *meta.sizes[dim].value;
    if (size != 1 && *meta.strides[dim].value != expected)
      return std::nullopt;
    if (llvm::MulOverflow(expected, size, expected))
      return std::nullopt;
  }
  return order;
}

std::optional<bool> isthmus::pt2::isInside(const StridedView &view,
                                           const schema::TensorMeta &base) {
  if (view.sizes.size() != view.strides.size())
    return false;
  Example example;
  std::optional<int64_t> last = example.evaluate(view.offset);
  if (!last)
    return std::nullopt;
  bool isInBounds = *last >= 0, isEmpty = false;
  for (auto [size, stride] : llvm::zip_equal(view.sizes, view.strides)) {
    std::optional<int64_t> count = example.evaluate(size),
                           step = example.evaluate(stride);
    if (!count || !step)
      return std::nullopt;
    int64_t reach = 0;
    isInBounds &= *count >= 0 && *step >= 0;
    isInBounds &= !llvm::MulOverflow(*count - 1, *step, reach) &&
                  !llvm::AddOverflow(*last, reach, *last);
    isEmpty |= *count == 0;
  }
  int64_t all = 1;
  for (const schema::SymInt &size : base.sizes) {
    std::optional<int64_t> count = example.evaluate(size);
    if (!count || llvm::MulOverflow(all, *count, all))
      return std::nullopt;
  }
  return isInBounds && (isEmpty || *last < all);
}
