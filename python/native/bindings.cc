//===- bindings.cc - The extension module isthmus._native -----------------===//
//
// Python's view of isthmus.h, one call per function: checks, defaults and
// documentation live in python/isthmus, and all else in the C library.
//
//===----------------------------------------------------------------------===//

#include "Bind.h"
#include "Limits.h"
#include "Programs.h"
#include "Saving.h"
#include "Text.h"

/// The names that a pair of functions lists.
static Object names(size_t (*count)(), const char *(*name)(size_t)) {
  std::vector<Object> names;
  for (size_t i = 0; i < count(); ++i)
    names.push_back(textOf(name(i)));
  return listOf(names);
}

static Object parts() { return names(isthmus_part_count, isthmus_part_name); }

static Object availableTargets() {
  return names(isthmus_target_count, isthmus_target_name);
}

static std::string coverage() { return written(isthmus_write_coverage); }

static Object operatorAliases() {
  return fromJson(written(isthmus_write_operator_aliases));
}

static PyMethodDef functions[] = {
    {"available_targets", FUNCTION(availableTargets)},
    {"coverage", FUNCTION(coverage)},
    {"exit_after", FUNCTION(exitAfter)},
    {"exit_without_file", FUNCTION(exitWithoutFile)},
    {"exit_without_memory", FUNCTION(exitWithoutMemory)},
    {"operator_aliases", FUNCTION(operatorAliases)},
    {"parts", FUNCTION(parts)},
    {"write_file", FUNCTION(replaceFile)},
    {},
};

PyMODINIT_FUNC PyInit__native() {
  static PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                   "_native",
                                   nullptr,
                                   -1,
                                   functions,
                                   nullptr,
                                   nullptr,
                                   nullptr,
                                   nullptr};
  return guarded([] {
    Object module = Object::made(PyModule_Create(&definition));
    PyModule_AddStringConstant(module.get(), "version", isthmus_version());
    bindModels(module.get());
    bindPrograms(module.get());
    return module;
  });
}
