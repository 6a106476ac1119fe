//===- NewFiles.h - Files that replace others, all or none ------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_NEWFILES_H
#define ISTHMUS_SUPPORT_NEWFILES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace isthmus {

/// Files that are written whole before the first of them is at its path. Until
/// then they have no name where the system can do that, and what was there is
/// as it was; what is not kept goes.
class NewFiles {
public:
  NewFiles() = default;
  NewFiles(const NewFiles &) = delete;
  ~NewFiles();

  /// Writes a file for `path`, by its descriptor. Errors name the path.
  llvm::Error add(llvm::StringRef path,
                  llvm::function_ref<llvm::Error(int)> write);

  /// Puts all files at their paths, the last one as the last: while others are
  /// replaced, its path has nothing. One that replaces another has its mode. If
  /// the system refuses one, all paths are as they were. What processes that
  /// ended in between have left beside these paths goes.
  llvm::Error keep();

private:
  struct File {
    int descriptor; ///< -1 when it has been closed.
    std::string path;
    std::string temporary; ///< Beside path; empty while it has no name.
    int lock = -1; ///< Locked as long as the process lives and needs it.
  };

  std::vector<File> files;
};

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_NEWFILES_H
