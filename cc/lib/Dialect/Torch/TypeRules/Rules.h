//===- Rules.h - Type rules that code beside the registry calls -*- C++ -*-===//
//
// A registry line names its rule, and its family's generated source declares
// it. These are called by hand as well.
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
