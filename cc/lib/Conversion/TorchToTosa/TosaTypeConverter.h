//===- TosaTypeConverter.h - Torch types as TOSA has them -------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_TOSATYPECONVERTER_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_TOSATYPECONVERTER_H

#include "isthmus/Conversion/TorchLowering.h"

namespace isthmus::torch_to_tosa {

/// si64 becomes i32 and so on, see `storageType`; numbers are tensors of rank
/// 0.
class TosaTypeConverter : public TorchTypeConverter {
public:
  explicit TosaTypeConverter(bool narrowF64);
};

} // namespace isthmus::torch_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_TOSATYPECONVERTER_H
