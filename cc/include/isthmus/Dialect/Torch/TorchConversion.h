//===- TorchConversion.h - Casts between torch and builtin types -*- C++
//-*-===//

#ifndef ISTHMUS_DIALECT_TORCH_TORCHCONVERSION_H
#define ISTHMUS_DIALECT_TORCH_TORCHCONVERSION_H

#include "isthmus/Dialect/Torch/Torch.h"

#include "isthmus/Dialect/Torch/TorchConversionDialect.h.inc"
#define GET_OP_CLASSES
#include "isthmus/Dialect/Torch/TorchConversion.h.inc"

#endif // ISTHMUS_DIALECT_TORCH_TORCHCONVERSION_H
