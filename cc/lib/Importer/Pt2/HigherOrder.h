//===- HigherOrder.h - Shared by nodes that call graphs ---------*- C++ -*-===//

#ifndef ISTHMUS_LIB_IMPORTER_PT2_HIGHERORDER_H
#define ISTHMUS_LIB_IMPORTER_PT2_HIGHERORDER_H

#include "Graph.h"

namespace isthmus::pt2 {

using Ids = llvm::SmallVector<Values::Id>;

/// The outputs of a node, with lists flattened.
llvm::SmallVector<const schema::Argument *>
flatten(llvm::ArrayRef<schema::Argument> outputs);

/// Fails unless a node has as many outputs as its graph has results.
mlir::LogicalResult
checkOutputs(llvm::ArrayRef<const schema::Argument *> outputs, size_t results,
             const Subject &subject);

/// Casts values to types with more or fewer static sizes; fails if no tensor
/// can have both types.
mlir::LogicalResult castTo(torch::TorchBuilder &b, mlir::TypeRange types,
                           llvm::MutableArrayRef<mlir::Value> values,
                           const Subject &subject);

} // namespace isthmus::pt2

#endif // ISTHMUS_LIB_IMPORTER_PT2_HIGHERORDER_H
