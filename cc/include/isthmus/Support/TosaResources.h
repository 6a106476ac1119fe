//===- TosaResources.h - Constants that MLIR cannot fold --------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_TOSARESOURCES_H
#define ISTHMUS_SUPPORT_TOSARESOURCES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace isthmus {

/// MLIR folds a tosa.slice to one element, a tosa.cast of one and reductions of
/// integers whatever kind of attribute the constant is, and ends the process if
/// it is a dense_resource, whose elements have no iterators. This puts ops that
/// are no constants in the place of those that such folds might come to read.
void hideTosaResources(mlir::Operation *root);

/// Puts constants back, as `create` makes them of their elements.
void showTosaResources(
    mlir::Operation *root,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location,
                                   mlir::DenseResourceElementsAttr)>
        create);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_TOSARESOURCES_H
