//===- Rewrites.cpp - Patterns up to a bound ------------------------------===//

#include "Rewrites.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

void isthmus::applyBounded(ModuleOp module, RewritePatternSet &&patterns) {
  // Real programs need fewer than two per op.
  constexpr int64_t perOp = 16, least = 1024;
  int64_t ops = 0;
  module.walk([&](Operation *) { ++ops; });
  GreedyRewriteConfig config;
  config.setMaxNumRewrites(least + perOp * ops);
  (void)applyPatternsGreedily(module, std::move(patterns), config);
}
