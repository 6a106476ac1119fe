//===- Text.cc - Text and JSON that the C library writes ------------------===//

#include "Text.h"

/// Adds the next bytes to a string. Refuses them without memory.
static int append(void *text, const void *data, size_t size) {
  try {
    static_cast<std::string *>(text)->append(static_cast<const char *>(data),
                                             size);
    return 0;
  } catch (const std::bad_alloc &) {
    return 1;
  }
}

std::string written(const std::function<isthmus_error *(isthmus_write write,
                                                        void *context)> &call) {
  std::string text;
  isthmus_error *error = unlocked([&] { return call(append, &text); });
  if (isthmus_error_kind_of(error) == ISTHMUS_STOPPED) {
    isthmus_error_free(error);
    throw std::bad_alloc();
  }
  check(error);
  return text;
}

Object fromJson(const std::string &json) {
  return importModule("json").attr("loads")(textOf(json));
}
