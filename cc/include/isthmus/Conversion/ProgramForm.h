//===- ProgramForm.h - Where a program keeps its weights --------*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_PROGRAMFORM_H
#define ISTHMUS_CONVERSION_PROGRAMFORM_H

#include "isthmus/Weights/WeightFiles.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

namespace isthmus {

/// The attribute of a parameter that is a weight: its name.
inline constexpr llvm::StringLiteral kWeight = "isthmus.weight";

/// A value that left the program.
struct HoistedWeight {
  /// The resource's name, or "weight_N"; for a global, its symbol.
  std::string name;
  mlir::ElementsAttr value;

  /// With its bytes, which live as long as the value's context; nothing for a
  /// resource without any.
  std::optional<WeightData> getData() const;
};

/// The types of the weights that a program has in files: of extern globals, and
/// of parameters that were constants.
llvm::SmallVector<mlir::Type> externWeights(mlir::ModuleOp module);

/// The bytes of all constants in `module` that are weights: of `minBytes` or
/// more, each counted wherever it stands.
int64_t countWeightBytes(mlir::ModuleOp module, int64_t minBytes);
/// The bytes of those in files.
int64_t countExternBytes(mlir::ModuleOp module);

/// Replaces each tensor constant in `func` of `minBytes` or more by a new last
/// parameter, which carries its name as the attribute `isthmus.weight`. Equal
/// constants share one. Works on the constants of any dialect.
llvm::SmallVector<HoistedWeight> hoistWeights(mlir::func::FuncOp func,
                                              int64_t minBytes);

/// True for a constant whose value is in a file: an immutable, extern global.
bool isExternConstant(mlir::ml_program::GlobalOp global);

/// Makes the values of immutable globals extern and returns them.
llvm::SmallVector<HoistedWeight> externalizeGlobals(mlir::ModuleOp module);

/// Gives immutable extern globals the values that `files` have of their names,
/// as resources over the mapped files. An error at each global for which there
/// is none of its type.
mlir::LogicalResult inlineGlobals(mlir::ModuleOp module,
                                  std::shared_ptr<const WeightFiles> files);

} // namespace isthmus

#endif // ISTHMUS_CONVERSION_PROGRAMFORM_H
