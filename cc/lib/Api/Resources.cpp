//===- Resources.cpp - Constants whose elements are blobs -----------------===//

#include "Resources.h"
#include "isthmus/Support/ResourceBytes.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;

/// The first resource of a constant, or a global, that `isWanted`; null if
/// there is none.
static DenseResourceElementsAttr
find(ModuleOp module,
     llvm::function_ref<bool(DenseResourceElementsAttr)> isWanted) {
  DenseResourceElementsAttr found;
  module.walk([&](Operation *op) {
    ElementsAttr value;
    if (auto global = dyn_cast<ml_program::GlobalOp>(op))
      value = dyn_cast_if_present<ElementsAttr>(global.getValueAttr());
    else if (op->hasTrait<OpTrait::ConstantLike>())
      matchPattern(op, m_Constant(&value));
    auto resource = dyn_cast_if_present<DenseResourceElementsAttr>(value);
    if (!resource || !isWanted(resource))
      return WalkResult::advance();
    found = resource;
    return WalkResult::interrupt();
  });
  return found;
}

/// The largest common page size, in bytes.
static constexpr uint64_t mostAlignment = 64 << 10;

static std::string wrongAlignment(uint64_t alignment) {
  return "expected an alignment of 1 to " + std::to_string(mostAlignment) +
         " bytes, got " + std::to_string(alignment);
}

std::string isthmus::findWrongAlignment(StringRef text) {
  // {-# dialect_resources: { builtin: { name: "0x04000000CDCC…" } } #-}
  constexpr StringLiteral blob = "\"0x";
  for (size_t at = text.find(blob, text.find("{-#")); at != StringRef::npos;
       at = text.find(blob, at)) {
    size_t digits = at + blob.size();
    at = text.find('"', digits);
    if (at == StringRef::npos)
      break;
    StringRef behind = text.substr(++at).ltrim();
    bool isKey = behind.starts_with(":"), isDense = behind.starts_with(">");
    std::string bytes;
    if (isKey || isDense ||
        !llvm::tryGetFromHex(text.substr(digits, 8), bytes) ||
        bytes.size() != 4)
      continue;
    uint32_t alignment = llvm::support::endian::read32le(bytes.data());
    if (alignment == 0 || alignment > mostAlignment)
      return "resource at byte " + std::to_string(digits) + ": " +
             wrongAlignment(alignment);
  }
  return "";
}

static bool isWronglyAligned(DenseResourceElementsAttr resource) {
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  return blob && (blob->getDataAlignment() == 0 ||
                  blob->getDataAlignment() > mostAlignment);
}

static bool isOfWrongSize(DenseResourceElementsAttr resource) {
  uint64_t size = bytesOf(resource).size();
  Type element = resource.getElementType();
  uint64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  if (auto complex = dyn_cast<ComplexType>(element))
    bits = 2 * complex.getElementType().getIntOrFloatBitWidth();
  if (size == 0 || bits == 0)
    return false;
  // Elements of less than a byte may be packed or take a byte each.
  bool overflow = false;
  uint64_t count = 1;
  for (int64_t dim : resource.getType().getShape())
    count = llvm::SaturatingMultiply<uint64_t>(count, dim, &overflow);
  uint64_t packed = llvm::SaturatingMultiply(count, bits, &overflow);
  return overflow ||
         (size != llvm::divideCeil(packed, 8) && (bits >= 8 || size != count));
}

std::string isthmus::findWrongResource(ModuleOp module) {
  DenseResourceElementsAttr wrong = find(module, [](auto resource) {
    return isWronglyAligned(resource) || isOfWrongSize(resource);
  });
  std::string finding;
  if (!wrong)
    return finding;
  llvm::raw_string_ostream os(finding);
  os << "resource '" << wrong.getRawHandle().getKey() << "': ";
  if (isWronglyAligned(wrong))
    os << wrongAlignment(wrong.getRawHandle().getBlob()->getDataAlignment());
  else
    os << "expected the bytes of a " << wrong.getType() << ", got "
       << bytesOf(wrong).size();
  return finding;
}

bool isthmus::lacksResources(ModuleOp module) {
  return bool(find(module, [](DenseResourceElementsAttr resource) {
    return bytesOf(resource).empty() &&
           !llvm::is_contained(resource.getType().getShape(), 0);
  }));
}

/// The same elements as a dense constant; null if it has none, or if their
/// packing differs from that of dense constants.
static ElementsAttr inlined(DenseResourceElementsAttr resource) {
  ShapedType type = resource.getType();
  ArrayRef<char> bytes = bytesOf(resource);
  if (type.getElementType().isInteger(1)) {
    if (int64_t(bytes.size()) != type.getNumElements())
      return nullptr;
    SmallVector<bool> values(
        llvm::map_range(bytes, [](char byte) { return byte != 0; }));
    return DenseElementsAttr::get(type, values);
  }
  bool isSplat = false;
  if (!DenseElementsAttr::isValidRawBuffer(type, bytes, isSplat))
    return nullptr;
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

void isthmus::inlineResources(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [](DenseResourceElementsAttr value) -> std::optional<Attribute> {
        if (ElementsAttr replacement = inlined(value))
          return replacement;
        return std::nullopt;
      });
  replacer.recursivelyReplaceElementsIn(module);
}
