//===- Complex.cpp - What TOSA has no numbers for -------------------------===//
//
// Programs compute on parts: torch-decompose-complex-ops sees to that. What is
// left are complex arguments and results.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "TosaLowering.h"
#include "isthmus/Dialect/Torch/ComplexOps.h"

using namespace mlir;
using namespace isthmus;

void torch_to_tosa::populateComplex(const TypeConverter &types,
                                    RewritePatternSet &patterns,
                                    UnsupportedOps &unsupported) {
  patterns.add<NoLowering<torch::AtenComplexOp>, NoLowering<torch::AtenImagOp>,
               NoLowering<torch::AtenRealOp>>(
      types, patterns.getContext(), unsupported,
      "TOSA has no complex numbers; those inside of a program are pairs of "
      "real ones");
}
