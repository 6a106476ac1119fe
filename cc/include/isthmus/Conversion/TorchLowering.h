//===- TorchLowering.h - Shared parts of all torch lowerings ----*- C++ -*-===//
//
// A backend provides the lowerings of core ops (LoweringFunctions.h), a type
// converter, and its legal dialects. This file provides the rest: function
// signatures, and the handling of torch constants and lists.
//
// Constants and lists are not converted: a lowering reads them from the
// original op (Matchers.h), and they are erased when nothing uses them. So
// `matchInt(op.getDim())` works in every lowering, and so does `in.getDim()` if
// the size may be known only at run time.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_TORCHLOWERING_H
#define ISTHMUS_CONVERSION_TORCHLOWERING_H

#include "isthmus/Support/ConstantPool.h"
#include "isthmus/Support/UnsupportedOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace isthmus {

/// Converts torch types to builtin types. vtensor<[2,?],si64> becomes
/// tensor<2x?xi64>; int, float and bool become i64, f64 and i1, or rank-0
/// tensors of those for dialects without scalars. Lists, strings and none do
/// not change.
class TorchTypeConverter : public mlir::TypeConverter {
public:
  enum class Scalars { Builtin, RankZeroTensors };

  /// `constant` builds a constant op of the backend from an attribute of the
  /// scalar's converted type (an IntegerAttr, FloatAttr or rank-0 elements).
  using ConstantBuilder = mlir::Value (*)(mlir::OpBuilder &, mlir::Location,
                                          mlir::TypedAttr);
  TorchTypeConverter(Scalars scalars, ConstantBuilder constant);

  /// Constants that the patterns of a lowering share. They are here because
  /// every pattern has the type converter. The driver converts op by op, and no
  /// pattern creates ops that need conversion, so the first use of a constant
  /// comes before all others.
  ConstantPool &getConstants() const { return constants; }

  /// Called at the start of each body. Discards what patterns recorded about
  /// values, because a failed conversion rolls back its changes.
  virtual void forgetValues() const {}

private:
  mutable ConstantPool constants{ConstantPool::Place::FirstUse};
};

/// Argument and result attribute: the torch dtype of a tensor whose type does
/// not express it, such as ui8 for tensor<2xi8>, or si64 for TOSA's i32.
inline constexpr llvm::StringLiteral kDtypeAttr = "isthmus.dtype";

/// Reports every argument and result of a function that the backend does not
/// support: `why` returns the reason for a type, or an empty string. A program
/// does nothing with a value that is not used.
mlir::LogicalResult
checkSignatures(mlir::Operation *root, llvm::StringRef backend,
                llvm::function_ref<std::string(mlir::Type, bool isUsed)> why);

/// Runs the conversion of `root` to `target`, which already lists the backend's
/// legal dialects. Fails after reporting every remaining torch op with the
/// reason why its pattern declined it; `backend` is the backend's name in these
/// messages.
mlir::LogicalResult
lowerTorch(mlir::Operation *root, const TorchTypeConverter &types,
           mlir::RewritePatternSet &&patterns, mlir::ConversionTarget &target,
           UnsupportedOps &unsupported, llvm::StringRef backend);

} // namespace isthmus

#endif // ISTHMUS_CONVERSION_TORCHLOWERING_H
