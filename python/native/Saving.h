//===- Saving.h - Files that are written ----------------------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_SAVING_H
#define ISTHMUS_PYTHON_NATIVE_SAVING_H

#include "Models.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

/// Writes a program. Returns the fields of isthmus.SavedWeights.
pybind11::dict save(const Model &model, const std::string &path,
                    const std::optional<std::string> &format,
                    const std::string &weights, bool inPlace, bool checksums,
                    const std::function<void(uint64_t, uint64_t)> &progress);

/// Replaces the file at `path` by calling `write(descriptor)`. If that raises
/// an exception, the old file stays.
void replaceFile(const std::string &path,
                 const std::function<void(int)> &write);

#endif // ISTHMUS_PYTHON_NATIVE_SAVING_H
