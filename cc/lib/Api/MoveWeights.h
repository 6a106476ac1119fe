//===- MoveWeights.h - Weights of a program as files ------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_API_MOVEWEIGHTS_H
#define ISTHMUS_LIB_API_MOVEWEIGHTS_H

#include "isthmus/Api/Api.h"
#include "isthmus/Support/NewFiles.h"

namespace isthmus {

/// Takes the values out of the globals of `module`, which is to be saved as
/// `path`: adds the files beside it that have them, or that say where they lie.
/// An error for what would be lost by that.
llvm::Expected<SavedWeights> moveWeights(mlir::ModuleOp module,
                                         llvm::StringRef path,
                                         const SaveOptions &options,
                                         NewFiles &files);

} // namespace isthmus

#endif // ISTHMUS_LIB_API_MOVEWEIGHTS_H
