//===- ElementTypes.cpp - Element types of weights ------------------------===//

#include "ElementTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace isthmus::weights;
using llvm::StringRef;

// Integers of MLIR are signless; if safetensors has two names for one, the
// first is written.
static constexpr ElementType elementTypes[] = {
    {"f32", "F32", 32},
    {"f64", "F64", 64},
    {"f16", "F16", 16},
    {"bf16", "BF16", 16},
    {"f8E4M3FN", "F8_E4M3", 8},
    {"f8E5M2", "F8_E5M2", 8},
    {"f8E4M3FNUZ", "", 8},
    {"f8E5M2FNUZ", "", 8},
    {"f8E8M0FNU", "F8_E8M0", 8},
    {"i64", "I64", 64},
    {"i32", "I32", 32},
    {"i16", "I16", 16},
    {"i8", "I8", 8},
    {"ui64", "U64", 64},
    {"ui32", "U32", 32},
    {"ui16", "U16", 16},
    {"ui8", "U8", 8},
    {"i4", "", 4},
    {"ui4", "", 4},
    {"i2", "", 2},
    {"ui2", "", 2},
    {"f4E2M1FN", "", 4},
    {"complex<f16>", "", 32},
    {"complex<f32>", "C64", 64},
    {"complex<f64>", "", 128},
    {"i1", "BOOL", 8},
};

static const ElementType *find(StringRef ElementType::*which, StringRef name) {
  for (const ElementType &type : elementTypes)
    if (!name.empty() && type.*which == name)
      return &type;
  return nullptr;
}

const ElementType *isthmus::weights::findElementType(StringRef name) {
  return find(&ElementType::name, name);
}

const ElementType *isthmus::weights::findSafetensorsType(StringRef name) {
  return find(&ElementType::safetensors, name);
}

std::optional<uint64_t>
isthmus::weights::countBytes(const ElementType &type,
                             llvm::ArrayRef<int64_t> shape) {
  int64_t bits = type.bits;
  for (int64_t size : shape)
    if (size < 0 || llvm::MulOverflow(bits, size, bits))
      return std::nullopt;
  return llvm::divideCeil(bits, 8);
}
