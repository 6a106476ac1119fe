//===- Arrays.h - NumPy arrays as tensors and back ------------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_ARRAYS_H
#define ISTHMUS_PYTHON_NATIVE_ARRAYS_H

#include "NumPy.h"
#include "isthmus.h"
#include <memory>

/// A NumPy array seen as a tensor, without a copy.
class ArrayView {
public:
  /// Throws std::invalid_argument if a tensor cannot have the dtype.
  ArrayView(const Object &array);

  /// The tensor for a call that only reads, while this view lives.
  operator isthmus_tensor() const;

private:
  Array array;
  int32_t elementType;
  std::vector<int64_t> dims, strides;
};

/// The name of an isthmus_element_type in NumPy or ml_dtypes; integers are
/// signed.
const char *dtypeName(int32_t elementType);

/// The NumPy name of an integer or float dtype of the torch dialect, such as
/// "si64".
std::string dtypeName(std::string_view dtype);

/// An array over the memory of a result; the array keeps that alive.
Object toArray(const isthmus_results &results, size_t index);

/// A copy of a kernel's input, because the kernel may keep the array but the
/// input's memory is valid only during the call.
Object copyOf(const isthmus_tensor &tensor);
/// Copies an array into a kernel's output. The array's sizes replace the
/// output's dynamic sizes. Returns an error message, or an empty string on
/// success. None is for an output that the program does not use.
std::string copyInto(isthmus_kernel_call &call, int32_t output,
                     const Object &value);

/// An array over the memory of a weight; the array keeps all weights alive.
Object toArray(const std::shared_ptr<isthmus_weights> &weights, size_t index);

#endif // ISTHMUS_PYTHON_NATIVE_ARRAYS_H
