//===- NumPy.cc - Arrays of NumPy -----------------------------------------===//

#include "NumPy.h"
#include "Bind.h"

namespace {

/// The begin of PyArray_Descr, in NumPy 1 and 2.
struct DtypeFields {
  PyObject_HEAD PyTypeObject *type;
  char kind, character, byteOrder;
};

/// Memory that Python objects may share.
struct Memory {
  void *data;
  int64_t size;
  bool isReadOnly;
  std::shared_ptr<void> owner;
};

} // namespace

static const DtypeFields &fieldsOf(const Object &dtype) {
  return *reinterpret_cast<const DtypeFields *>(dtype.get());
}

char kindOf(const Object &dtype) { return fieldsOf(dtype).kind; }

bool isNative(const Object &dtype) { return fieldsOf(dtype).byteOrder != '>'; }

/// numpy.ndarray.
static const Object &arrayType() {
  static auto *type = new Object(importModule("numpy").attr("ndarray"));
  return *type;
}

Array::Array(Object object) : Object(std::move(object)) {
  auto *type = reinterpret_cast<PyTypeObject *>(arrayType().get());
  if (!PyObject_TypeCheck(get(), type))
    raiseTypeError("expected an array of NumPy, got " + typeName(get()));
}

int64_t Array::count() const {
  int64_t count = 1;
  for (int i = 0; i < rank(); ++i)
    count *= dim(i);
  return count;
}

static int share(PyObject *object, Py_buffer *view, int flags) {
  const Memory &memory = *reinterpret_cast<Instance<Memory> *>(object)->value;
  return PyBuffer_FillInfo(view, object, memory.data, memory.size,
                           memory.isReadOnly, flags);
}

static Object tuple(const int64_t *values, int count) {
  Object tuple = Object::made(PyTuple_New(count));
  for (int i = 0; i < count; ++i)
    PyTuple_SetItem(tuple.get(), i, toPython(values[i]).release());
  return tuple;
}

Object arrayOver(const Layout &layout, const Object &dtype, int64_t itemSize,
                 std::shared_ptr<void> owner, bool isReadOnly) {
  if (!classOf<Memory>)
    makeClass<Memory>("Memory", {Py_bf_getbuffer, (void *)share});
  // The bytes between the first element in memory and the last.
  int64_t before = 0, size = itemSize;
  for (int i = layout.rank - 1; i >= 0; --i) {
    int64_t dim = layout.dims[i];
    if (dim == 0) {
      before = size = 0;
      break;
    }
    if (!layout.strides) {
      size *= dim;
      continue;
    }
    int64_t reach = layout.strides[i] * (dim - 1);
    before -= std::min(reach, int64_t(0));
    size += std::abs(reach);
  }
  static char nothing;
  auto *data = layout.data ? static_cast<char *>(layout.data) : &nothing;
  Object memory =
      instanceOf(Memory{data - before, size, isReadOnly, std::move(owner)});
  Object dims = tuple(layout.dims, layout.rank);
  if (!layout.strides)
    return arrayType()(dims, dtype, memory);
  return arrayType()(dims, dtype, memory, toPython(before),
                     tuple(layout.strides, layout.rank));
}
