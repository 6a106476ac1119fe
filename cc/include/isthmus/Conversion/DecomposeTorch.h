//===- DecomposeTorch.h - The torch ops that are decomposed -----*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_DECOMPOSETORCH_H
#define ISTHMUS_CONVERSION_DECOMPOSETORCH_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace isthmus {

/// Full names of the ops that have a decomposition ("torch.aten.relu"), sorted.
llvm::SmallVector<llvm::StringRef> decomposedTorchOps();

} // namespace isthmus

#endif // ISTHMUS_CONVERSION_DECOMPOSETORCH_H
