//===- Types.cpp - Declared types -----------------------------------------===//

#include "Import.h"
#include "isthmus/Dialect/Onnx/Onnx.h"
#include "isthmus/Dialect/Onnx/Schemas.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

static Type importTensorType(const proto::Type &type, const Subject &subject) {
  MLIRContext *context = subject.import.context;
  Type elementType = UnknownType::get(context);
  if (type.elementType != 0) {
    elementType = type.elementType == int32_t(type.elementType)
                      ? getElementType(type.elementType, context)
                      : Type();
    if (!elementType) {
      subject.error() << "expected a known data type, got " << type.elementType;
      return nullptr;
    }
  }
  if (!type.shape)
    return UnrankedTensorType::get(elementType);

  SmallVector<int64_t> shape;
  for (const proto::Dim &dim : *type.shape) {
    // Some exporters write -1 for an unknown size.
    int64_t size = dim.value.value_or(-1);
    if (size < -1) {
      subject.error() << "expected dimensions of at least 0, got " << size;
      return nullptr;
    }
    shape.push_back(size == -1 ? ShapedType::kDynamic : size);
  }
  return RankedTensorType::get(shape, elementType);
}

Type onnx::importType(const proto::Type &type, const Subject &subject) {
  Type element;
  switch (type.kind) {
  case proto::Type::Tensor:
    return ::importTensorType(type, subject);
  case proto::Type::Sequence:
  case proto::Type::Optional:
    if (!type.element) {
      subject.error() << "expected the type of the elements, got none";
      return nullptr;
    }
    element = importType(*type.element, subject);
    if (!element)
      return nullptr;
    if (type.kind == proto::Type::Sequence)
      return SeqType::get(element.getContext(), element);
    return OptType::get(element.getContext(), element);
  case proto::Type::Unsupported:
    subject.error() << "expected a tensor, a sequence or an optional, got a "
                    << type.unsupported;
    return nullptr;
  case proto::Type::Unset:
    subject.error() << "expected a type, got none";
    return nullptr;
  }
  llvm_unreachable("all kinds are handled");
}

std::string onnx::getDimParams(const proto::Type &type) {
  SmallVector<std::string> params;
  if (type.kind == proto::Type::Tensor && type.shape)
    for (auto [i, dim] : llvm::enumerate(*type.shape))
      if (!dim.param.empty())
        params.push_back((Twine(i) + ":" + dim.param).str());
  return llvm::join(params, ",");
}
