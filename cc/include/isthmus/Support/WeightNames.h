//===- WeightNames.h - Constants that a model names -------------*- C++ -*-===//
//
// The constant of a parameter, a buffer or an initializer keeps its name in its
// location, FusedLoc<"weight">(NameLoc(name, file)), while passes give it other
// forms. Constants that passes make have the locations of their nodes.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_SUPPORT_WEIGHTNAMES_H
#define ISTHMUS_SUPPORT_WEIGHTNAMES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

namespace isthmus {

/// The location of a weight of a model in `file`.
mlir::Location weightLocation(llvm::StringRef name, mlir::Location file);

/// The model's name of a constant, "encoder.norm.bias"; empty if it has none.
llvm::StringRef weightNameOf(mlir::Location constant);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_WEIGHTNAMES_H
