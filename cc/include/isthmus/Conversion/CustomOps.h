//===- CustomOps.h - Ops that a target carries whole ------------*- C++ -*-===//
//
// An op of the torch dialect that a backend wants whole travels as a custom op
// of its target. What such an op says, and why, is docs/custom_ops.md; here is
// the one encoder for all targets, its inverse, and what a target adds to them.
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

/// How arguments travel that are no tensors.
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
/// On a torch.operator: the domain of the ONNX op that it is. Those of ai.onnx
/// are called "onnx.Einsum" and need none.
inline constexpr llvm::StringLiteral kDomainAttr = "onnx.domain";
/// What an op of the onnx dialect is called where it is carried: its domain is
/// in the name, as in onnx.com.microsoft.Attention, unless it is ai.onnx.
inline llvm::StringRef carriedName(llvm::StringRef op) {
  llvm::StringRef bare = op;
  return bare.consume_front("onnx.") && bare.contains('.') ? bare : op;
}
/// What an attribute of an ONNX node is called on torch.operator begins with.
inline constexpr llvm::StringLiteral kOnnxAttrPrefix = "torch.onnx.";
/// What stands for None where None is an operand.
inline constexpr llvm::StringLiteral kNoneName = "torch.constant.none";
/// On a function that a Linalg program declares, or that has what was outlined
/// as its body: the custom op it stands for.
inline constexpr llvm::StringLiteral kFunctionAttr = "isthmus.custom_op";

/// A tensor that goes into a custom op: a value of the torch dialect (a tensor,
/// or a number known at run time only), a constant, or neither for None.
struct Operand {
  mlir::Value value;
  mlir::ElementsAttr constant;
};

/// What each target says of an op that it carries.
struct CustomOp {
  std::string domain;
  /// The full name: "torch.aten.layer_norm", "com.acme.FancyAttention".
  std::string name;
  llvm::SmallVector<Operand> operands;
  /// Torch types of tensors and numbers; lists are taken apart.
  llvm::SmallVector<mlir::Type> results;
  /// Whether it does something even if nobody uses its results.
  bool hasEffects = false;
  /// Everything else, in the schema of docs/custom_ops.md.
  llvm::json::Value attributes = nullptr;
};

/// The op as a custom op; nullopt, and why, if it cannot be one.
std::optional<CustomOp> encode(mlir::Operation *op, Encoding encoding,
                               std::string &why);

/// The values that stand for each result of an op: the result itself, or what
/// torch.prim.ListUnpack takes from a list. Nullopt for a list that is used
/// whole.
std::optional<llvm::SmallVector<mlir::ValueRange>>
resultParts(mlir::Operation *op);

//===----------------------------------------------------------------------===//
// Attributes as text and as MLIR attributes
//===----------------------------------------------------------------------===//

/// JSON has no words for these: "NaN", "Infinity", "-Infinity" and "-0".
llvm::json::Value toJSON(double number);
std::optional<double> numberOf(const llvm::json::Value &value);

/// JSON without spaces, keys in order.
std::string toText(const llvm::json::Value &attributes);
/// The inverse; nullopt, and why, for what is no JSON.
std::optional<llvm::json::Value> fromText(llvm::StringRef text,
                                          std::string &why);
/// Objects are dictionaries; bools, ints and floats are i1, i64 and f64, lists
/// of ints and of floats dense arrays. XLA's typed FFI reads no other lists:
/// those are dictionaries by index.
mlir::Attribute toAttribute(const llvm::json::Value &attributes,
                            mlir::MLIRContext *context);
/// The inverse; nullopt for what it never gives.
std::optional<llvm::json::Value> fromAttribute(mlir::Attribute attribute);

//===----------------------------------------------------------------------===//
// Reading back
//===----------------------------------------------------------------------===//

/// What a target's op says of the op that it carries.
struct Identity {
  std::string domain;
  std::string name;
  llvm::json::Value attributes;
  /// Whether the program has numbers that are no tensors, as Linalg has.
  bool hasScalars;
};

/// What a tosa.custom, a custom_call or a call says; nullopt if it is none of
/// the contract's, and a failure after an error if it should be but is not.
std::optional<mlir::FailureOr<Identity>> identify(mlir::Operation *op);

/// The same of a function that was outlined; nullopt if it was not.
std::optional<Identity> outlinedIn(mlir::func::FuncOp function);

/// The full name of the op that `op` carries, by its looks; empty if it carries
/// none.
std::string nameOf(mlir::Operation *op);

/// Puts the torch op that `carried` is in its place. Its operands and results
/// are casts between the target's types and torch's. Fails after an error for
/// what the contract does not allow.
mlir::FailureOr<mlir::Operation *> decode(mlir::Operation *carried,
                                          const Identity &identity);

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The full name that an op is carried under; empty if it cannot be carried
/// because it is no op of PyTorch's or ONNX's (a constant, control flow).
std::string fullName(mlir::Operation *op);
llvm::StringRef domainOf(mlir::Operation *op);

/// The ops that a user named: "aten.clamp.Tensor", "aten.clamp" for all of its
/// overloads, "Einsum", "com.acme.FancyAttention"; "torch." and "onnx." before
/// a name may be left out.
class Selection {
public:
  /// Every op.
  static Selection all();
  /// A name that is no op's is an error at `root`, which says the nearest one.
  /// Known are the registered ops and those in `root`.
  /// A lenient one lets pass what other namespaces than PyTorch's and ONNX's
  /// have and this program does not.
  static mlir::FailureOr<Selection> resolve(mlir::Operation *root,
                                            llvm::ArrayRef<std::string> names,
                                            bool isLenient);

  /// Whether the op, which can be carried, is one of them.
  bool contains(mlir::Operation *op) const;

private:
  bool isAll = false;
  llvm::StringSet<> names;
};

//===----------------------------------------------------------------------===//
// Carrying
//===----------------------------------------------------------------------===//

/// What a target writes for custom ops.
class Writer {
public:
  virtual ~Writer() = default;

  virtual mlir::Value constant(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::ElementsAttr value) const = 0;
  /// An op whose tensors are `operands`.
  virtual mlir::ValueRange write(mlir::OpBuilder &builder, mlir::Location loc,
                                 const CustomOp &op, mlir::ValueRange operands,
                                 mlir::TypeRange results) const = 0;
  /// Why the target cannot have a value of a torch type; empty if it can.
  virtual std::string whyUnsupported(mlir::Type type) const { return {}; }
  /// A number as a tensor of rank 0 and back, where numbers are something else.
  virtual mlir::Value toTensor(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value number) const {
    return number;
  }
  virtual mlir::Value toNumber(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value tensor) const {
    return tensor;
  }
};

/// What a pass is asked to carry, and how.
struct Request {
  Selection selection;
  Encoding encoding;

  /// Of the options of a pass that lowers ops, and carries these where it
  /// cannot; "unsupported" asks for every op.
  static mlir::FailureOr<Request>
  parseFallback(mlir::Operation *root, llvm::ArrayRef<std::string> names,
                llvm::StringRef encoding);
};

/// Carries the ops of a request. As the last resort of a conversion, benefit 0
/// leaves to it what nothing else lowers.
void populateCarry(const mlir::TypeConverter &types,
                   mlir::RewritePatternSet &patterns,
                   UnsupportedOps &unsupported, const Request &request,
                   const Writer &writer, mlir::PatternBenefit benefit = 1);

/// The work of a pass that carries the ops of `names` ("all" is every op) and
/// nothing else: values of the torch dialect become the target's by casts,
/// which the conversion of the rest removes. Fails after reporting every op
/// that cannot be carried; `form` is what they cannot become.
mlir::LogicalResult carry(mlir::Operation *root,
                          const mlir::TypeConverter &types,
                          llvm::ArrayRef<std::string> names,
                          llvm::StringRef encoding, const Writer &writer,
                          llvm::StringRef form);

} // namespace isthmus::custom_ops

#endif // ISTHMUS_CONVERSION_CUSTOMOPS_H
