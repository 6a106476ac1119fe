//===- TorchLowering.h - What every lowering of torch shares ----*- C++ -*-===//
//
// A backend brings patterns rooted at Core ops, a type converter, and the
// dialects it may leave. This brings the rest: function signatures, and what to
// do with torch constants and lists.
//
// Constants and lists are not converted: a pattern reads them from the original
// op (Matchers.h) and they go when nothing uses them any more. So
// `matchInt(op.getDim())` works in every pattern, and so does
// `adaptor.getDim()` where the size may be known at run time only.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_TORCHLOWERING_H
#define ISTHMUS_CONVERSION_TORCHLOWERING_H

#include "isthmus/Support/ConstantPool.h"
#include "isthmus/Support/UnsupportedOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace isthmus {

/// Torch types as builtin types. vtensor<[2,?],si64> is tensor<2x?xi64>; int,
/// float and bool are i64, f64 and i1, or rank-0 tensors of those for dialects
/// that have no other scalars. Lists, strings and none stay what they are.
class TorchTypeConverter : public mlir::TypeConverter {
public:
  enum class Scalars { Builtin, RankZeroTensors };

  /// `constant` builds a constant of the backend's own from an attribute of the
  /// scalar's converted type (an IntegerAttr, FloatAttr or rank-0 elements).
  using ConstantBuilder = mlir::Value (*)(mlir::OpBuilder &, mlir::Location,
                                          mlir::TypedAttr);
  TorchTypeConverter(Scalars scalars, ConstantBuilder constant);

  /// Constants that the patterns of a lowering share; here, since this is what
  /// every pattern has. The driver converts op by op, so that the first to want
  /// one stands before all others: a pattern makes no op that is to be
  /// converted in its turn.
  ConstantPool &getConstants() const { return constants; }

  /// Another body begins: what patterns noted of values holds no longer, for a
  /// conversion that fails takes back what it made.
  virtual void forgetValues() const {}

private:
  mutable ConstantPool constants{ConstantPool::Place::FirstUse};
};

/// Argument and result attribute: the torch dtype of a tensor whose type does
/// not say it by itself, such as ui8 for tensor<2xi8>, or si64 for TOSA's i32.
inline constexpr llvm::StringLiteral kDtypeAttr = "isthmus.dtype";

/// Reports every argument and result of a function that the backend cannot
/// have: `why` says the reason for a type, or nothing.
mlir::LogicalResult
checkSignatures(mlir::Operation *root, llvm::StringRef backend,
                llvm::function_ref<std::string(mlir::Type)> why);

/// Runs the conversion of `root` to `target`, which already names the backend's
/// legal dialects. Fails after reporting every torch op that is left over, each
/// with the reason its pattern declined it; `backend` names the backend in
/// them.
mlir::LogicalResult
lowerTorch(mlir::Operation *root, const TorchTypeConverter &types,
           mlir::RewritePatternSet &&patterns, mlir::ConversionTarget &target,
           UnsupportedOps &unsupported, llvm::StringRef backend);

/// The elements of a list operand of the original op, in the converted types.
/// Fails when the list is not made by torch.prim.ListConstruct.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
convertedElements(mlir::ConversionPatternRewriter &rewriter,
                  const mlir::TypeConverter &types, mlir::Value list);

} // namespace isthmus

#endif // ISTHMUS_CONVERSION_TORCHLOWERING_H
