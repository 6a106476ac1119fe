//===- HigherOrder.h - What nodes that call graphs share --------*- C++ -*-===//

#ifndef ISTHMUS_LIB_IMPORTER_PT2_HIGHERORDER_H
#define ISTHMUS_LIB_IMPORTER_PT2_HIGHERORDER_H

#include "Graph.h"

namespace isthmus::pt2 {

using Ids = llvm::SmallVector<Values::Id>;

/// The outputs of a node with lists taken apart.
llvm::SmallVector<const schema::Argument *>
flatten(llvm::ArrayRef<schema::Argument> outputs);

/// Fails unless a node has as many outputs as its graph has results.
mlir::LogicalResult
checkOutputs(llvm::ArrayRef<const schema::Argument *> outputs, size_t results,
             const Subject &subject);

/// Makes values ones of types that know more or fewer sizes; fails where no
/// tensor can be of both types.
mlir::LogicalResult castTo(torch::TorchBuilder &b, mlir::TypeRange types,
                           llvm::MutableArrayRef<mlir::Value> values,
                           const Subject &subject);

} // namespace isthmus::pt2

#endif // ISTHMUS_LIB_IMPORTER_PT2_HIGHERORDER_H
