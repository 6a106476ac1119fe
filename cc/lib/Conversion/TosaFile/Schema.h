//===- Schema.h - Ops, types and tables of TOSA files -----------*- C++ -*-===//
//
// The layout of a file is that of Arm's schema, tosa.fbs. A test compares these
// numbers and names with the schema's.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_TOSAFILE_SCHEMA_H
#define ISTHMUS_LIB_CONVERSION_TOSAFILE_SCHEMA_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace isthmus::tosa_file {

inline constexpr llvm::StringLiteral kIdentifier = "TOSA";

/// How a field of an op's table holds an attribute of the op.
enum class FieldForm {
  None,
  Bool,
  Bytes,   // a number in the first of 8 bytes
  Int,     // 32 bits
  Ints,    // a vector of these
  NanMode, // as the next three: the number of an enumeration's case
  ResizeMode,
  RoundingMode,
  Region, // the name of the op's next region
  String,
  Text, // a string as bytes
  Type, // the number of an element type
};

struct AttributeField {
  llvm::StringLiteral name = "";
  FieldForm form = FieldForm::None;
};

/// An op and the fields of its table, in the order of their indices.
struct OpForm {
  static constexpr unsigned kMostFields = 5;
  llvm::StringLiteral name;
  AttributeField fields[kMostFields] = {};
};

/// The form of an op without its dialect, "add", and its number, which is also
/// that of its table; null if TOSA 1.0 has no such op.
std::pair<const OpForm *, uint32_t> findOp(llvm::StringRef name);

/// The number of an element type; nullopt if TOSA 1.0 has none.
std::optional<uint32_t> findElementType(mlir::Type type);

/// Names of all of these types, for messages.
inline constexpr llvm::StringLiteral kElementTypes =
    "i1, i4, i8, i16, i32, i48, f8E4M3FN, f8E5M2, f16, bf16 or f32";

// The indices of fields.
namespace graph {
enum { Version, Regions };
}
namespace version {
enum { Major, Minor, Patch, Draft };
}
namespace region {
enum { Name, Blocks };
}
namespace block {
enum { Name, Operators, Tensors, Inputs, Outputs, Shapes };
}
namespace op {
enum { Op, AttributeType, Attribute, Inputs, Outputs, Location };
}
namespace location {
enum { Text };
}
namespace tensor {
enum { Name, Shape, Type, Data, Variable, IsUnranked, VariableName };
}
namespace shape {
enum { Name, Rank, Data };
}

} // namespace isthmus::tosa_file

#endif // ISTHMUS_LIB_CONVERSION_TOSAFILE_SCHEMA_H
