//===- Arrays.h - NumPy arrays as tensors and back ------------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_ARRAYS_H
#define ISTHMUS_PYTHON_NATIVE_ARRAYS_H

#include "isthmus/Api/Api.h"
#include <pybind11/numpy.h>

/// A NumPy array seen as a tensor, without a copy.
class ArrayView {
public:
  /// Throws std::invalid_argument if the dtype is none that a tensor may have.
  ArrayView(const pybind11::array &array);

  operator isthmus::TensorView() const {
    return {array.data(), elementType, dims, strides};
  }

private:
  pybind11::array array;
  isthmus::ElementType elementType;
  llvm::SmallVector<int64_t, 4> dims, strides;
};

/// What NumPy, or ml_dtypes for it, calls an element type; integers are signed.
const char *dtypeName(isthmus::ElementType type);

/// What NumPy calls an integer or float dtype of the torch dialect: "si64".
std::string dtypeName(llvm::StringRef dtype);

/// An array over the tensor's memory, which lives for as long as the array.
pybind11::array toArray(const isthmus::Tensor &tensor);

/// An input of a kernel, which may keep it: its memory is the program's no
/// longer than the call.
pybind11::array copyOf(const isthmus_tensor &tensor);
/// Gives a kernel's output an array's sizes, as far as they were open, and
/// elements; returns what is wrong with it, or nothing. None is nobody's.
std::string copyInto(isthmus_kernel_call &call, int32_t output,
                     const pybind11::object &value);

/// An array over the weight's memory, which `owner` keeps.
pybind11::array toArray(const isthmus::Weight &weight, pybind11::object owner);

#endif // ISTHMUS_PYTHON_NATIVE_ARRAYS_H
