//===- ElementTypes.cpp - TensorProto.DataType and MLIR types -------------===//

#include "isthmus/Dialect/Onnx/Onnx.h"
#include "isthmus/Dialect/Onnx/Schemas.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

static const StringLiteral names[] = {
    "undefined",      "float",        "uint8",          "int8",
    "uint16",         "int16",        "int32",          "int64",
    "string",         "bool",         "float16",        "double",
    "uint32",         "uint64",       "complex64",      "complex128",
    "bfloat16",       "float8e4m3fn", "float8e4m3fnuz", "float8e5m2",
    "float8e5m2fnuz", "uint4",        "int4",           "float4e2m1",
    "float8e8m0",     "uint2",        "int2",           "float6e2m3",
    "float6e3m2"};

StringRef onnx::getDataTypeName(int32_t dataType) {
  bool known = dataType > 0 && dataType < int32_t(std::size(names));
  return names[known ? dataType : 0];
}

Type onnx::getElementType(int32_t dataType, MLIRContext *context) {
  Builder b(context);
  auto ui = [&](unsigned width) { return b.getIntegerType(width, false); };
  switch (dataType) {
  case 1:
    return b.getF32Type();
  case 2:
    return ui(8);
  case 3:
    return b.getI8Type();
  case 4:
    return ui(16);
  case 5:
    return b.getI16Type();
  case 6:
    return b.getI32Type();
  case 7:
    return b.getI64Type();
  case 8:
    return StringType::get(context);
  case 9:
    return b.getI1Type();
  case 10:
    return b.getF16Type();
  case 11:
    return b.getF64Type();
  case 12:
    return ui(32);
  case 13:
    return ui(64);
  case 14:
    return ComplexType::get(b.getF32Type());
  case 15:
    return ComplexType::get(b.getF64Type());
  case 16:
    return b.getBF16Type();
  case 17:
    return b.getType<Float8E4M3FNType>();
  case 18:
    return b.getType<Float8E4M3FNUZType>();
  case 19:
    return b.getType<Float8E5M2Type>();
  case 20:
    return b.getType<Float8E5M2FNUZType>();
  case 21:
    return ui(4);
  case 22:
    return b.getIntegerType(4);
  case 23:
    return b.getType<Float4E2M1FNType>();
  case 24:
    return b.getType<Float8E8M0FNUType>();
  case 25:
    return ui(2);
  case 26:
    return b.getIntegerType(2);
  case 27:
    return b.getType<Float6E2M3FNType>();
  case 28:
    return b.getType<Float6E3M2FNType>();
  default:
    return nullptr;
  }
}

int32_t onnx::getDataType(Type elementType) {
  // MLIR types are unique, so the table above also serves for the reverse
  // lookup.
  for (int32_t dataType = 1; dataType < int32_t(std::size(names)); ++dataType)
    if (getElementType(dataType, elementType.getContext()) == elementType)
      return dataType;
  return 0;
}
