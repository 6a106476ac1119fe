//===- Text.h - Text and JSON that the C library writes -------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_TEXT_H
#define ISTHMUS_PYTHON_NATIVE_TEXT_H

#include "Errors.h"
#include <functional>

/// Returns what `call` writes: it passes its arguments to a function of
/// isthmus.h that takes an isthmus_write.
///   written([&](auto... to) { return isthmus_write_coverage(to...); })
std::string written(const std::function<isthmus_error *(isthmus_write write,
                                                        void *context)> &call);

/// JSON as Python objects. Text may have any bytes.
Object fromJson(const std::string &json);

#endif // ISTHMUS_PYTHON_NATIVE_TEXT_H
