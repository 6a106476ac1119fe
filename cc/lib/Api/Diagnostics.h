//===- Diagnostics.h - MLIR diagnostics as ModelErrors --------------------===//

#ifndef ISTHMUS_LIB_API_DIAGNOSTICS_H
#define ISTHMUS_LIB_API_DIAGNOSTICS_H

#include "isthmus/Api/Api.h"
#include "mlir/IR/Diagnostics.h"

namespace isthmus {

/// An error with one finding.
llvm::Error failed(ModelError::Kind kind, const llvm::Twine &message);

/// Collects the errors of a context while it lives, with their notes, and the
/// warnings if there is a place for them; ignores remarks.
class Diagnostics {
public:
  explicit Diagnostics(mlir::MLIRContext *context,
                       std::vector<std::string> *warnings = nullptr);

  /// The errors so far, or `otherwise` if something failed without one.
  llvm::Error take(ModelError::Kind kind, llvm::StringRef otherwise);

private:
  std::vector<std::string> messages;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace isthmus

#endif // ISTHMUS_LIB_API_DIAGNOSTICS_H
