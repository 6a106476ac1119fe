//===- Operands.h - Reading the inputs and attributes of a node -*- C++ -*-===//
//
// Helpers that several op families need to read an ONNX node and to compute its
// indices.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_OPERANDS_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_OPERANDS_H

#include "isthmus/Conversion/OnnxToTorch.h"
#include "isthmus/Dialect/Onnx/Onnx.h"

namespace isthmus::onnx_to_torch {

/// Whether the node has an optional input.
bool isPresent(mlir::Value operand);

/// Whether the node names an optional output.
inline bool isWanted(mlir::Value result) { return !onnx::isAbsent(result); }

/// The ints of an attribute; `otherwise` if the node omits it.
llvm::SmallVector<int64_t> intsOf(std::optional<mlir::ArrayAttr> attribute,
                                  llvm::ArrayRef<int64_t> otherwise = {});
/// The floats of an attribute; none if the node omits it.
llvm::SmallVector<double> floatsOf(std::optional<mlir::ArrayAttr> attribute);

inline int64_t rankOf(mlir::Value tensor) {
  return torch::tensorType(tensor).getRank();
}
inline mlir::Type dtypeOf(mlir::Value tensor) {
  return torch::tensorType(tensor).getDtype();
}
/// The size of a dim, ShapedType::kDynamic if it is known at run time only.
inline int64_t sizeOf(mlir::Value tensor, int64_t dim) {
  return torch::tensorType(tensor).getSizes()[dim];
}

mlir::Type int64Dtype(NodeBuilder &b);
mlir::Type boolDtype(NodeBuilder &b);
/// The dtype to compute with on `dtype`: f64 for f64, f32 for others.
mlir::Type wideDtype(mlir::Type dtype);

/// Axis `axis` of a tensor of `rank` dims, counted from the end if negative;
/// declines the node when there is no such axis.
mlir::FailureOr<int64_t> axisOf(NodeBuilder &b, int64_t axis, int64_t rank);
/// The same for a list of axes, which must be distinct.
mlir::FailureOr<llvm::SmallVector<int64_t>>
axesOf(NodeBuilder &b, llvm::ArrayRef<int64_t> axes, int64_t rank);

/// The only element of a tensor of sizes or axes as a !torch.int; declines the
/// node when `name` has another number of elements.
mlir::FailureOr<mlir::Value> intOf(NodeBuilder &b, mlir::Value tensor,
                                   llvm::StringRef name);
/// Declines the node if an int is known to be less than `least`; checks it at
/// run time if it is not known.
mlir::LogicalResult requireAtLeast(NodeBuilder &b, mlir::Value number,
                                   int64_t least, llvm::StringRef name);
/// The elements of a tensor that must be known while compiling, else declines.
mlir::FailureOr<llvm::SmallVector<int64_t>>
knownInts(NodeBuilder &b, mlir::Value tensor, llvm::StringRef name);
/// The same for a tensor of one element.
mlir::FailureOr<int64_t> knownInt(NodeBuilder &b, mlir::Value tensor,
                                  llvm::StringRef name);

/// The only element of a tensor as a number operand of an ATen op.
mlir::Value numberOf(NodeBuilder &b, mlir::Value tensor);
/// A number operand of the kind of `dtype`: an int for integers, else a float.
mlir::Value number(NodeBuilder &b, double value, mlir::Type dtype);

/// ONNX counts negative indices from the end of a dim of `size` elements, which
/// not every ATen op does.
mlir::Value wrapIndices(NodeBuilder &b, mlir::Value indices, mlir::Value size);
/// `data` with dim `axis` replaced by the dims of `indices` (numpy.take).
mlir::Value take(NodeBuilder &b, mlir::Value data, mlir::Value indices,
                 int64_t axis);
/// [start, start + 1, ..., end - 1] as si64.
mlir::Value iota(NodeBuilder &b, mlir::Value start, mlir::Value end);
/// A rank-1 tensor with its dim at `axis` of `rank` dims, so that it
/// broadcasts.
mlir::Value alongAxis(NodeBuilder &b, mlir::Value vector, int64_t axis,
                      int64_t rank);
/// A tensor of one number.
mlir::Value filled(NodeBuilder &b, mlir::ValueRange sizes, mlir::Value number,
                   mlir::Type dtype);
/// [N, ..., C] as [N, C, ...], and back.
mlir::Value channelsFirst(NodeBuilder &b, mlir::Value x);
mlir::Value channelsLast(NodeBuilder &b, mlir::Value x);
/// softmax over all dims from `axis` on, as if they were one.
mlir::Value softmaxFrom(NodeBuilder &b, mlir::Value x, int64_t axis);
/// x + number and x * factor, of floats.
mlir::Value addNumber(NodeBuilder &b, mlir::Value x, double number);
mlir::Value scaled(NodeBuilder &b, mlir::Value x, double factor);
/// ln(exp(x) + 1)
mlir::Value softplus(NodeBuilder &b, mlir::Value x);

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_OPERANDS_H
