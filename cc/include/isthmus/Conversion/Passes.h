//===- Passes.h - Conversion passes -----------------------------*- C++ -*-===//
//
// A conversion's .cpp file includes this with GEN_PASS_DEF_<ITS PASS> defined.
// A file that registers passes defines GEN_PASS_REGISTRATION and lists its
// parts.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_PASSES_H
#define ISTHMUS_CONVERSION_PASSES_H

#include "isthmus/Support/UnsupportedOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/DialectConversion.h"

namespace isthmus {

class TorchTypeConverter;

#define GEN_PASS_DECL
#include "isthmus/Conversion/Passes.h.inc"

// The patterns of each target, rooted at core ops. A pass runs them; the
// coverage table (Api/Coverage.h) reads their root ops.
void populateTorchToLinalg(const TorchTypeConverter &types,
                           mlir::RewritePatternSet &patterns,
                           UnsupportedOps &unsupported);
void populateTorchToMhlo(const TorchTypeConverter &types,
                         mlir::RewritePatternSet &patterns,
                         UnsupportedOps &unsupported);
void populateTorchToTosa(const TorchTypeConverter &types,
                         mlir::RewritePatternSet &patterns,
                         UnsupportedOps &unsupported);

#define GEN_PASS_REGISTRATION
#include "isthmus/Conversion/Passes.h.inc"

} // namespace isthmus

#endif // ISTHMUS_CONVERSION_PASSES_H
