//===- LinalgTypeConverter.h - Torch types as linalg has them ---*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_LINALGTYPECONVERTER_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_LINALGTYPECONVERTER_H

#include "isthmus/Conversion/TorchLowering.h"

namespace isthmus::torch_to_linalg {

/// Integers are signless; numbers are arith scalars.
class LinalgTypeConverter : public TorchTypeConverter {
public:
  LinalgTypeConverter();
};

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_LINALGTYPECONVERTER_H
