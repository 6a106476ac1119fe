//===- CountedLoops.h - While loops that count ------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_COUNTEDLOOPS_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_COUNTEDLOOPS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/StringRef.h"

namespace isthmus::onnx_to_torch {

/// The value that ONNX's Identity passes on, or the value itself.
mlir::Value withoutIdentity(mlir::Value value);

/// Gives loops that end when a counter reaches a bound a trip count in place of
/// their condition, as tf2onnx writes all loops of TensorFlow. A trip count
/// says how many scan outputs there are, which some targets must know.
void countLoops(mlir::Block &graph);

/// An attribute of a counted loop: the largest trip count that is exact. A
/// condition that compares floats may end a longer loop elsewhere.
inline constexpr llvm::StringLiteral mostSteps = "onnx.most_steps";

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_COUNTEDLOOPS_H
