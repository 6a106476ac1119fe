//===- Vectorize.cpp - Linalg on buffers to loops of vectors --------------===//

#include "Codegen.h"
#include "VectorLoops.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// Expands math ops to polynomials instead of a library call for each lane.
/// Scalar code keeps the library calls.
LogicalResult approximateMath(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  auto known = [](StringRef name) {
    return llvm::is_contained({"math.erf", "math.exp", "math.expm1", "math.log",
                               "math.log1p", "math.tanh"},
                              name);
  };
  populateMathAlgebraicSimplificationPatterns(patterns);
  populateMathF32ExpansionPatterns(patterns, known);
  populateMathPolynomialApproximationPatterns(patterns, known);
  return applyPatternsGreedily(module, std::move(patterns));
}

} // namespace

LogicalResult isthmus::vectorize(ModuleOp module, const Machine &machine) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  IRRewriter rewriter(module.getContext());
  for (linalg::LinalgOp op : ops)
    if (op.hasPureBufferSemantics() &&
        failed(emitContraction(rewriter, op, machine)))
      // Ops without a vector form become scalar loops later.
      (void)emitVectorLoops(rewriter, op, machine);
  return approximateMath(module);
}
