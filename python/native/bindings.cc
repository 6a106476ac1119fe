//===- bindings.cc - The extension module isthmus._native -----------------===//
//
// One call per function: checks, defaults and documentation live in
// python/isthmus.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Support/Parts.h"
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;

PYBIND11_MODULE(_native, module) {
  module.attr("version") = ISTHMUS_VERSION;

  module.def("parts", [] {
    auto parts = isthmus::parts();
    return std::vector<std::string>(parts.begin(), parts.end());
  });
}
