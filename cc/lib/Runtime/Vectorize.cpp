//===- Vectorize.cpp - Linalg on buffers to loops of vectors --------------===//

#include "Codegen.h"
#include "VectorLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace isthmus;

namespace {

/// log(x) of an f32 as log(2^24 x) - 24 log(2) if x is subnormal: MLIR's
/// polynomial takes such numbers for the smallest normal one.
void scaleSubnormalLogarithms(ModuleOp module) {
  SmallVector<math::LogOp> logarithms;
  module.walk([&](math::LogOp op) {
    if (getElementTypeOrSelf(op.getType()).isF32())
      logarithms.push_back(op);
  });
  for (math::LogOp op : logarithms) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Type type = op.getType();
    auto number = [&](double value) -> Value {
      TypedAttr attribute = b.getF32FloatAttr(value);
      if (auto vector = dyn_cast<VectorType>(type))
        attribute = DenseElementsAttr::get(vector, attribute);
      return arith::ConstantOp::create(b, attribute);
    };
    Value x = op.getOperand();
    Value isSubnormal =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x,
                              number(std::numeric_limits<float>::min()));
    op.getOperandMutable().assign(arith::SelectOp::create(
        b, isSubnormal, arith::MulFOp::create(b, x, number(0x1p24)), x));
    b.setInsertionPointAfter(op);
    auto shift = arith::SelectOp::create(
        b, isSubnormal, number(24 * llvm::numbers::ln2), number(0));
    auto result = arith::SubFOp::create(b, op.getResult(), shift);
    op.getResult().replaceAllUsesExcept(result, result);
  }
}

/// Expands math ops to polynomials instead of a library call for each lane.
/// Scalar code keeps the library calls.
LogicalResult approximateMath(ModuleOp module) {
  scaleSubnormalLogarithms(module);
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
