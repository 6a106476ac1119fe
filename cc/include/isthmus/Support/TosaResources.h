//===- TosaResources.h - Constants that MLIR cannot fold --------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_TOSARESOURCES_H
#define ISTHMUS_SUPPORT_TOSARESOURCES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace isthmus {

/// MLIR folds a tosa.slice to one element, a tosa.cast of one element and
/// integer reductions for any kind of constant attribute. It ends the process
/// if the attribute is a dense_resource, whose elements have no iterators. This
/// replaces the constants that such folds might read with non-constant ops.
void hideTosaResources(mlir::Operation *root);

/// Restores the constants; `create` builds each from its elements.
void showTosaResources(
    mlir::Operation *root,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location,
                                   mlir::DenseResourceElementsAttr)>
        create);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_TOSARESOURCES_H
