//===- MergeEqualOps.cpp - Merge ops that compute the same value ----------===//

#include "isthmus/Conversion/Passes.h"
#include "isthmus/Support/EqualOps.h"

namespace isthmus {
#define GEN_PASS_DEF_MERGEEQUALOPS
#include "isthmus/Conversion/Passes.h.inc"
} // namespace isthmus

namespace {
struct MergeEqualOps : isthmus::impl::MergeEqualOpsBase<MergeEqualOps> {
  void runOnOperation() override { isthmus::mergeEqualOps(getOperation()); }
};
} // namespace
