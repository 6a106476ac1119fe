//===- Arrays.h - NumPy arrays as tensors and back ------------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_ARRAYS_H
#define ISTHMUS_PYTHON_NATIVE_ARRAYS_H

#include "isthmus/Api/Api.h"
#include <pybind11/numpy.h>

/// A NumPy array seen as a tensor, without a copy.
class ArrayView {
public:
  /// Throws std::invalid_argument if a tensor cannot have the dtype.
  ArrayView(const pybind11::array &array);

  operator isthmus::TensorView() const {
    return {array.data(), elementType, dims, strides};
  }

private:
  pybind11::array array;
  isthmus::ElementType elementType;
  llvm::SmallVector<int64_t, 4> dims, strides;
};

/// The name of an element type in NumPy or ml_dtypes; integers are signed.
const char *dtypeName(isthmus::ElementType type);

/// The NumPy name of an integer or float dtype of the torch dialect, such as
/// "si64".
std::string dtypeName(llvm::StringRef dtype);

/// An array over the tensor's memory; the array keeps the memory alive.
pybind11::array toArray(const isthmus::Tensor &tensor);

/// A copy of a kernel's input, because the kernel may keep the array but the
/// input's memory is valid only during the call.
pybind11::array copyOf(const isthmus_tensor &tensor);
/// Copies an array into a kernel's output. The array's sizes replace the
/// output's dynamic sizes. Returns an error message, or an empty string on
/// success. None is for an output that the program does not use.
std::string copyInto(isthmus_kernel_call &call, int32_t output,
                     const pybind11::object &value);

/// An array over the weight's memory, which `owner` keeps alive.
pybind11::array toArray(const isthmus::Weight &weight, pybind11::object owner);

#endif // ISTHMUS_PYTHON_NATIVE_ARRAYS_H
