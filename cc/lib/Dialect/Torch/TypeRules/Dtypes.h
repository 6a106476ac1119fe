//===- Dtypes.h - Dtypes that type rules give -------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_DIALECT_TORCH_TYPERULES_DTYPES_H
#define ISTHMUS_LIB_DIALECT_TORCH_TYPERULES_DTYPES_H

#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/TypeInference.h"
#include "mlir/IR/BuiltinTypes.h"

namespace isthmus::torch {

/// si8, si32 ...
inline mlir::Type signedDtype(TypeInference &op, unsigned width) {
  return mlir::IntegerType::get(op.getContext(), width,
                                mlir::IntegerType::Signed);
}

/// The dtype of a formula with numbers that are not integers: f32
/// (torch.get_default_dtype()) for integers and bools. Null stays null.
inline mlir::Type toFloating(mlir::Type dtype) {
  return dtype && isIntegral(dtype)
             ? mlir::Type(mlir::Float32Type::get(dtype.getContext()))
             : dtype;
}

/// The dtype of sums over floats of this dtype: f32 for narrower ones.
inline mlir::Type summedDtype(mlir::Type dtype) {
  return dtype && isFloatingPoint(dtype) && !dtype.isF64()
             ? mlir::Type(mlir::Float32Type::get(dtype.getContext()))
             : dtype;
}

} // namespace isthmus::torch

#endif // ISTHMUS_LIB_DIALECT_TORCH_TYPERULES_DTYPES_H
