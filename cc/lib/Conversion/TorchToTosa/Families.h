//===- Families.h - The patterns of every family ----------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_FAMILIES_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_FAMILIES_H

#include "TosaLowerings.h"

namespace isthmus::torch_to_tosa {

#define FAMILY(NAME) void populate##NAME(TosaLowerings &lowerings);
#include "Families.def"
#undef FAMILY

/// Regions of TOSA's control flow may use only their arguments: constants from
/// outside are copied into them, other values are passed.
void isolateRegions(mlir::Operation *root);

} // namespace isthmus::torch_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_FAMILIES_H
