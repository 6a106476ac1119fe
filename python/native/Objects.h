//===- Objects.h - Objects of Python ----------------------------*- C++ -*-===//
//
// The limited API alone, so that one module serves every later Python.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_OBJECTS_H
#define ISTHMUS_PYTHON_NATIVE_OBJECTS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// A reference, or none. The thread has the interpreter's lock.
class Object {
public:
  Object() = default;
  Object(const Object &other) : object(Py_XNewRef(other.object)) {}
  Object(Object &&other) noexcept
      : object(std::exchange(other.object, nullptr)) {}
  Object &operator=(Object other) noexcept {
    std::swap(object, other.object);
    return *this;
  }
  ~Object() { Py_XDECREF(object); }

  static Object borrowed(PyObject *object) {
    return Object(Py_XNewRef(object));
  }
  /// Takes a new reference; throws Raised for a null one.
  static Object made(PyObject *object);
  /// The same without an error in its place.
  static Object taken(PyObject *object) { return Object(object); }

  PyObject *get() const { return object; }
  PyObject *release() { return std::exchange(object, nullptr); }
  explicit operator bool() const { return object != nullptr; }
  bool isNone() const { return object == Py_None; }

  Object attr(const char *name) const {
    return made(PyObject_GetAttrString(object, name));
  }
  template <typename... Arguments>
  Object operator()(const Arguments &...arguments) const {
    return made(
        PyObject_CallFunctionObjArgs(object, arguments.get()..., nullptr));
  }

private:
  explicit Object(PyObject *object) : object(object) {}

  PyObject *object = nullptr;
};

/// An exception of Python, taken from the thread.
struct Raised {
  Raised() { PyErr_Fetch(&type, &value, &trace); }
  Raised(const Raised &other)
      : type(Py_XNewRef(other.type)), value(Py_XNewRef(other.value)),
        trace(Py_XNewRef(other.trace)) {}
  ~Raised();

  bool matches(PyObject *wanted) const {
    return PyErr_GivenExceptionMatches(type, wanted) != 0;
  }
  /// Gives it back to the thread.
  void restore() const;
  /// What str() makes of it.
  std::string message() const;
  /// Its type, its message, and the lines of Python that it came through.
  std::string description() const;

private:
  mutable PyObject *type, *value, *trace;
};

[[noreturn]] void raiseTypeError(const std::string &message);

Object importModule(const char *name);

//===----------------------------------------------------------------------===//
// From Python
//===----------------------------------------------------------------------===//

/// The value of an argument. Throws Raised, or std::invalid_argument.
template <typename T>
T fromPython(PyObject *object);

template <>
bool fromPython(PyObject *object);
template <>
double fromPython(PyObject *object);
template <>
int64_t fromPython(PyObject *object);
template <>
uint64_t fromPython(PyObject *object);
/// A str as UTF-8, or bytes.
template <>
std::string fromPython(PyObject *object);
/// The items of an iterable.
template <>
std::vector<Object> fromPython(PyObject *object);

/// The name of an object's type, for messages.
std::string typeName(PyObject *object);

/// Calls `each(key, value)` for the items of a dict.
template <typename Each>
void forEach(const Object &dict, Each each) {
  PyObject *key, *value;
  for (Py_ssize_t at = 0; PyDict_Next(dict.get(), &at, &key, &value);)
    each(key, value);
}

//===----------------------------------------------------------------------===//
// To Python
//===----------------------------------------------------------------------===//

/// Text from a file or a model, which may hold any bytes. Decodes it as Python
/// decodes file names.
Object textOf(std::string_view text);
Object bytesOf(std::string_view bytes);
Object listOf(const std::vector<Object> &items);

inline Object toPython(Object object) { return object; }
Object toPython(const std::string &text);
template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
Object toPython(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return Object::borrowed(value ? Py_True : Py_False);
  else if constexpr (std::is_signed_v<T>)
    return Object::made(PyLong_FromLongLong(value));
  else
    return Object::made(PyLong_FromUnsignedLongLong(value));
}

template <typename... Items>
Object tupleOf(const Items &...items) {
  return Object::made(PyTuple_Pack(sizeof...(Items), toPython(items).get()...));
}

void setItem(const Object &dict, const Object &key, const Object &value);

#endif // ISTHMUS_PYTHON_NATIVE_OBJECTS_H
