//===- MoveWeights.h - Weights of a program as files ------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_API_MOVEWEIGHTS_H
#define ISTHMUS_LIB_API_MOVEWEIGHTS_H

#include "isthmus/Api/Api.h"
#include "isthmus/Support/NewFiles.h"

namespace isthmus {

/// Moves the values out of the globals of `module`, which will be saved as
/// `path`: adds files next to it that contain the values or their positions. An
/// error if that would lose data.
llvm::Expected<SavedWeights> moveWeights(mlir::ModuleOp module,
                                         llvm::StringRef path,
                                         const SaveOptions &options,
                                         NewFiles &files);

} // namespace isthmus

#endif // ISTHMUS_LIB_API_MOVEWEIGHTS_H
