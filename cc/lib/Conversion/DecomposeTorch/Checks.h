//===- Checks.h - Data that ends a run with an error ------------*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_DECOMPOSETORCH_CHECKS_H
#define ISTHMUS_CONVERSION_DECOMPOSETORCH_CHECKS_H

#include "Tensor.h"

namespace isthmus::decompose_torch {

/// Ends a run with an error, where a target can, unless all of these bools are
/// true. `expectation` says what was expected.
void checkAll(Tensor isAsExpected, llvm::StringRef expectation);

} // namespace isthmus::decompose_torch

#endif // ISTHMUS_CONVERSION_DECOMPOSETORCH_CHECKS_H
