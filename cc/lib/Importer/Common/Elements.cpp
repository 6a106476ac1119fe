//===- Elements.cpp - Bytes of a file as a constant's value ---------------===//

#include "isthmus/Importer/Elements.h"
#include "isthmus/Support/MappedFile.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;

static_assert(llvm::endianness::native == llvm::endianness::little,
              "models store tensors little-endian, and they are used in place");

int64_t isthmus::getStoredBits(Type elementType) {
  if (elementType.isInteger(1))
    return 8;
  if (auto complex = dyn_cast<ComplexType>(elementType))
    return 2 * complex.getElementType().getIntOrFloatBitWidth();
  return elementType.getIntOrFloatBitWidth();
}

std::optional<int64_t> isthmus::countElements(ArrayRef<int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    if (dim < 0 || llvm::MulOverflow(count, dim, count))
      return std::nullopt;
  return count;
}

std::optional<int64_t> isthmus::countStorableElements(ArrayRef<int64_t> dims) {
  std::optional<int64_t> count = countElements(dims);
  if (count && *count > std::numeric_limits<int64_t>::max() / 128)
    return std::nullopt;
  return count;
}

ElementsAttr isthmus::getResource(RankedTensorType type, const Bytes &bytes,
                                  StringRef name) {
  // The data may start at any address in the file. The resource records their
  // actual alignment, at most that of their type.
  uint64_t alignment =
      std::clamp<uint64_t>(getStoredBits(type.getElementType()) / 8, 1, 8);
  if (!llvm::isAligned(llvm::Align(alignment),
                       reinterpret_cast<uintptr_t>(bytes.data.data())))
    alignment = 1;
  auto blob = UnmanagedAsmResourceBlob::allocateWithAlign(
      ArrayRef(bytes.data.data(), bytes.data.size()), alignment,
      [owner = bytes.owner](void *, size_t, size_t) {});
  return DenseResourceElementsAttr::get(type, name.empty() ? "constant" : name,
                                        std::move(blob));
}

/// Whether all elements of `width` bytes are equal. Unequal elements mostly
/// differ early; equal ones must be read whole, so the largest data, which may
/// be holes of a file, are not checked.
static bool areAlike(StringRef data, size_t width) {
  constexpr size_t largest = 16 << 20, firstPiece = 4 << 10, piece = 256 << 10;
  if (data.size() > largest || firstPiece % width)
    return false;
  SmallVector<char, 0> block;
  SmallString<16> element;
  while (!data.empty()) {
    size_t size = std::min(data.size(), element.empty() ? firstPiece : piece);
    auto bytes = readOnce(ArrayRef(data.data(), size), block);
    if (!bytes)
      return false;
    StringRef elements(bytes->data(), bytes->size());
    if (element.empty())
      element = elements.take_front(width);
    if (!elements.starts_with(element) ||
        elements.drop_front(width) != elements.drop_back(width))
      return false;
    data = data.drop_front(size);
  }
  return !element.empty();
}

ElementsAttr isthmus::getElements(RankedTensorType type, const Bytes &bytes,
                                  StringRef name, int64_t maxInlineBytes) {
  Type elementType = type.getElementType();
  bool isBool = elementType.isInteger(1);
  bool isWhole =
      isBool ? llvm::all_of(bytes.data, [](char c) { return c == 0 || c == 1; })
             : getStoredBits(elementType) >= 8;
  StringRef data = bytes.data;
  if (isWhole && int64_t(data.size()) > maxInlineBytes) {
    size_t width = getStoredBits(elementType) / 8;
    if (!areAlike(data, width))
      return getResource(type, bytes, name);
    data = data.take_front(width); // one element represents all
  }
  if (!isBool)
    return DenseElementsAttr::getFromRawBuffer(
        type, ArrayRef(data.data(), data.size()));
  SmallVector<bool> values(
      llvm::map_range(data, [](char byte) { return byte != 0; }));
  return DenseElementsAttr::get(type, values);
}
