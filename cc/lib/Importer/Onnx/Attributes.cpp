//===- Attributes.cpp - Attributes of nodes -------------------------------===//

#include "Import.h"
#include "isthmus/Dialect/Onnx/Schemas.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;
using Kind = proto::Attribute;

StringRef onnx::getAttributeKindName(int64_t kind) {
  // The names are in the order of AttributeProto.AttributeType.
  static const StringLiteral names[] = {
      "UNDEFINED",      "FLOAT",      "INT",        "STRING",
      "TENSOR",         "GRAPH",      "FLOATS",     "INTS",
      "STRINGS",        "TENSORS",    "GRAPHS",     "SPARSE_TENSOR",
      "SPARSE_TENSORS", "TYPE_PROTO", "TYPE_PROTOS"};
  bool known = kind > 0 && kind < int64_t(std::size(names));
  return names[known ? kind : 0];
}

static Attribute readAttribute(const proto::Attribute &attribute,
                               bool dtypeAsType, const Subject &subject) {
  Builder b(subject.import.context);
  auto fail = [&](const Twine &got) {
    subject.error() << "attribute '" << attribute.name << "': " << got;
    return nullptr;
  };
  switch (attribute.kind) {
  case Kind::Float:
    return b.getF32FloatAttr(attribute.f);
  case Kind::Int:
    if (!dtypeAsType)
      return IntegerAttr::get(b.getIntegerType(64, /*isSigned=*/true),
                              attribute.i);
    if (attribute.i == int32_t(attribute.i))
      if (Type type = getElementType(attribute.i, b.getContext()))
        return TypeAttr::get(type);
    return fail("expected a known data type, got " + Twine(attribute.i));
  case Kind::String:
    return b.getStringAttr(attribute.s);
  case Kind::Floats:
    return b.getF32ArrayAttr(attribute.floats);
  case Kind::Ints:
    return b.getI64ArrayAttr(attribute.ints);
  case Kind::Strings:
    return b.getStrArrayAttr(attribute.strings);
  case Kind::TensorKind:
    if (attribute.tensor)
      return importTensor(*attribute.tensor, subject);
    break;
  case Kind::SparseTensorKind:
    if (attribute.sparseTensor)
      return importSparseTensor(*attribute.sparseTensor, subject);
    break;
  case Kind::TypeProto:
    if (!attribute.type)
      break;
    if (Type type = importType(*attribute.type, subject))
      return TypeAttr::get(type);
    return nullptr;
  default:
    return fail("expected a kind of attribute that the onnx dialect has, got " +
                getAttributeKindName(attribute.kind));
  }
  return fail("expected a value, got none");
}

/// Whether the attribute takes long to read.
static bool isLong(const proto::Attribute &attribute) {
  constexpr size_t few = 32;
  return std::max({attribute.s.size(), attribute.floats.size(),
                   attribute.ints.size(), attribute.strings.size()}) > few;
}

Attribute onnx::importAttribute(const proto::Attribute &attribute,
                                bool dtypeAsType, const Subject &subject) {
  if (!isLong(attribute))
    return readAttribute(attribute, dtypeAsType, subject);
  return subject.import.importOnce(&attribute, [&] {
    return readAttribute(attribute, dtypeAsType, subject);
  });
}
