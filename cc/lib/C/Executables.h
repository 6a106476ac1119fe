//===- Executables.h - Executables of C -------------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_C_EXECUTABLES_H
#define ISTHMUS_LIB_C_EXECUTABLES_H

#include "Models.h"

struct isthmus_executable {
  /// Holds the weights that the code reads.
  std::shared_ptr<isthmus::c::SharedModel> model;
  std::unique_ptr<isthmus::Executable> native;
};

namespace isthmus::c {

/// An output of a run, as C sees it.
struct Output {
  Tensor tensor;
  Parameter parameter;
  std::vector<int64_t> dims, strides;
};

/// A function of an executable, by its name or the first.
struct Function {
  std::string name;
  const Signature *signature = nullptr;
};

/// Finds a function; an unknown one is an error.
isthmus_error *findFunction(const isthmus_executable *executable,
                            const char *name, Function &function);

/// Runs a function. The data of inputs with elements must not be null.
isthmus_error *run(isthmus_executable &executable, const Function &function,
                   llvm::ArrayRef<TensorView> inputs,
                   isthmus_results **results);

/// "input 1: expected …, got …".
isthmus_error *badInput(size_t index, const llvm::Twine &message);

/// Checks what every form of a tensor has: a rank, dims and data.
isthmus_error *checkTensor(size_t index, int32_t rank, const int64_t *dims,
                           const void *data);

} // namespace isthmus::c

struct isthmus_results {
  std::vector<isthmus::c::Output> outputs;
  std::vector<isthmus_tensor> tensors;
};

#endif // ISTHMUS_LIB_C_EXECUTABLES_H
