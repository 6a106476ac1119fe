//===- NumPy.h - Arrays of NumPy --------------------------------*- C++ -*-===//
//
// NumPy is loaded with the first array.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_NUMPY_H
#define ISTHMUS_PYTHON_NATIVE_NUMPY_H

#include "Objects.h"
#include <memory>

/// A numpy.ndarray, with the fields that NumPy's own headers read in place.
class Array : public Object {
public:
  /// Throws Raised if it is none.
  Array(Object object);

  void *data() const { return fields()->data; }
  int rank() const { return fields()->rank; }
  const int64_t *dims() const { return fields()->dims; }
  int64_t dim(int i) const { return fields()->dims[i]; }
  /// In bytes.
  int64_t stride(int i) const { return fields()->strides[i]; }
  int64_t count() const;
  Object dtype() const { return borrowed(fields()->dtype); }

private:
  /// The begin of PyArrayObject_fields, in NumPy 1 and 2.
  struct Fields {
    PyObject_HEAD void *data;
    int rank;
    int64_t *dims, *strides;
    PyObject *base, *dtype;
  };
  const Fields *fields() const {
    return reinterpret_cast<const Fields *>(get());
  }
};

/// The kind of a numpy.dtype: 'f' of float32.
char kindOf(const Object &dtype);

/// Whether its bytes have the machine's order.
bool isNative(const Object &dtype);

struct Layout {
  void *data;
  const int64_t *dims;
  int rank;
  /// In bytes; null if the array is row-major.
  const int64_t *strides = nullptr;
};

/// An array over memory that `owner` keeps alive; without an owner, the caller
/// does so.
Object arrayOver(const Layout &layout, const Object &dtype, int64_t itemSize,
                 std::shared_ptr<void> owner, bool isReadOnly = false);

#endif // ISTHMUS_PYTHON_NATIVE_NUMPY_H
