//===- LinalgTypeConverter.h - Torch types as linalg has them ---*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_LINALGTYPECONVERTER_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_LINALGTYPECONVERTER_H

#include "Consumer.h"
#include "isthmus/Conversion/TorchLowering.h"

namespace isthmus::torch_to_linalg {

/// Integers are signless; numbers are arith scalars. It says who reads the
/// program as well, because every pattern has the type converter.
class LinalgTypeConverter : public TorchTypeConverter {
public:
  explicit LinalgTypeConverter(Consumer consumer = Consumer::Any);

  Consumer getConsumer() const { return consumer; }

private:
  Consumer consumer;
};

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_LINALGTYPECONVERTER_H
