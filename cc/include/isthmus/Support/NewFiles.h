//===- NewFiles.h - Replaces several files, all or none ---------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_NEWFILES_H
#define ISTHMUS_SUPPORT_NEWFILES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace isthmus {

/// Files that are all written before the first one moves to its path. Until
/// then they have no name, if the system supports that, and existing files do
/// not change. Files that are not kept are removed.
class NewFiles {
public:
  NewFiles() = default;
  NewFiles(const NewFiles &) = delete;
  ~NewFiles();

  /// Writes a file for `path` through its descriptor. Errors name the path.
  llvm::Error add(llvm::StringRef path,
                  llvm::function_ref<llvm::Error(int)> write);

  /// Moves all files to their paths, the last one last: its path has no file
  /// while the others are replaced. A file keeps the mode of the file that it
  /// replaces. If the system refuses one, all paths are restored. Also removes
  /// files that processes killed during a save left beside these paths.
  llvm::Error keep();

private:
  struct File {
    int descriptor; ///< -1 when closed.
    std::string path;
    std::string temporary; ///< Beside path; empty while the file is unnamed.
    int lock = -1;         ///< Locked while the process lives and needs it.
  };

  std::vector<File> files;
};

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_NEWFILES_H
