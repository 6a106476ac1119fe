//===- Families.h - The op families of this conversion ----------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_FAMILIES_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_FAMILIES_H

#include "isthmus/Conversion/OnnxToTorch.h"

namespace isthmus::onnx_to_torch {
#define FAMILY(NAME) void populate##NAME(OnnxToTorchLowerings &lowerings);
#include "Families.def"
#undef FAMILY
} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_FAMILIES_H
