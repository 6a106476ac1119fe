//===- CustomOps.h - Torch ops as calls -------------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_CUSTOMOPS_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_CUSTOMOPS_H

#include "isthmus/Conversion/CustomOps.h"

namespace isthmus::torch_to_linalg {

class CustomOpWriter final : public custom_ops::Writer {
public:
  mlir::Value constant(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::ElementsAttr value) const override;
  mlir::ValueRange write(mlir::OpBuilder &builder, mlir::Location loc,
                         const custom_ops::CustomOp &op,
                         mlir::ValueRange operands,
                         mlir::TypeRange results) const override;
  mlir::Value toTensor(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value number) const override;
  mlir::Value toNumber(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value tensor) const override;
};

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_CUSTOMOPS_H
