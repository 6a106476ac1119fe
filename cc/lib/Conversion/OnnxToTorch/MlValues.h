//===- MlValues.h - Numbers of a model as tensors ---------------*- C++ -*-===//
//
// The ops of ai.onnx.ml keep a model's numbers in attributes.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_MLVALUES_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_MLVALUES_H

#include "isthmus/Conversion/OnnxToTorch.h"

namespace isthmus::onnx_to_torch {

mlir::Type float32Dtype(NodeBuilder &b);

/// A literal of these numbers; `dtype` is a float or a signed integer.
mlir::Value table(NodeBuilder &b, llvm::ArrayRef<double> numbers,
                  llvm::ArrayRef<int64_t> shape, mlir::Type dtype);
mlir::Value table(NodeBuilder &b, llvm::ArrayRef<int64_t> numbers,
                  llvm::ArrayRef<int64_t> shape, mlir::Type dtype);

/// `x` of rank 1 or 2 as rows of that dtype: a vector is one row.
mlir::Value rowsOf(NodeBuilder &b, mlir::Value x, mlir::Type dtype);

/// Rows [N, F] times the transpose of `matrix` [columns, F], as [N, columns].
mlir::Value productWith(NodeBuilder &b, mlir::Value rows,
                        llvm::ArrayRef<double> matrix, int64_t columns);

/// The elements of a tensor attribute, also if they are in the model's file;
/// null if they are neither.
mlir::DenseElementsAttr denseOf(mlir::ElementsAttr attribute);

/// The numbers of a float tensor attribute; none if it is absent. Declines the
/// node if it has another dtype.
mlir::FailureOr<llvm::SmallVector<double>>
numbersOf(NodeBuilder &b, std::optional<mlir::ElementsAttr> attribute,
          llvm::StringRef name);

/// Declines the node unless `x` has `count` columns; a number of columns that
/// is known at run time only is checked then.
mlir::LogicalResult checkColumns(NodeBuilder &b, mlir::Value x, int64_t count);

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_MLVALUES_H
