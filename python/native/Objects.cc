//===- Objects.cc - Objects of Python -------------------------------------===//

#include "Objects.h"

Object Object::made(PyObject *object) {
  if (!object)
    throw Raised();
  return Object(object);
}

//===----------------------------------------------------------------------===//
// Exceptions
//===----------------------------------------------------------------------===//

Raised::~Raised() {
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
}

void Raised::restore() const {
  PyErr_Restore(std::exchange(type, nullptr), std::exchange(value, nullptr),
                std::exchange(trace, nullptr));
}

std::string Raised::message() const {
  PyErr_NormalizeException(&type, &value, &trace);
  Object text = Object::taken(PyObject_Str(value));
  const char *message =
      text ? PyUnicode_AsUTF8AndSize(text.get(), nullptr) : nullptr;
  PyErr_Clear();
  return message ? message : "";
}

std::string Raised::description() const {
  std::string text = message();
  text = typeName(value) + (text.empty() ? "" : ": " + text);
  const char *before = "\n\nAt:\n";
  try {
    auto next = Object::borrowed(trace);
    for (; next && !next.isNone(); next = next.attr("tb_next")) {
      Object code = next.attr("tb_frame").attr("f_code");
      text +=
          before +
          ("  " + fromPython<std::string>(code.attr("co_filename").get())) +
          "(" +
          std::to_string(fromPython<int64_t>(next.attr("tb_lineno").get())) +
          "): " + fromPython<std::string>(code.attr("co_name").get());
      before = "\n";
    }
  } catch (const Raised &) {
    // A name that is not text ends the list.
  }
  return text;
}

void raiseTypeError(const std::string &message) {
  PyErr_SetString(PyExc_TypeError, message.c_str());
  throw Raised();
}

Object importModule(const char *name) {
  return Object::made(PyImport_ImportModule(name));
}

//===----------------------------------------------------------------------===//
// From Python
//===----------------------------------------------------------------------===//

/// Throws what the thread has, if it has something.
static void checkRaised() {
  if (PyErr_Occurred())
    throw Raised();
}

static Object asInteger(PyObject *object) {
  return Object::made(PyNumber_Index(object));
}

template <>
bool fromPython(PyObject *object) {
  int truth = PyObject_IsTrue(object);
  if (truth < 0)
    throw Raised();
  return truth != 0;
}

template <>
double fromPython(PyObject *object) {
  double value = PyFloat_AsDouble(object);
  checkRaised();
  return value;
}

template <>
int64_t fromPython(PyObject *object) {
  int64_t value = PyLong_AsLongLong(asInteger(object).get());
  checkRaised();
  return value;
}

template <>
uint64_t fromPython(PyObject *object) {
  uint64_t value = PyLong_AsUnsignedLongLong(asInteger(object).get());
  checkRaised();
  return value;
}

template <>
std::string fromPython(PyObject *object) {
  Py_ssize_t size = 0;
  if (PyUnicode_Check(object)) {
    if (const char *text = PyUnicode_AsUTF8AndSize(object, &size))
      return std::string(text, size);
    throw Raised();
  }
  char *bytes = nullptr;
  if (PyBytes_AsStringAndSize(object, &bytes, &size) < 0)
    throw Raised();
  return std::string(bytes, size);
}

template <>
std::vector<Object> fromPython(PyObject *object) {
  Object tuple = Object::made(PySequence_Tuple(object));
  std::vector<Object> items;
  for (Py_ssize_t i = 0, size = PyTuple_Size(tuple.get()); i < size; ++i)
    items.push_back(Object::borrowed(PyTuple_GetItem(tuple.get(), i)));
  return items;
}

std::string typeName(PyObject *object) {
  auto type = Object::borrowed(reinterpret_cast<PyObject *>(Py_TYPE(object)));
  return fromPython<std::string>(type.attr("__name__").get());
}

//===----------------------------------------------------------------------===//
// To Python
//===----------------------------------------------------------------------===//

Object textOf(std::string_view text) {
  return Object::made(
      PyUnicode_DecodeUTF8(text.data(), text.size(), "surrogateescape"));
}

Object bytesOf(std::string_view bytes) {
  return Object::made(PyBytes_FromStringAndSize(bytes.data(), bytes.size()));
}

Object listOf(const std::vector<Object> &items) {
  Object list = Object::made(PyList_New(items.size()));
  for (size_t i = 0; i < items.size(); ++i)
    PyList_SetItem(list.get(), i, Object(items[i]).release());
  return list;
}

Object toPython(const std::string &text) {
  return Object::made(PyUnicode_FromStringAndSize(text.data(), text.size()));
}

void setItem(const Object &dict, const Object &key, const Object &value) {
  if (PyDict_SetItem(dict.get(), key.get(), value.get()) < 0)
    throw Raised();
}
