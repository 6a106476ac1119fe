//===- ProgramForm.h - Weights of a program as globals or files -*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_PROGRAMFORM_H
#define ISTHMUS_CONVERSION_PROGRAMFORM_H

#include "isthmus/Weights/WeightFiles.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

namespace isthmus {

/// The attribute that marks a parameter as a weight and gives its name.
inline constexpr llvm::StringLiteral kWeight = "isthmus.weight";
/// The attribute of a torch literal that names the buffer whose first value it
/// is, if the program mutates that one.
inline constexpr llvm::StringLiteral kBuffer = "isthmus.buffer";

/// A value that was moved out of the program.
struct HoistedWeight {
  /// The resource's name, or "weight_N"; for a global, its symbol.
  std::string name;
  mlir::ElementsAttr value;

  /// The weight with its bytes, those of one element for a splat, which live as
  /// long as the value's context; nullopt for a resource without bytes.
  std::optional<WeightData> getData() const;
};

/// The types of the weights that a program has in files: extern globals, and
/// parameters that were constants.
llvm::SmallVector<mlir::Type> externWeights(mlir::ModuleOp module);

/// The bytes of all weight constants in `module` of `minBytes` or more. A
/// constant that occurs several times counts each time.
int64_t countWeightBytes(mlir::ModuleOp module, int64_t minBytes);
/// The bytes of the weights in files.
int64_t countExternBytes(mlir::ModuleOp module);

/// Replaces each tensor constant in `func` of `minBytes` or more with a new
/// last parameter, which has its name as the attribute `isthmus.weight`. Equal
/// constants share one. Works on constants of any dialect.
llvm::SmallVector<HoistedWeight> hoistWeights(mlir::func::FuncOp func,
                                              int64_t minBytes);

/// As hoistWeights, for the constants of floating-point or complex numbers that
/// the model names, of any size and also if all elements are equal, and for
/// buffers that the program mutates. A program keeps other integers and bools,
/// from which sizes and places may follow.
llvm::SmallVector<HoistedWeight> hoistNamedWeights(mlir::func::FuncOp func);

/// True for an immutable extern global, a constant whose value is in a file.
bool isExternConstant(mlir::ml_program::GlobalOp global);

/// Makes the values of immutable globals extern and returns them.
llvm::SmallVector<HoistedWeight> externalizeGlobals(mlir::ModuleOp module);

/// Gives immutable extern globals their values from `files`, by name, as
/// resources over the mapped files. An error at each global without a value of
/// its type.
mlir::LogicalResult inlineGlobals(mlir::ModuleOp module,
                                  std::shared_ptr<const WeightFiles> files);

} // namespace isthmus

#endif // ISTHMUS_CONVERSION_PROGRAMFORM_H
