//===- Complex.cpp - Complex types, which TOSA does not support -----------===//
//
// torch-decompose-complex-ops makes programs compute on real and imaginary
// parts. Complex arguments and results remain.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "TosaLowerings.h"
#include "isthmus/Dialect/Torch/ComplexOps.h"

using namespace mlir;
using namespace isthmus;

void torch_to_tosa::populateComplex(TosaLowerings &lowerings) {
  lowerings.addUnsupported<torch::AtenComplexOp, torch::AtenImagOp,
                           torch::AtenRealOp>(
      "TOSA has no complex numbers; those inside of a program are pairs of "
      "real ones");
}
