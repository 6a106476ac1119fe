//===- ProgramForm.h - Where a program keeps its weights --------*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_PROGRAMFORM_H
#define ISTHMUS_CONVERSION_PROGRAMFORM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace isthmus {

/// A constant that became a parameter.
struct HoistedWeight {
  /// The resource's name, or "weight_N".
  std::string name;
  mlir::ElementsAttr value;
};

/// Replaces each tensor constant in `func` of `minBytes` or more by a new last
/// parameter, which carries its name as the attribute `isthmus.weight`. Equal
/// constants share one. Works on the constants of any dialect.
llvm::SmallVector<HoistedWeight> hoistWeights(mlir::func::FuncOp func,
                                              int64_t minBytes);

} // namespace isthmus

#endif // ISTHMUS_CONVERSION_PROGRAMFORM_H
