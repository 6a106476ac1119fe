//===- MhloTypeConverter.h - Torch types as MHLO has them -------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_MHLOTYPECONVERTER_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_MHLOTYPECONVERTER_H

#include "SizeOrigins.h"
#include "isthmus/Conversion/TorchLowering.h"

namespace isthmus::torch_to_mhlo {

/// Signless integers represent signed ones, unsigned integers stay unsigned;
/// numbers are tensors of rank 0.
class MhloTypeConverter : public TorchTypeConverter {
public:
  MhloTypeConverter();

  /// The origins of sizes, shared by all patterns of a lowering.
  SizeOrigins &getOrigins() const { return origins; }
  void forgetValues() const override { origins.clear(); }

private:
  mutable SizeOrigins origins;
};

} // namespace isthmus::torch_to_mhlo

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_MHLOTYPECONVERTER_H
