//===- Families.h - The op families of TorchToLinalg ------------*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_TORCHTOLINALG_FAMILIES_H
#define ISTHMUS_CONVERSION_TORCHTOLINALG_FAMILIES_H

#include "LinalgBuilder.h"
#include "LinalgLowerings.h"

namespace isthmus::torch_to_linalg {

#define FAMILY(NAME) void populate##NAME(LinalgLowerings &lowerings);
#include "Families.def"
#undef FAMILY

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_CONVERSION_TORCHTOLINALG_FAMILIES_H
