//===- CustomOps.h - Ops that a target carries whole ------------*- C++ -*-===//
//
// An op of the torch dialect that a backend wants whole becomes a custom op of
// its target, as docs/custom_ops.md describes. This file declares the encoder
// for all targets, its inverse, and the interface that a target implements.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_CUSTOMOPS_H
#define ISTHMUS_CONVERSION_CUSTOMOPS_H

#include "isthmus/Support/UnsupportedOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include <functional>

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace isthmus::custom_ops {

/// How non-tensor arguments are encoded.
enum class Encoding {
  Attributes, // in the op's attributes
  Operands,   // numbers, int lists and None as operands
};

/// "attributes" or "operands".
std::optional<Encoding> encodingOf(llvm::StringRef name);

/// The version of the attributes' schema.
inline constexpr int64_t kVersion = 1;
/// The domain of PyTorch's ops, and of those of ONNX without one.
inline constexpr llvm::StringLiteral kTorchDomain = "torch";
inline constexpr llvm::StringLiteral kOnnxDomain = "ai.onnx";
/// On a torch.operator: the domain of the ONNX op that it represents. Ops of
/// ai.onnx have names like "onnx.Einsum" and need no domain.
inline constexpr llvm::StringLiteral kDomainAttr = "onnx.domain";
/// The name under which an op of the onnx dialect is carried. The op's own name
/// includes its domain, as in onnx.com.microsoft.Attention, unless it is
/// ai.onnx.
inline llvm::StringRef carriedName(llvm::StringRef op) {
  llvm::StringRef bare = op;
  return bare.consume_front("onnx.") && bare.contains('.') ? bare : op;
}
/// The prefix of an ONNX node's attributes on torch.operator.
inline constexpr llvm::StringLiteral kOnnxAttrPrefix = "torch.onnx.";
/// The op that represents None as an operand.
inline constexpr llvm::StringLiteral kNoneName = "torch.constant.none";
/// On a function that a Linalg program declares, or whose body was outlined:
/// the custom op that it represents.
inline constexpr llvm::StringLiteral kFunctionAttr = "isthmus.custom_op";

/// A tensor operand of a custom op: a value of the torch dialect (a tensor, or
/// a number known only at run time), a constant, or neither for None.
struct Operand {
  mlir::Value value;
  mlir::ElementsAttr constant;
};

/// The content of a custom op, for all targets.
struct CustomOp {
  std::string domain;
  /// The full name: "torch.aten.layer_norm", "com.acme.FancyAttention".
  std::string name;
  llvm::SmallVector<Operand> operands;
  /// Torch types of tensors and numbers; lists are flattened.
  llvm::SmallVector<mlir::Type> results;
  /// Whether it has effects besides its results.
  bool hasEffects = false;
  /// All other arguments, in the schema of docs/custom_ops.md.
  llvm::json::Value attributes = nullptr;
};

/// Encodes the op as a custom op; nullopt, with the reason in `why`, if that is
/// impossible.
std::optional<CustomOp> encode(mlir::Operation *op, Encoding encoding,
                               std::string &why);

/// The values of each result of an op: the result itself, or the results of
/// torch.prim.ListUnpack for a list. nullopt for a list that has other uses.
std::optional<llvm::SmallVector<mlir::ValueRange>>
resultParts(mlir::Operation *op);

//===----------------------------------------------------------------------===//
// Attributes as text and as MLIR attributes
//===----------------------------------------------------------------------===//

/// Encodes floats that JSON lacks as "NaN", "Infinity", "-Infinity" and "-0".
llvm::json::Value toJSON(double number);
std::optional<double> numberOf(const llvm::json::Value &value);

/// JSON without spaces, keys in order.
std::string toText(const llvm::json::Value &attributes);
/// The inverse; nullopt, with the reason in `why`, for invalid JSON.
std::optional<llvm::json::Value> fromText(llvm::StringRef text,
                                          std::string &why);
/// Objects are dictionaries; bools, ints and floats are i1, i64 and f64; lists
/// of ints and of floats are dense arrays. XLA's typed FFI reads no other
/// lists, so other lists are dictionaries by index.
mlir::Attribute toAttribute(const llvm::json::Value &attributes,
                            mlir::MLIRContext *context);
/// The inverse; nullopt for attributes that toAttribute never returns.
std::optional<llvm::json::Value> fromAttribute(mlir::Attribute attribute);

//===----------------------------------------------------------------------===//
// Reading back
//===----------------------------------------------------------------------===//

/// The identity of the op that a target's custom op carries.
struct Identity {
  std::string domain;
  std::string name;
  llvm::json::Value attributes;
  /// Whether the program has scalars that are not tensors, as in Linalg.
  bool hasScalars;
};

/// The identity of a custom op of any target; nullopt if the op does not claim
/// to follow the contract, a failure after an error if it violates it.
std::optional<mlir::FailureOr<Identity>> identify(mlir::Operation *op);

/// Reads the attributes of an op that claims to follow the contract. Fails
/// after an error if they violate it.
mlir::FailureOr<Identity> readIdentity(mlir::Operation *op,
                                       llvm::StringRef domain,
                                       llvm::StringRef name,
                                       llvm::StringRef text, bool hasScalars);

/// Starts the error of a custom op that violates the contract.
mlir::InFlightDiagnostic mistake(mlir::Operation *op, llvm::StringRef name);

/// The same for an outlined function; nullopt for other functions.
std::optional<Identity> outlinedIn(mlir::func::FuncOp function);

/// The full name of the op that `op` carries, without checking the contract;
/// empty if it carries none.
std::string nameOf(mlir::Operation *op);

/// Replaces `carried` with its torch op. Casts convert operands and results
/// between the target's types and torch types. Fails after an error if the
/// contract is violated.
mlir::FailureOr<mlir::Operation *> decode(mlir::Operation *carried,
                                          const Identity &identity);

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The full name under which an op is carried; empty if it cannot be carried
/// because it is not a PyTorch or ONNX op (a constant, control flow).
std::string fullName(mlir::Operation *op);
llvm::StringRef domainOf(mlir::Operation *op);

/// The ops that a user named: "aten.clamp.Tensor", "aten.clamp" for all of its
/// overloads, "Einsum", "com.acme.FancyAttention". The prefixes "torch." and
/// "onnx." are optional.
class Selection {
public:
  /// Every op.
  static Selection all();
  /// An unknown name is an error at `root` that suggests the nearest one. The
  /// registered ops and those in `root` are known. A lenient selection accepts
  /// names that this program lacks, except in PyTorch's and ONNX's namespaces.
  static mlir::FailureOr<Selection> resolve(mlir::Operation *root,
                                            llvm::ArrayRef<std::string> names,
                                            bool isLenient);

  /// Whether the selection contains the op, which must be one that can be
  /// carried.
  bool contains(mlir::Operation *op) const;

private:
  bool isAll = false;
  llvm::StringSet<> names;
};

//===----------------------------------------------------------------------===//
// Carrying
//===----------------------------------------------------------------------===//

/// Writes the custom ops of a target.
class Writer {
public:
  virtual ~Writer() = default;

  virtual mlir::Value constant(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::ElementsAttr value) const = 0;
  /// Writes an op with the tensors `operands`.
  virtual mlir::ValueRange write(mlir::OpBuilder &builder, mlir::Location loc,
                                 const CustomOp &op, mlir::ValueRange operands,
                                 mlir::TypeRange results) const = 0;
  /// Why the target does not support a torch type; empty if it does.
  virtual std::string whyUnsupported(mlir::Type type) const { return {}; }
  /// Converts a number to a tensor of rank 0 and back, for targets with other
  /// numbers.
  virtual mlir::Value toTensor(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value number) const {
    return number;
  }
  virtual mlir::Value toNumber(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value tensor) const {
    return tensor;
  }
};

/// The ops that a pass must carry, and their encoding.
struct Request {
  Selection selection;
  Encoding encoding;

  /// Parses the options of a lowering pass, which carries the named ops if it
  /// cannot lower them; "unsupported" selects every op.
  static mlir::FailureOr<Request>
  parseFallback(mlir::Operation *root, llvm::ArrayRef<std::string> names,
                llvm::StringRef encoding);
};

/// Adds a pattern that carries the ops of a request. With benefit 0, it carries
/// only ops that no other pattern of a conversion lowers.
void populateCarry(const mlir::TypeConverter &types,
                   mlir::RewritePatternSet &patterns,
                   UnsupportedOps &unsupported, const Request &request,
                   const Writer &writer, mlir::PatternBenefit benefit = 1);

/// Carries only the ops of `names` ("all" selects every op). Casts convert
/// values of the torch dialect to the target's types; the conversion of the
/// other ops removes them. Fails after reporting every op that cannot be
/// carried; `form` names the form of a custom op in these messages.
mlir::LogicalResult carry(mlir::Operation *root,
                          const mlir::TypeConverter &types,
                          llvm::ArrayRef<std::string> names,
                          llvm::StringRef encoding, const Writer &writer,
                          llvm::StringRef form);

} // namespace isthmus::custom_ops

#endif // ISTHMUS_CONVERSION_CUSTOMOPS_H
