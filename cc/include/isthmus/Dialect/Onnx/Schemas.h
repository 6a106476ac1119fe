//===- Schemas.h - ONNX's schema of each op ---------------------*- C++ -*-===//
//
// A table generated from the schemas of third_party: all versions of
// ONNX's ops, and ops of onnxruntime's own domain.
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

/// The kinds of AttributeProto that ops use.
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
  uint8_t minArity; // of a variadic parameter
  int8_t variable;  // values of one type variable have one type; -1 is none
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

/// The newest opset of ai.onnx that the table covers.
int getNewestOpset();

/// The newest opset that the table covers of another domain of ONNX's, such as
/// ai.onnx.ml; nullopt for a domain that ONNX does not define.
std::optional<int> getNewestOpset(llvm::StringRef domain);

/// The version of `op` in `opset`; nullopt if there is none. Op names begin
/// with their domain, unless it is ai.onnx.
std::optional<Schema> findSchema(llvm::StringRef op, int opset);

/// The domain of onnxruntime's own ops, which has one opset.
inline constexpr llvm::StringLiteral microsoftDomain = "com.microsoft";

/// The domain of classical machine learning: trees, linear models, encoders.
inline constexpr llvm::StringLiteral mlDomain = "ai.onnx.ml";

/// The domain in an op's name: "com.microsoft" for "com.microsoft.Attention",
/// "" for "Attention".
inline llvm::StringRef domainIn(llvm::StringRef op) {
  return op.contains('.') ? op.rsplit('.').first : "";
}

/// The element type of TensorProto.DataType `dataType`; null if MLIR has none.
mlir::Type getElementType(int32_t dataType, mlir::MLIRContext *context);

/// The inverse; 0 if ONNX has none.
int32_t getDataType(mlir::Type elementType);

/// "float16", in ONNX's spelling; "undefined" outside the enumeration.
llvm::StringRef getDataTypeName(int32_t dataType);

} // namespace isthmus::onnx

#endif // ISTHMUS_DIALECT_ONNX_SCHEMAS_H
