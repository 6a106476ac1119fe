//===- Types.cpp - Element types and shapes at run time -------------------===//

#include "isthmus/Runtime/Jit.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace isthmus;

llvm::StringRef isthmus::name(ElementType type) {
  switch (type) {
  case ElementType::I1:
    return "i1";
  case ElementType::I8:
    return "i8";
  case ElementType::I16:
    return "i16";
  case ElementType::I32:
    return "i32";
  case ElementType::I64:
    return "i64";
  case ElementType::F16:
    return "f16";
  case ElementType::BF16:
    return "bf16";
  case ElementType::F32:
    return "f32";
  case ElementType::F64:
    return "f64";
  case ElementType::C64:
    return "complex<f32>";
  case ElementType::C128:
    return "complex<f64>";
  case ElementType::F8E4M3FN:
    return "f8E4M3FN";
  case ElementType::F8E4M3FNUZ:
    return "f8E4M3FNUZ";
  case ElementType::F8E5M2:
    return "f8E5M2";
  case ElementType::F8E5M2FNUZ:
    return "f8E5M2FNUZ";
  }
  llvm_unreachable("every element type has a name");
}

size_t isthmus::sizeOf(ElementType type) {
  switch (type) {
  case ElementType::I1:
  case ElementType::I8:
  case ElementType::F8E4M3FN:
  case ElementType::F8E4M3FNUZ:
  case ElementType::F8E5M2:
  case ElementType::F8E5M2FNUZ:
    return 1;
  case ElementType::I16:
  case ElementType::F16:
  case ElementType::BF16:
    return 2;
  case ElementType::I32:
  case ElementType::F32:
    return 4;
  case ElementType::I64:
  case ElementType::F64:
  case ElementType::C64:
    return 8;
  case ElementType::C128:
    return 16;
  }
  llvm_unreachable("every element type has a size");
}

std::optional<ElementType> isthmus::elementTypeOf(mlir::Type type) {
  if (mlir::isa<mlir::IndexType>(type))
    return ElementType::I64;
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(type)) {
    if (complex.getElementType().isF32())
      return ElementType::C64;
    if (complex.getElementType().isF64())
      return ElementType::C128;
    return std::nullopt;
  }
  if (mlir::isa<mlir::Float8E4M3FNType>(type))
    return ElementType::F8E4M3FN;
  if (mlir::isa<mlir::Float8E4M3FNUZType>(type))
    return ElementType::F8E4M3FNUZ;
  if (mlir::isa<mlir::Float8E5M2Type>(type))
    return ElementType::F8E5M2;
  if (mlir::isa<mlir::Float8E5M2FNUZType>(type))
    return ElementType::F8E5M2FNUZ;
  if (type.isF16())
    return ElementType::F16;
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isF32())
    return ElementType::F32;
  if (type.isF64())
    return ElementType::F64;
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(type))
    switch (integer.getWidth()) {
    case 1:
      return ElementType::I1;
    case 8:
      return ElementType::I8;
    case 16:
      return ElementType::I16;
    case 32:
      return ElementType::I32;
    case 64:
      return ElementType::I64;
    }
  return std::nullopt;
}

std::string TensorType::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t dim : dims) {
    if (dim == kAnySize)
      os << "?x";
    else
      os << dim << "x";
  }
  os << name(elementType);
  return text;
}
