//===- bindings.cc - The extension module isthmus._native -----------------===//
//
// Python's view of isthmus.h, one call per function: checks, defaults and
// documentation live in python/isthmus, and all else in the C library.
//
//===----------------------------------------------------------------------===//

#include "Errors.h"
#include "Limits.h"
#include "Programs.h"
#include "Saving.h"
#include "Text.h"
#include <pybind11/functional.h>
#include <pybind11/stl.h>

namespace py = pybind11;

/// The names that a pair of functions lists.
static std::vector<std::string> names(size_t (*count)(),
                                      const char *(*name)(size_t)) {
  std::vector<std::string> names;
  for (size_t i = 0; i < count(); ++i)
    names.push_back(name(i));
  return names;
}

PYBIND11_MODULE(_native, module) {
  registerErrors();
  module.attr("version") = isthmus_version();
  module.def("parts",
             [] { return names(isthmus_part_count, isthmus_part_name); });
  module.def("available_targets",
             [] { return names(isthmus_target_count, isthmus_target_name); });
  module.def("coverage", [] { return written(isthmus_write_coverage); });
  module.def("operator_aliases",
             [] { return fromJson(written(isthmus_write_operator_aliases)); });
  py::class_<Model> model = bindModels(module);
  bindPrograms(module, model);
  module.def("write_file", &replaceFile);
  module.def("exit_after", &exitAfter);
  module.def("exit_without_memory", &exitWithoutMemory);
  module.def("exit_without_file", &exitWithoutFile);
}
