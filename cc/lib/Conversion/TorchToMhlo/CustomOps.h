//===- CustomOps.h - Torch ops as mhlo.custom_call --------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_CUSTOMOPS_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_CUSTOMOPS_H

#include "isthmus/Conversion/CustomOps.h"

namespace isthmus::torch_to_mhlo {

class CustomOpWriter final : public custom_ops::Writer {
public:
  mlir::Value constant(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::ElementsAttr value) const override;
  mlir::ValueRange write(mlir::OpBuilder &builder, mlir::Location loc,
                         const custom_ops::CustomOp &op,
                         mlir::ValueRange operands,
                         mlir::TypeRange results) const override;
};

/// Turns a call of an outlined function into mhlo.composite, with the function
/// as its decomposition.
void composeOutlined(mlir::Operation *root);

} // namespace isthmus::torch_to_mhlo

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_CUSTOMOPS_H
