//===- Handles.h - Objects of the C library that free themselves ----------===//

#ifndef ISTHMUS_PYTHON_NATIVE_HANDLES_H
#define ISTHMUS_PYTHON_NATIVE_HANDLES_H

#include "isthmus.h"
#include <memory>

template <auto Free>
struct Freeing {
  template <typename T>
  void operator()(T *object) const {
    Free(object);
  }
};

template <typename T, auto Free>
using Handle = std::unique_ptr<T, Freeing<Free>>;

using CustomOpsHandle = Handle<isthmus_custom_ops, isthmus_custom_ops_free>;
using ErrorHandle = Handle<isthmus_error, isthmus_error_free>;
using ExecutableHandle = Handle<isthmus_executable, isthmus_executable_free>;
using JitOptionsHandle = Handle<isthmus_jit_options, isthmus_jit_options_free>;
using ModelHandle = Handle<isthmus_model, isthmus_model_free>;
using OpenInputsHandle = Handle<isthmus_open_inputs, isthmus_open_inputs_free>;
using OptionsHandle = Handle<isthmus_options, isthmus_options_free>;
using RecordsHandle = Handle<isthmus_records, isthmus_records_free>;
using ResultsHandle = Handle<isthmus_results, isthmus_results_free>;
using SaveOptionsHandle =
    Handle<isthmus_save_options, isthmus_save_options_free>;
using SavedHandle = Handle<isthmus_saved, isthmus_saved_free>;
using WeightsHandle = Handle<isthmus_weights, isthmus_weights_free>;

#endif // ISTHMUS_PYTHON_NATIVE_HANDLES_H
