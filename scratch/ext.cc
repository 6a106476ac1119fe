#define EXT
#include "a.h"
#include <pybind11/pybind11.h>
PYBIND11_MODULE(ext, m) { m.def("run", &run); }
