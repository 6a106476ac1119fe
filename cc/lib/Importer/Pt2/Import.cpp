//===- Import.cpp - State shared by the parts of one import ---------------===//

#include "Import.h"
#include "Expression.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::pt2;

Subject::Subject(Import &import, StringRef kind, StringRef name, StringRef op)
    : import(import), text((kind + " '" + name + "'").str()) {
  if (!op.empty())
    text += (" (" + op + ")").str();
}

InFlightDiagnostic Subject::error() const {
  InFlightDiagnostic diagnostic = import.error();
  diagnostic << text << ": ";
  return diagnostic;
}

LogicalResult Subject::fail(const Twine &message) const {
  return error() << message;
}

std::optional<int64_t> pt2::getDtypeCode(int64_t scalarType) {
  // Up to complex128 the file counts from 1, because 0 is an unknown dtype.
  if (scalarType >= 1 && scalarType <= 11)
    return scalarType - 1;
  switch (scalarType) {
  case 12: // bool
    return 11;
  case 13: // bfloat16
    return 15;
  case 28: // uint16
    return 27;
  case 29: // float8_e4m3fn
    return 24;
  case 30: // float8_e5m2
    return 23;
  case 31: // float8_e4m3fnuz
    return 26;
  case 32: // float8_e5m2fnuz
    return 25;
  case 33: // float8_e8m0fnu
    return 44;
  case 34: // uint32
    return 28;
  case 35: // uint64
    return 29;
  default:
    return std::nullopt;
  }
}

torch::ValueTensorType pt2::importTensorType(const schema::TensorMeta &meta,
                                             const Subject &subject) {
  constexpr int64_t strided = 7; // of Layout
  if (meta.layout != strided) {
    subject.error() << "expected a strided tensor, got one of layout "
                    << meta.layout;
    return nullptr;
  }
  MLIRContext *context = subject.import.context;
  std::optional<int64_t> code = getDtypeCode(meta.dtype);
  Type dtype = code ? torch::dtypeOfCode(context, *code) : Type();
  if (!dtype) {
    subject.error() << "expected a known dtype, got " << meta.dtype;
    return nullptr;
  }
  SmallVector<int64_t> sizes;
  for (const schema::SymInt &size : meta.sizes) {
    std::optional<int64_t> known = size.value;
    if (!known)
      if (std::optional<Expression> expression =
              Expression::parse(size.expression))
        known = expression->evaluate(subject.import.symbols);
    if (known && *known < 0) {
      subject.error() << "expected sizes of at least 0, got " << *known;
      return nullptr;
    }
    sizes.push_back(known.value_or(ShapedType::kDynamic));
  }
  return torch::ValueTensorType::get(context, sizes, dtype);
}
