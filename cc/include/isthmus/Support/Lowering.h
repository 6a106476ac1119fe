//===- Lowering.h - Base of every lowering pattern --------------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_LOWERING_H
#define ISTHMUS_SUPPORT_LOWERING_H

#include "isthmus/Support/UnsupportedOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace isthmus {

/// An OpConversionPattern that tells the user why it declines an op.
template <typename SourceOp>
class Lowering : public mlir::OpConversionPattern<SourceOp> {
public:
  using Adaptor = typename SourceOp::Adaptor;
  using Rewriter = mlir::ConversionPatternRewriter;

  Lowering(const mlir::TypeConverter &types, mlir::MLIRContext *context,
           UnsupportedOps &unsupported)
      : mlir::OpConversionPattern<SourceOp>(types, context),
        unsupported(unsupported) {}

protected:
  /// `return decline(op) << "expected a scalar bound, got " << type;`
  UnsupportedOps::Reason decline(mlir::Operation *op) const {
    return unsupported.decline(op);
  }

  UnsupportedOps &unsupported;
};

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_LOWERING_H
