//===- Bind.h - Functions and classes for Python ----------------*- C++ -*-===//
//
// A function of C++ becomes one of Python by its types:
//   static Object notes(const Model &model);
//   {"notes", METHOD(notes)}
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_BIND_H
#define ISTHMUS_PYTHON_NATIVE_BIND_H

#include "Errors.h"
#include <memory>
#include <optional>

/// The class of Python for T.
template <typename T>
inline PyTypeObject *classOf = nullptr;

/// An object of it.
template <typename T>
struct Instance {
  PyObject_HEAD T *value;
};

/// Gives a value to an object of its class.
template <typename T>
Object instanceOf(T value) {
  auto owned = std::make_unique<T>(std::move(value));
  Object made = Object::made(PyType_GenericAlloc(classOf<T>, 0));
  reinterpret_cast<Instance<T> *>(made.get())->value = owned.release();
  return made;
}

template <typename T>
void freeInstance(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  delete reinterpret_cast<Instance<T> *>(object)->value;
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

/// Makes a class of which Python makes no objects.
template <typename T>
void makeClass(const char *name, PyType_Slot slot) {
  static std::string fullName = std::string("isthmus._native.") + name;
  PyType_Slot slots[] = {
      {Py_tp_dealloc, (void *)freeInstance<T>}, slot, {0, nullptr}};
  PyType_Spec spec = {fullName.c_str(), sizeof(Instance<T>), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                      slots};
  classOf<T> = reinterpret_cast<PyTypeObject *>(
      Object::made(PyType_FromSpec(&spec)).release());
}

/// Adds a class to the module.
template <typename T>
void addClass(PyObject *module, const char *name, PyMethodDef *methods) {
  makeClass<T>(name, {Py_tp_methods, methods});
  if (PyModule_AddType(module, classOf<T>) < 0)
    throw Raised();
}

inline void addFunctions(PyObject *module, PyMethodDef *functions) {
  if (PyModule_AddFunctions(module, functions) < 0)
    throw Raised();
}

/// How a parameter of type T comes from Python.
template <typename T>
struct Argument {
  static decltype(auto) get(PyObject *object) {
    if constexpr (std::is_same_v<T, Object>) {
      return Object::borrowed(object);
    } else if constexpr (std::is_class_v<T> &&
                         !std::is_same_v<T, std::string>) {
      if (!PyObject_TypeCheck(object, classOf<T>))
        raiseTypeError("expected another type than " + typeName(object));
      return (*reinterpret_cast<Instance<T> *>(object)->value);
    } else {
      return fromPython<T>(object);
    }
  }
};

template <typename T>
struct Argument<std::optional<T>> {
  static std::optional<T> get(PyObject *object) {
    if (object == Py_None)
      return std::nullopt;
    return fromPython<T>(object);
  }
};

template <typename Result, typename... Parameters, size_t... I>
Object invoke(Result (*function)(Parameters...), PyObject *const *given,
              std::index_sequence<I...>) {
  auto call = [&]() -> Result {
    return function(Argument<std::decay_t<Parameters>>::get(given[I])...);
  };
  if constexpr (std::is_void_v<Result>) {
    call();
    return Object::borrowed(Py_None);
  } else if constexpr (std::is_class_v<Result> &&
                       !std::is_same_v<Result, std::string> &&
                       !std::is_same_v<Result, Object>) {
    return instanceOf(call());
  } else {
    return toPython(call());
  }
}

template <typename Result, typename... Parameters>
Object invoke(Result (*function)(Parameters...), PyObject *const *given,
              size_t count) {
  if (count != sizeof...(Parameters))
    raiseTypeError("expected " + std::to_string(sizeof...(Parameters)) +
                   " arguments, got " + std::to_string(count));
  return invoke(function, given, std::index_sequence_for<Parameters...>());
}

/// A function of the module.
template <auto Function>
PyObject *callFunction(PyObject *, PyObject *const *given, Py_ssize_t count) {
  return guarded([&] { return invoke(Function, given, count); });
}

/// A method, whose first argument is the object.
template <auto Function>
PyObject *callMethod(PyObject *self, PyObject *const *given, Py_ssize_t count) {
  constexpr Py_ssize_t most = 8;
  PyObject *all[most + 1] = {self};
  for (Py_ssize_t i = 0; i < count && i < most; ++i)
    all[i + 1] = given[i];
  return guarded([&] { return invoke(Function, all, count + 1); });
}

#define FUNCTION(function)                                                     \
  (PyCFunction)(void (*)())(&callFunction<function>), METH_FASTCALL, nullptr
#define METHOD(function)                                                       \
  (PyCFunction)(void (*)())(&callMethod<function>), METH_FASTCALL, nullptr

#endif // ISTHMUS_PYTHON_NATIVE_BIND_H
