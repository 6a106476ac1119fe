//===- Tables.h - Elementwise functions of bytes ----------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_TABLES_H
#define ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_TABLES_H

#include "Quantized.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <functional>

namespace isthmus::quantized_to_tosa {

/// Reals that are a function of si8 numbers, element by element: the value for
/// each number from -128 on.
struct Table {
  mlir::Value numbers;
  std::array<double, 256> reals;
};

/// The reals of bytes with one scale.
Table tabulate(const Quantized &x);

/// The results of elementwise ops on bytes, such as a sigmoid, as tables.
class Tables {
public:
  /// Computes the table of an op's result, if it has one. `bytesOf` gives the
  /// integers of operands, or null.
  void visit(mlir::Operation *op,
             llvm::function_ref<const Quantized *(mlir::Value)> bytesOf);

  const Table *find(mlir::Value real) const;

private:
  using TableOf = llvm::function_ref<std::optional<Table>(mlir::Value)>;
  static std::optional<Table> ofUnary(mlir::Operation *op, TableOf tableOf);
  static std::optional<Table> ofBinary(mlir::Operation *op, TableOf tableOf);

  llvm::DenseMap<mlir::Value, std::unique_ptr<Table>> tables;
};

/// The table's reals in a format as si8; halves round to even. Nullopt if one
/// of them is NaN.
std::optional<std::array<int8_t, 256>> quantized(const Table &table,
                                                 const Format &format);

} // namespace isthmus::quantized_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_TABLES_H
