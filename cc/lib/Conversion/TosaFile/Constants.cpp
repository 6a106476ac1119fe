//===- Constants.cpp - Elements as TOSA files store them ------------------===//

#include "Constants.h"
#include "isthmus/Support/ResourceBytes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;

/// Whether an element has its own bytes in the file, as in memory.
static bool isOfWholeBytes(ShapedType type) {
  return type.getElementTypeBitWidth() % 8 == 0;
}

std::optional<uint64_t> tosa_file::countBytes(ElementsAttr elements) {
  ShapedType type = elements.getShapedType();
  uint64_t count = 1, bits = type.getElementTypeBitWidth();
  bool overflow = false;
  // No multiplication may overflow, for splats of any size.
  for (int64_t dim : type.getShape())
    count = llvm::SaturatingMultiply<uint64_t>(count, dim, &overflow);
  uint64_t packed =
      llvm::divideCeil(llvm::SaturatingMultiply(count, bits, &overflow), 8);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements)) {
    uint64_t size = bytesOf(resource).size();
    // Elements of less than a byte may be packed or take a byte each.
    if (size != packed && (isOfWholeBytes(type) || size != count))
      return std::nullopt;
  } else if (!isa<DenseElementsAttr>(elements)) {
    return std::nullopt;
  }
  return bits == 1 ? count : packed;
}

/// Writes elements of 1 or 4 bits, of which `at` has one.
static void writeSmall(uint64_t count, unsigned bits,
                       llvm::function_ref<uint8_t(uint64_t)> at,
                       llvm::raw_ostream &os) {
  if (bits == 1) {
    for (uint64_t i = 0; i < count; ++i)
      os << char(at(i) != 0);
    return;
  }
  for (uint64_t i = 0; i < count; i += 2) {
    uint8_t high = i + 1 < count ? at(i + 1) : 0;
    os << char((at(i) & 0xf) | (high & 0xf) << 4);
  }
}

static void writeResource(DenseResourceElementsAttr resource,
                          llvm::raw_ostream &os) {
  ArrayRef<char> bytes = bytesOf(resource);
  ShapedType type = resource.getType();
  if (isOfWholeBytes(type)) {
    os.write(bytes.data(), bytes.size());
    return;
  }
  uint64_t count = type.getNumElements();
  unsigned bits = type.getElementTypeBitWidth();
  if (bytes.size() == count)
    return writeSmall(count, bits, [&](uint64_t i) { return bytes[i]; }, os);
  writeSmall(
      count, bits,
      [&](uint64_t i) {
        return uint8_t(bytes[i * bits / 8]) >> i * bits % 8 & ((1 << bits) - 1);
      },
      os);
}

void tosa_file::writeElements(ElementsAttr elements, llvm::raw_ostream &os) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
    return writeResource(resource, os);
  auto dense = cast<DenseElementsAttr>(elements);
  uint64_t count = dense.getNumElements();
  if (!isOfWholeBytes(dense.getType())) {
    auto values = dense.getValues<APInt>();
    return writeSmall(
        count, dense.getType().getElementTypeBitWidth(),
        [&](uint64_t i) { return values[i].getZExtValue(); }, os);
  }
  ArrayRef<char> bytes = dense.getRawData();
  for (uint64_t i = 0, end = dense.isSplat() ? count : 1; i < end; ++i)
    os.write(bytes.data(), bytes.size());
}
