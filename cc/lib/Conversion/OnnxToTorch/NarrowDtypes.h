//===- NarrowDtypes.h - ONNX dtypes that torch lacks ------------*- C++ -*-===//
//
// ONNX has integers of 2 and 4 bits, floats of 4 bits (E2M1), and powers of two
// (E8M0). A program has a byte for each of their elements: an integer as 8-bit
// integer of the same value, a float as its bits. So a tensor of integers may
// go wherever its values may go, but one of floats only through the nodes that
// `carries` lists, which know the dtype that the model declares.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_NARROWDTYPES_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_NARROWDTYPES_H

#include "Operands.h"

namespace isthmus::onnx_to_torch {

/// The torch dtype of the bytes for elements of `dtype`; null for a dtype that
/// is not narrow.
mlir::Type bytesFor(mlir::Type dtype);

/// The narrow element type that the model declares for a tensor; null if its
/// dtype is not narrow.
mlir::Type narrowDtypeOf(mlir::Value onnxValue);

/// Whether the node's lowering may have operands and results of narrow dtypes:
/// it moves elements without computing with them, or it converts them.
bool carries(mlir::Operation *node);

/// The numbers of the torch tensor for an ONNX value: floats of a narrow dtype
/// in f32, all others as they are.
mlir::Value decode(NodeBuilder &b, mlir::Value tensor, mlir::Value onnxValue);

/// What Cast-28 does beside the dtype.
struct Rounding {
  llvm::StringRef mode = "up"; ///< of E8M0: "up", "down" or "nearest"
  bool saturates = true;       ///< of floats of 8 bits and less
};

/// Casts numbers to an element type of ONNX: integers of a narrow dtype keep
/// their lowest bits, floats of 4 bits saturate always. Declines dtypes that
/// torch lacks and that are not narrow.
mlir::FailureOr<mlir::Value> castTo(NodeBuilder &b, mlir::Value numbers,
                                    mlir::Type dtype, Rounding rounding = {});

/// A literal of narrow elements, as bytes; null if there is no way to read it.
mlir::Value narrowLiteral(NodeBuilder &b, mlir::ElementsAttr elements);

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_NARROWDTYPES_H
