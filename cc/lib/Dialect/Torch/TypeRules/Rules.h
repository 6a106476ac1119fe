//===- Rules.h - Type rules that other files call ---------------*- C++ -*-===//
//
// The generated source of a family declares the rules that its registry lines
// name. Other files call these rules too.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_TORCH_TYPERULES_RULES_H
#define ISTHMUS_DIALECT_TORCH_TYPERULES_RULES_H

#include "isthmus/Dialect/Torch/TypeInference.h"

namespace isthmus::torch::rules {

mlir::LogicalResult index(TypeInference &op);
mlir::LogicalResult promote(TypeInference &op);

} // namespace isthmus::torch::rules

#endif // ISTHMUS_DIALECT_TORCH_TYPERULES_RULES_H
