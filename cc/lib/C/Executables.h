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

/// Reads an input for a function. The data of one with elements must not be
/// null.
using ReadInput = llvm::function_ref<isthmus_error *(
    const Signature &signature, size_t index, TensorView &view)>;

/// Runs a function, by its name or the first, on `count` inputs at `inputs`,
/// which `read` reads.
isthmus_error *run(isthmus_executable *executable, const char *name,
                   const void *inputs, size_t count, ReadInput read,
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
