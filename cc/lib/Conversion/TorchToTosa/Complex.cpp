//===- Complex.cpp - Complex types, which TOSA does not support -----------===//
//
// torch-decompose-complex-ops makes programs compute on real and imaginary
// parts. Complex arguments and results remain.
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
