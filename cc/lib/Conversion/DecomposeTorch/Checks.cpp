//===- Checks.cpp - Data that ends a run with an error --------------------===//

#include "Checks.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

void decompose_torch::checkAll(Tensor isAsExpected, StringRef expectation) {
  TorchBuilder &b = isAsExpected.builder();
  Value condition =
      b.create<AtenBoolTensorOp>(b.create<AtenAllOp>(isAsExpected));
  RuntimeAssertOp::create(b.getBuilder(), b.getLoc(), condition,
                          ("expected " + expectation).str());
}
