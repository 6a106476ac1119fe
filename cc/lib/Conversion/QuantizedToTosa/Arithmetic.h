//===- Arithmetic.h - Layers on quantized numbers ---------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_ARITHMETIC_H
#define ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_ARITHMETIC_H

#include "KnownNumbers.h"
#include "Quantized.h"
#include "Tables.h"
#include "llvm/ADT/DenseMap.h"

namespace isthmus::quantized_to_tosa {

/// Reads the ops of a program in order, and builds beside each op on quantized
/// numbers one on integers.
class Arithmetic {
public:
  /// Builds the integers of an op's result, if it is quantized or its operands
  /// are. Replaces the result of an op that quantizes, and unsigned factors of
  /// products of integers.
  void visit(mlir::Operation *op);

  /// Whether a program with the op may have quantized layers.
  static bool mayBeQuantized(mlir::Operation *op);

  /// Computes the float results of products (convolutions, linear layers,
  /// matrix products) from their integers. They are dead where all uses are
  /// quantized.
  void replaceProducts();

private:
  using Builder = torch::TorchBuilder;
  using Result = std::optional<Quantized>;

  /// The integers that stand for `real`; null if none are known.
  const Quantized *find(mlir::Value real) const;
  const Quantized *findOperand(mlir::Operation *op, unsigned index) const {
    return find(op->getOperand(index));
  }

  Result compute(mlir::Operation *op, Builder &b);
  void quantize(const Quantization &quantization, mlir::Operation *op,
                Builder &b);

  // One op each; nullopt if it is not known how.
  Result dequantize(mlir::Operation *op, Builder &b);
  Result clamp(mlir::Operation *op);
  Result scale(mlir::Operation *op);
  Result view(mlir::Operation *op, Builder &b);
  Result permute(mlir::Operation *op, Builder &b);
  Result maxPool(mlir::Operation *op, Builder &b);
  Result concat(mlir::Operation *op, Builder &b);
  Result mean(mlir::Operation *op, Builder &b);
  Result sum(mlir::Operation *op, Builder &b);
  /// x plus `sign` times known numbers.
  Result addKnown(const Quantized &x, mlir::Value known, double sign,
                  mlir::Operation *op, Builder &b);
  Result multiply(mlir::Operation *op, Builder &b);
  void convolve(mlir::Operation *op, Builder &b);
  void multiplyMatrices(mlir::Operation *op, Builder &b);

  /// TOSA multiplies signed bytes.
  void signFactors(mlir::Operation *op);
  mlir::Value signedNumbers(mlir::Value numbers, Builder &b);

  /// `x` in a format, see requantize.
  Result requantized(const Quantized &x, const Format &format, Builder &b);
  /// `x` with one scale. With more, it is quantized as the result of `op`, a
  /// view or a maximum, is: that is the same before and after.
  Result oneScale(const Quantized &x, mlir::Operation *op, Builder &b);

  /// The known numbers of a bias for so many channels.
  std::optional<KnownNumbers> readBias(mlir::Value bias, int64_t channels);
  /// A bias in whole units of a product, whose result is `real`; nullopt if it
  /// is not known, or units are too coarse.
  struct Bias {
    mlir::Value units;
    double bound; // the largest magnitude
  };
  std::optional<Bias> biasInUnits(mlir::Value bias, mlir::Value real,
                                  const Quantized &product, Builder &b);
  /// The op on the integers of x, with one scale, and w; the scales of w are
  /// along dim `axis` of the result.
  void multiplyFactors(mlir::Operation *op, const Quantized &x,
                       const Quantized &w, int64_t axis, Builder &b);
  /// Builds the op on integers. A bias, operand 2, that has no units is left to
  /// replaceProducts.
  void addProduct(mlir::Operation *op, Quantized product, Builder &b);

  /// Takes as many numbers of channels from what a program may have in all;
  /// false if there are not enough left.
  bool spend(size_t channels);

  llvm::DenseMap<mlir::Value, Quantized> reals;
  Tables tables; // of other results
  /// The same numbers as si8, for tensors of quantized numbers.
  llvm::DenseMap<mlir::Value, mlir::Value> bytes;

  struct Product {
    mlir::Operation *op;
    Quantized integers;
    mlir::Value bias; // to be added to the reals; may be null
  };
  llvm::SmallVector<Product> products;
  size_t channelsLeft = 1 << 25;
};

} // namespace isthmus::quantized_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_ARITHMETIC_H
