//===- Saving.h - Files that are written ----------------------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_SAVING_H
#define ISTHMUS_PYTHON_NATIVE_SAVING_H

#include "Models.h"
#include <optional>

/// Writes a program, and calls `progress(done, total)` unless it is None.
/// Returns the fields of isthmus.SavedWeights.
Object save(const Model &model, const std::string &path,
            const std::optional<std::string> &format,
            const std::string &weights, bool inPlace, bool checksums,
            const Object &progress);

/// Replaces the file at `path` by calling `write(descriptor)`. If that raises
/// an exception, the old file stays.
void replaceFile(const std::string &path, const Object &write);

#endif // ISTHMUS_PYTHON_NATIVE_SAVING_H
