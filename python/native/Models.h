//===- Models.h - Programs before they are compiled -----------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_MODELS_H
#define ISTHMUS_PYTHON_NATIVE_MODELS_H

#include "Handles.h"
#include "Objects.h"

/// _native.Model.
struct Model {
  ModelHandle handle;
};

/// Adds the class and the functions that open models.
void bindModels(PyObject *module);

#endif // ISTHMUS_PYTHON_NATIVE_MODELS_H
