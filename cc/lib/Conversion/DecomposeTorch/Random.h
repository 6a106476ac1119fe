//===- Random.h - Which random numbers an op gets ---------------*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_DECOMPOSETORCH_RANDOM_H
#define ISTHMUS_CONVERSION_DECOMPOSETORCH_RANDOM_H

#include "mlir/IR/Operation.h"

namespace isthmus::decompose_torch {

/// Gives each random op below `root` a number of its own, in their order and
/// from the seed on, as an attribute that its decomposition reads.
void numberRandomOps(mlir::Operation *root, int64_t seed);

} // namespace isthmus::decompose_torch

#endif // ISTHMUS_CONVERSION_DECOMPOSETORCH_RANDOM_H
