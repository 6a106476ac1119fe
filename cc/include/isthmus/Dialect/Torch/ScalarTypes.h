//===- ScalarTypes.h - PyTorch's dtype codes and promotion ------*- C++ -*-===//
//
// A dtype argument of an ATen op is an int: the value of c10::ScalarType
// (c10/core/ScalarType.h), which is fixed by PyTorch's serialised formats.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_TORCH_SCALARTYPES_H
#define ISTHMUS_DIALECT_TORCH_SCALARTYPES_H

#include "mlir/IR/Types.h"
#include "mlir/IR/ValueRange.h"
#include <optional>

namespace isthmus::torch {

/// The torch dtype (si64, f32, i1 ...) of a c10::ScalarType; null if MLIR has
/// none.
mlir::Type dtypeOfCode(mlir::MLIRContext *context, int64_t code);
/// The c10::ScalarType of a torch dtype.
std::optional<int64_t> codeOfDtype(mlir::Type dtype);

bool isIntegral(mlir::Type dtype);      // si8 ... ui64 and bool
bool isBoolean(mlir::Type dtype);       // i1
bool isFloatingPoint(mlir::Type dtype); // f16, bf16, f32 ..., not complex
bool isComplex(mlir::Type dtype);
/// The dtype of the parts of a complex dtype; any other dtype itself.
mlir::Type partDtype(mlir::Type dtype);

/// The value of an element's bits: bools and unsigned integers have no sign.
/// The int64_t wraps like an element of dtype si64.
int64_t integerOf(const llvm::APInt &bits, mlir::Type dtype);
double doubleOf(const llvm::APInt &bits, mlir::Type dtype);

/// The smallest dtype that both convert to (torch.promote_types); null if
/// unknown.
mlir::Type promoteDtypes(mlir::Type a, mlir::Type b);

/// torch.result_type: operands with dims outrank rank-0 tensors, which outrank
/// Python scalars; a lower rank only matters when its kind (bool < int < float
/// < complex) is higher. Python floats count as f32, ints as si64.
mlir::Type resultDtype(mlir::ValueRange operands);

} // namespace isthmus::torch

#endif // ISTHMUS_DIALECT_TORCH_SCALARTYPES_H
