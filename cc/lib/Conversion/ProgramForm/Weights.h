//===- Weights.h - Selects the constants that are weights -------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_PROGRAMFORM_WEIGHTS_H
#define ISTHMUS_LIB_CONVERSION_PROGRAMFORM_WEIGHTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"

namespace isthmus {

/// A type as MLIR spells it.
std::string toText(mlir::Type type);

/// Whether files can hold a constant: elements of whole bytes, and no splat,
/// which is small already.
bool isWeight(mlir::ElementsAttr value);

/// Whether files can hold a weight of this name: JSON can represent it, and
/// safetensors does not reserve it.
bool isWeightName(llvm::StringRef name);

/// The constants within `root` that are weights of `minBytes` or more, by their
/// value. Equal elements give one entry.
llvm::MapVector<mlir::ElementsAttr, llvm::SmallVector<mlir::Operation *>>
findWeights(mlir::Operation *root, int64_t minBytes);

/// The constants of one name and value.
struct NamedWeight {
  mlir::ElementsAttr value;
  llvm::SmallVector<mlir::Operation *> ops;
};

/// The constants within `root` that hoistNamedWeights turns into parameters, by
/// their names, in order. The first value of a name counts.
llvm::MapVector<llvm::StringRef, NamedWeight>
findNamedWeights(mlir::Operation *root);

/// The value of a constant as a builtin tensor; in the torch dialect its
/// integers have a sign.
mlir::ElementsAttr toBuiltinValue(mlir::ElementsAttr value,
                                  mlir::Operation *constant);

/// The functions whose weights may become parameters: those that users run, and
/// that no call in the module refers to, as it would lack the new arguments.
llvm::SmallVector<mlir::func::FuncOp>
functionsForParameters(mlir::ModuleOp module);

/// Maps each weight among `values` to the earlier one with the same type and
/// elements, if there is one.
llvm::DenseMap<mlir::ElementsAttr, mlir::ElementsAttr>
findEqual(llvm::ArrayRef<mlir::ElementsAttr> values);

/// The name of a weight: that of its resource, the model's, or "weight_N" with
/// `number`. The name may not be unique.
std::string nameOfWeight(mlir::ElementsAttr value, mlir::Operation *constant,
                         size_t number);

} // namespace isthmus

#endif // ISTHMUS_LIB_CONVERSION_PROGRAMFORM_WEIGHTS_H
