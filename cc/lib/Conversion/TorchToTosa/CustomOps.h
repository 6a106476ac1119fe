//===- CustomOps.h - Torch ops as tosa.custom -------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_CUSTOMOPS_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_CUSTOMOPS_H

#include "isthmus/Conversion/CustomOps.h"

namespace isthmus::torch_to_tosa {

class CustomOpWriter final : public custom_ops::Writer {
public:
  explicit CustomOpWriter(const mlir::TypeConverter &types) : types(types) {}

  mlir::Value constant(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::ElementsAttr value) const override;
  mlir::ValueRange write(mlir::OpBuilder &builder, mlir::Location loc,
                         const custom_ops::CustomOp &op,
                         mlir::ValueRange operands,
                         mlir::TypeRange results) const override;
  std::string whyUnsupported(mlir::Type type) const override;

private:
  const mlir::TypeConverter &types;
};

} // namespace isthmus::torch_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_CUSTOMOPS_H
