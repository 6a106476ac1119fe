//===- Arithmetic.h - Layers on quantized numbers ---------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_ARITHMETIC_H
#define ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_ARITHMETIC_H

#include "Quantized.h"
#include "llvm/ADT/DenseMap.h"

namespace isthmus::quantized_to_tosa {

/// Reads the ops of a function in order, and builds for each op on quantized
/// numbers one on integers beside it.
class Arithmetic {
public:
  /// Builds the integers of an op's result if there is a way to do so.
  void visit(mlir::Operation *op);

  /// The integers that stand for `real`; null if none are known.
  const Quantized *find(mlir::Value real) const;

  /// The results of products (convolutions, linear layers, matrix products)
  /// with their integers, in order.
  llvm::ArrayRef<mlir::Value> getProducts() const { return products; }

private:
  std::optional<Quantized> compute(mlir::Operation *op, torch::TorchBuilder &b);
  void quantize(const Quantization &quantization, mlir::Operation *op,
                torch::TorchBuilder &b);

  std::optional<Quantized> dequantize(mlir::Operation *op);
  std::optional<Quantized> clamp(mlir::Operation *op);
  std::optional<Quantized> scale(mlir::Operation *op);
  std::optional<Quantized> view(mlir::Operation *op, torch::TorchBuilder &b);
  std::optional<Quantized> permute(mlir::Operation *op, torch::TorchBuilder &b);
  std::optional<Quantized> maxPool(mlir::Operation *op, torch::TorchBuilder &b);
  std::optional<Quantized> mean(mlir::Operation *op, torch::TorchBuilder &b);
  std::optional<Quantized> concat(mlir::Operation *op, torch::TorchBuilder &b);
  std::optional<Quantized> sum(mlir::Operation *op, torch::TorchBuilder &b);
  std::optional<Quantized> addKnown(const Quantized &x, mlir::Value known,
                                    mlir::Operation *op,
                                    torch::TorchBuilder &b);
  std::optional<Quantized> multiply(mlir::Operation *op,
                                    torch::TorchBuilder &b);
  std::optional<Quantized> convolve(mlir::Operation *op,
                                    torch::TorchBuilder &b);
  std::optional<Quantized> multiplyMatrices(mlir::Operation *op,
                                            torch::TorchBuilder &b);
  /// A bias in units of `scales`: an integer tensor, or none. Null if it is not
  /// known.
  mlir::Value bias(mlir::Value given, llvm::ArrayRef<double> scales,
                   torch::TorchBuilder &b);

  llvm::DenseMap<mlir::Value, Quantized> reals;
  /// For the results of ops that quantize, the same numbers as si8.
  llvm::DenseMap<mlir::Value, Quantized> bytes;
  llvm::SmallVector<mlir::Value> products;
};

} // namespace isthmus::quantized_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_ARITHMETIC_H
