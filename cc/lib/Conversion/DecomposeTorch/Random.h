//===- Random.h - The random numbers of an op -------------------*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_DECOMPOSETORCH_RANDOM_H
#define ISTHMUS_CONVERSION_DECOMPOSETORCH_RANDOM_H

#include "mlir/IR/Operation.h"

namespace isthmus::decompose_torch {

/// True for ops that draw numbers, dropout in training aside.
bool isRandom(mlir::Operation *op);

/// Gives each random op below `root` a unique number, in order and starting at
/// the seed, as an attribute that its decomposition reads.
void numberRandomOps(mlir::Operation *root, int64_t seed);

} // namespace isthmus::decompose_torch

#endif // ISTHMUS_CONVERSION_DECOMPOSETORCH_RANDOM_H
