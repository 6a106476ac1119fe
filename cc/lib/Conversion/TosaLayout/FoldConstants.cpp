//===- FoldConstants.cpp - Constants in the layout of their uses ----------===//
//
// If only dims of size 1 move, the constant gets another type and its elements
// are not copied; they may be in a mapped file. Otherwise, they are copied into
// their new order once, at compile time.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "isthmus/Support/MappedFile.h"
#include "isthmus/Support/ResourceBytes.h"
#include "isthmus/Support/TemporaryBlob.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// The same elements with another shape.
ElementsAttr reshaped(ElementsAttr value, RankedTensorType type) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  return cast<DenseElementsAttr>(value).reshape(type);
}

bool isReadable(ElementsAttr value) {
  return isa<DenseElementsAttr, DenseResourceElementsAttr>(value);
}

struct FoldReshape : OpRewritePattern<tosa::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto constant = op.getInput1().getDefiningOp<tosa::ConstOp>();
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!constant || !type || !type.hasStaticShape() ||
        !isReadable(constant.getValues()))
      return failure();
    rewriter.replaceOpWithNewOp<tosa::ConstOp>(
        op, type, reshaped(constant.getValues(), type));
    return success();
  }
};

/// The elements of a constant as bytes; empty if they are not available, or are
/// not whole bytes.
ArrayRef<char> bytesOf(ElementsAttr value) {
  if (value.getElementType().getIntOrFloatBitWidth() % 8)
    return {};
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return isthmus::bytesOf(resource);
  auto dense = cast<DenseElementsAttr>(value);
  return dense.isSplat() ? ArrayRef<char>() : dense.getRawData();
}

/// Copies the elements of a tensor, `width` bytes each, in the order of its
/// transpose. `strides` are in bytes.
template <size_t width>
void transposeElements(const char *source, MutableArrayRef<char> to,
                       ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                       ArrayRef<int32_t> order) {
  int64_t rank = sizes.size();
  SmallVector<int64_t> steps, counts, at(rank, 0);
  for (int32_t dim : order) {
    steps.push_back(strides[dim]);
    counts.push_back(sizes[dim]);
  }
  // Local copies, since the written bytes could alias the lists.
  const int64_t count = counts.back(), step = steps.back();
  for (char *target = to.begin(); target != to.end();) {
#pragma clang loop unroll_count(8)
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(target + i * width, source + i * step, width);
    target += count * width;
    for (int64_t dim = rank - 2; dim >= 0; --dim) {
      source += steps[dim];
      if (++at[dim] < counts[dim])
        break;
      source -= steps[dim] * counts[dim];
      at[dim] = 0;
    }
  }
}

void transposeBytes(const char *source, MutableArrayRef<char> to,
                    ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                    ArrayRef<int32_t> order, size_t width) {
  switch (width) {
  case 1:
    return transposeElements<1>(source, to, sizes, strides, order);
  case 2:
    return transposeElements<2>(source, to, sizes, strides, order);
  case 4:
    return transposeElements<4>(source, to, sizes, strides, order);
  case 8:
    return transposeElements<8>(source, to, sizes, strides, order);
  }
  llvm_unreachable("TOSA has elements of up to 64 bits");
}

/// The bytes from one element to the next along each dim.
SmallVector<int64_t> stridesOf(ArrayRef<int64_t> sizes, size_t width) {
  SmallVector<int64_t> strides(sizes.size(), width);
  for (int64_t dim = sizes.size() - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * sizes[dim + 1];
  return strides;
}

/// The transpose of a weight, with only a small part of it resident at a time:
/// slices along the dim that becomes the leading one are written one after the
/// other. Nothing if the system fails to read or to store it.
std::optional<AsmResourceBlob> transposedWeight(ArrayRef<char> weight,
                                                ArrayRef<int64_t> sizes,
                                                ArrayRef<int32_t> order,
                                                size_t width) {
  constexpr int64_t blockBytes = 256 << 10;
  int32_t dim = order.front();
  int64_t sliceBytes = weight.size() / sizes[dim];
  int64_t step = std::max<int64_t>(blockBytes / sliceBytes, 1);
  SmallVector<int64_t> strides = stridesOf(sizes, width), block(sizes);
  TemporaryBlob result(weight.size());
  SmallVector<char, 0> read, moved;
  for (int64_t at = 0; at < sizes[dim]; at += step) {
    block[dim] = std::min(step, sizes[dim] - at);
    ArrayRef<char> source = weight.drop_front(at * strides[dim]);
    if (dim == 0) { // the slices are contiguous in the weight
      auto bytes =
          readOnce(source.take_front(block.front() * sliceBytes), read);
      if (!bytes)
        return std::nullopt;
      source = *bytes;
    }
    moved.resize_for_overwrite(block[dim] * sliceBytes);
    transposeBytes(source.data(), moved, block, strides, order, width);
    result.append(moved);
  }
  return result.take();
}

/// A constant that is a resource remains one, so that it is printed and stored
/// as such.
ElementsAttr transposed(ElementsAttr value, RankedTensorType type,
                        ArrayRef<int32_t> order) {
  ArrayRef<char> bytes = bytesOf(value);
  if (bytes.empty())
    return {};
  size_t width = type.getElementTypeBitWidth() / 8;
  ArrayRef<int64_t> sizes = value.getShapedType().getShape();
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource) {
    SmallVector<char> copy(bytes.size());
    transposeBytes(bytes.data(), copy, sizes, stridesOf(sizes, width), order,
                   width);
    return DenseElementsAttr::getFromRawBuffer(type, copy);
  }
  auto blob = transposedWeight(bytes, sizes, order, width);
  if (!blob)
    return {};
  std::string name = resource.getRawHandle().getKey().str() + "_transposed";
  return DenseResourceElementsAttr::get(type, name, std::move(*blob));
}

struct FoldTranspose : OpRewritePattern<tosa::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto constant = op.getInput1().getDefiningOp<tosa::ConstOp>();
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!constant || !type || !isReadable(constant.getValues()))
      return failure();
    ElementsAttr value = constant.getValues();
    ArrayRef<int64_t> sizes = value.getShapedType().getShape();
    SmallVector<int32_t> moving;
    for (int32_t dim : op.getPerms())
      if (sizes[dim] != 1)
        moving.push_back(dim);
    ElementsAttr folded;
    if (llvm::is_sorted(moving) ||
        (isa<DenseElementsAttr>(value) && value.isSplat()))
      folded = reshaped(value, type);
    else if (constant->hasOneUse()) // else both layouts would be kept
      folded = transposed(value, type, op.getPerms());
    if (!folded)
      return failure();
    rewriter.replaceOpWithNewOp<tosa::ConstOp>(op, type, folded);
    return success();
  }
};

} // namespace

void tosa_layout::populateFoldConstants(RewritePatternSet &patterns) {
  patterns.add<FoldReshape, FoldTranspose>(patterns.getContext());
}
