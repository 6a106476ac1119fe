//===- Schemas.h - What ONNX says about each op -----------------*- C++ -*-===//
//
// Every ai.onnx op in all versions that opsets 7 to 28 refer to, and ops of
// onnxruntime's own domain, as a table made from the schemas of third_party.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_ONNX_SCHEMAS_H
#define ISTHMUS_DIALECT_ONNX_SCHEMAS_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace isthmus::onnx {

enum class Option : uint8_t { Single, Optional, Variadic };

/// The kinds of AttributeProto that some op has.
enum class AttributeKind : uint8_t {
  Float,
  Int,
  String,
  Tensor,
  Graph,
  Floats,
  Ints,
  Strings,
  SparseTensor,
  TypeProto
};

/// A set of types: bit N of a mask is element type N of TensorProto.DataType.
struct TypeSet {
  uint32_t tensor;
  uint32_t sequence;
  uint32_t optional;
  uint32_t optionalSequence;

  bool contains(mlir::Type type) const;
};

/// An input or an output.
struct Parameter {
  const char *name;
  Option option;
  uint8_t minArity; // of a variadic one
  int8_t variable;  // all values of one variable have one type; -1 is none
  uint8_t types;

  const TypeSet &getTypes() const;
};

struct AttributeSchema {
  const char *name;
  AttributeKind kind;
  bool required;
};

struct Schema {
  llvm::StringRef name;
  int since;
  bool deprecated; // Upsample, Scatter, GroupNormalization-18
  llvm::ArrayRef<Parameter> inputs;
  llvm::ArrayRef<Parameter> outputs;
  llvm::ArrayRef<AttributeSchema> attributes;

  const AttributeSchema *findAttribute(llvm::StringRef name) const;
};

/// The opsets that the table covers.
int getOldestOpset();
int getNewestOpset();

/// The version of `op` that holds in `opset`; nothing if there is none. The
/// names of ops begin with their domain, unless it is ai.onnx.
std::optional<Schema> findSchema(llvm::StringRef op, int opset);

/// The domain of onnxruntime's own ops, which has one opset.
inline constexpr llvm::StringLiteral microsoftDomain = "com.microsoft";

/// The domain in an op's name: "com.microsoft" of "com.microsoft.Attention", ""
/// of "Attention".
inline llvm::StringRef domainIn(llvm::StringRef op) {
  return op.contains('.') ? op.rsplit('.').first : "";
}

/// The element type of TensorProto.DataType `dataType`; null if MLIR has none.
mlir::Type getElementType(int32_t dataType, mlir::MLIRContext *context);

/// The inverse; 0 if ONNX has none.
int32_t getDataType(mlir::Type elementType);

/// "float16", as ONNX spells it; "undefined" outside of the enumeration.
llvm::StringRef getDataTypeName(int32_t dataType);

} // namespace isthmus::onnx

#endif // ISTHMUS_DIALECT_ONNX_SCHEMAS_H
