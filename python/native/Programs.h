//===- Programs.h - Programs as native code -------------------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_PROGRAMS_H
#define ISTHMUS_PYTHON_NATIVE_PROGRAMS_H

#include "Models.h"

/// Adds the class, and the method of models that compiles.
void bindPrograms(pybind11::module_ &module, pybind11::class_<Model> &model);

#endif // ISTHMUS_PYTHON_NATIVE_PROGRAMS_H
