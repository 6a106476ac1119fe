//===- Reshape.cpp - Reshapes in row-major order --------------------------===//
//
// A reshape is a collapse of groups of dims followed by an expansion of each
// into the dims of the target. Groups are as small as can be proven, so that
// unaffected dims stay: [b,s,384] to [b,s,12,32] splits only the last dim.
//
//===----------------------------------------------------------------------===//

#include "LinalgBuilder.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;

namespace {

/// Dims of the source and of the target that contain the same elements.
struct Group {
  ReassociationIndices source, target;
};

/// The groups that can be identified from one end of both size lists: equal
/// sizes, dims of size 1, and static sizes of equal product.
class Pairing {
public:
  Pairing(ArrayRef<Size> source, ArrayRef<Size> target)
      : source(source), target(target) {}

  /// The groups of a reshape, in order.
  SmallVector<Group> groups() {
    SmallVector<Group> front, back;
    while (std::optional<Group> group = next(/*fromBack=*/false))
      front.push_back(*group);
    while (std::optional<Group> group = next(/*fromBack=*/true))
      back.push_back(*group);
    Group middle;
    llvm::append_range(middle.source, llvm::seq(sourceBegin, sourceEnd()));
    llvm::append_range(middle.target, llvm::seq(targetBegin, targetEnd()));
    front.push_back(middle);
    llvm::append_range(front, llvm::reverse(back));
    return withoutEmptySides(front);
  }

private:
  int64_t sourceEnd() const { return sourceBegin + source.size(); }
  int64_t targetEnd() const { return targetBegin + target.size(); }

  /// Removes `count` dims from one end of a list and returns their indices.
  static ReassociationIndices take(ArrayRef<Size> &sizes, int64_t &begin,
                                   size_t count, bool fromBack) {
    int64_t end = begin + sizes.size(), taken = count;
    ReassociationIndices dims =
        llvm::to_vector<2>(fromBack ? llvm::seq(end - taken, end)
                                    : llvm::seq(begin, begin + taken));
    sizes = fromBack ? sizes.drop_back(count) : sizes.drop_front(count);
    begin += fromBack ? 0 : taken;
    return dims;
  }

  Group take(size_t sources, size_t targets, bool fromBack) {
    return {take(source, sourceBegin, sources, fromBack),
            take(target, targetBegin, targets, fromBack)};
  }

  static std::optional<int64_t> knownAt(ArrayRef<Size> sizes, size_t number,
                                        bool fromBack) {
    if (number >= sizes.size())
      return std::nullopt;
    Size size = fromBack ? sizes[sizes.size() - 1 - number] : sizes[number];
    return size ? known(size) : std::nullopt;
  }

  std::optional<Group> next(bool fromBack) {
    if (source.empty() || target.empty())
      return std::nullopt;
    Size a = fromBack ? source.back() : source.front();
    Size b = fromBack ? target.back() : target.front();
    if (b && areSame(a, b))
      return take(1, 1, fromBack);
    if (isKnown(a, 1))
      return take(1, 0, fromBack);
    if (b && isKnown(b, 1))
      return take(0, 1, fromBack);
    size_t sources = 0, targets = 0;
    int64_t sourceProduct = 1, targetProduct = 1;
    do {
      bool growsSource =
          sources == 0 || (targets && sourceProduct < targetProduct);
      std::optional<int64_t> size = growsSource
                                        ? knownAt(source, sources++, fromBack)
                                        : knownAt(target, targets++, fromBack);
      if (!size || *size == 0)
        return std::nullopt;
      int64_t &product = growsSource ? sourceProduct : targetProduct;
      if (llvm::MulOverflow(product, *size, product))
        return std::nullopt;
    } while (targets == 0 || sourceProduct != targetProduct);
    return take(sources, targets, fromBack);
  }

  /// Merges a group that consists only of dims of size 1 with a neighbor.
  static SmallVector<Group> withoutEmptySides(ArrayRef<Group> groups) {
    SmallVector<Group> merged;
    for (const Group &group : groups) {
      bool joins =
          !merged.empty() &&
          (merged.back().source.empty() || merged.back().target.empty() ||
           group.source.empty() || group.target.empty());
      if (!joins) {
        if (!group.source.empty() || !group.target.empty())
          merged.push_back(group);
        continue;
      }
      llvm::append_range(merged.back().source, group.source);
      llvm::append_range(merged.back().target, group.target);
    }
    return merged;
  }

  ArrayRef<Size> source, target;
  int64_t sourceBegin = 0, targetBegin = 0;
};

bool hasZero(ArrayRef<Size> sizes) {
  return llvm::any_of(sizes,
                      [](Size size) { return size && isKnown(size, 0); });
}

Sizes pick(ArrayRef<Size> sizes, ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims, [&](int64_t dim) { return sizes[dim]; });
}

} // namespace

Value LinalgBuilder::reshape(Value tensor, Sizes target) {
  tensor = refined(tensor);
  Sizes source = sizes.of(tensor);
  Type element = typeOf(tensor).getElementType();
  // Without elements, source dims need not correspond to target dims.
  if (hasZero(source) || hasZero(target)) {
    for (Size &size : target)
      size = size ? size : sizes.constant(0);
    checkSame(sizes.product(target), sizes.product(source),
              "a shape of as many elements as the tensor has");
    return empty(target, element);
  }
  SmallVector<Group> groups = Pairing(source, target).groups();

  // One element: all dims are 1, even if dynamic in the type; the cast checks
  // it.
  if (source.empty() || target.empty()) {
    SmallVector<int64_t> from(source.size(), 1), to(target.size(), 1);
    Value single = cast(tensor, RankedTensorType::get(from, element));
    if (source.size() > target.size())
      return create<tensor::CollapseShapeOp>(RankedTensorType::get({}, element),
                                             single,
                                             ArrayRef<ReassociationIndices>());
    if (source.size() < target.size())
      return create<tensor::ExpandShapeOp>(RankedTensorType::get(to, element),
                                           single,
                                           ArrayRef<ReassociationIndices>());
    return tensor;
  }

  SmallVector<ReassociationIndices> collapses, expansions;
  SmallVector<int64_t> collapsed, expanded;
  for (Group &group : groups) {
    Sizes own = pick(source, group.source);
    for (int64_t dim : group.target)
      if (!target[dim]) {
        Sizes others;
        for (int64_t other : group.target)
          if (target[other])
            others.push_back(target[other]);
        // If another size is zero, the inferred size is zero.
        Size divisor = sizes.product(others);
        if (known(divisor).value_or(0) == 0)
          divisor = sizes.max(divisor, sizes.constant(1));
        target[dim] = sizes.floorDiv(sizes.product(own), divisor);
      }
    for (int64_t dim : group.target)
      checkNotNegative(target[dim]);
    checkSame(sizes.product(pick(target, group.target)), sizes.product(own),
              "a shape of as many elements as the tensor has");
    collapses.push_back(group.source);
    expansions.push_back(group.target);
    auto typeSize = [&](ArrayRef<int64_t> shape) {
      return ShapedType::isDynamicShape(shape)
                 ? ShapedType::kDynamic
                 : ShapedType::getNumElements(shape);
    };
    collapsed.push_back(typeSize(staticSizes(own)));
    expanded.push_back(typeSize(staticSizes(pick(target, group.target))));
  }
  if (collapses.size() < source.size())
    tensor = create<tensor::CollapseShapeOp>(
        RankedTensorType::get(collapsed, element), tensor, collapses);
  tensor = cast(tensor, RankedTensorType::get(expanded, element));
  if (expansions.size() < target.size())
    tensor = create<tensor::ExpandShapeOp>(
        RankedTensorType::get(staticSizes(target), element), tensor, expansions,
        target);
  return tensor;
}

Value LinalgBuilder::flatten(Value tensor) { return reshape(tensor, Sizes(1)); }
