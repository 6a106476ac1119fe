//===- Models.h - Programs before they are compiled -----------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_MODELS_H
#define ISTHMUS_PYTHON_NATIVE_MODELS_H

#include "Handles.h"
#include <pybind11/pybind11.h>

/// _native.Model.
struct Model {
  ModelHandle handle;
};

/// Adds the class and the functions that open models.
pybind11::class_<Model> bindModels(pybind11::module_ &module);

#endif // ISTHMUS_PYTHON_NATIVE_MODELS_H
