//===- Weights.h - Which constants are weights ------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_PROGRAMFORM_WEIGHTS_H
#define ISTHMUS_LIB_CONVERSION_PROGRAMFORM_WEIGHTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace isthmus {

/// A type as MLIR spells it.
std::string toText(mlir::Type type);

/// Whether files can hold a constant: elements of whole bytes, and no splat,
/// which costs nothing where it is.
bool isWeight(mlir::ElementsAttr value);

/// Whether files can hold a weight of this name: JSON has it, and safetensors
/// means nothing else by it.
bool isWeightName(llvm::StringRef name);

/// The constants within `root` that are weights of `minBytes` or more, by their
/// value. Those of the same elements are one.
llvm::MapVector<mlir::ElementsAttr, llvm::SmallVector<mlir::Operation *>>
findWeights(mlir::Operation *root, int64_t minBytes);

/// The value of a constant as a builtin tensor, which in the torch dialect has
/// integers with a sign.
mlir::ElementsAttr toBuiltinValue(mlir::ElementsAttr value,
                                  mlir::Operation *constant);

/// Whether weights may become parameters of a function of `module`: it is one
/// that users run, and no call in the module would lack them.
bool canTakeParameters(mlir::FunctionOpInterface func, mlir::ModuleOp module);

/// The weights among `values` that have the same type and elements as an
/// earlier one of them, and which that is.
llvm::DenseMap<mlir::ElementsAttr, mlir::ElementsAttr>
findEqual(llvm::ArrayRef<mlir::ElementsAttr> values);

/// What to call a weight: its resource's name, or "weight_N" with `number`.
/// Another one may have the same.
std::string nameOfWeight(mlir::ElementsAttr value, size_t number);

} // namespace isthmus

#endif // ISTHMUS_LIB_CONVERSION_PROGRAMFORM_WEIGHTS_H
