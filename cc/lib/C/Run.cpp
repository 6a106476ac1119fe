//===- Run.cpp - Runs of executables on plain tensors ---------------------===//

#include "Executables.h"
#include "Interrupts.h"
#include "Strides.h"
#include "llvm/ADT/StringExtras.h"

using namespace isthmus;
using namespace isthmus::c;

// The constants of C are those of C++.
static_assert(int(ElementType::I1) == ISTHMUS_I1 &&
              int(ElementType::F32) == ISTHMUS_F32 &&
              int(ElementType::F8E5M2FNUZ) == ISTHMUS_F8E5M2FNUZ);

/// More dims than any program has.
static constexpr int32_t mostDims = 1000;

isthmus_error *c::badInput(size_t index, const llvm::Twine &message) {
  return failed(ISTHMUS_INPUT, "input " + llvm::Twine(index) + ": " + message);
}

isthmus_error *c::checkTensor(size_t index, int32_t rank, const int64_t *dims,
                              const void *data) {
  if (rank < 0 || rank > mostDims)
    return badInput(index, "expected a rank, got " + llvm::Twine(rank));
  if (rank && !dims)
    return badInput(index, "expected dims, got null");
  if (!data && !llvm::is_contained(llvm::ArrayRef(dims, rank), 0))
    return badInput(index, "expected data, got null");
  return nullptr;
}

namespace {

/// A function of an executable.
struct Function {
  std::string name;
  const Signature *signature = nullptr;
};

} // namespace

/// Finds a function, by its name or the first; an unknown one is an error.
static isthmus_error *findFunction(const isthmus_executable *executable,
                                   const char *name, Function &function) {
  if (isthmus_error *error = expectAll({{"executable", executable}}))
    return error;
  const Executable &native = *executable->native;
  function.name = name ? name : native.functions().front();
  function.signature = native.signature(function.name);
  if (!function.signature)
    return badArgument("function: expected one of '" +
                       llvm::join(native.functions(), "', '") + "', got '" +
                       function.name + "'");
  return nullptr;
}

/// The results of a run on inputs that are read.
static isthmus_error *runOn(isthmus_executable &executable,
                            const Function &function,
                            llvm::ArrayRef<TensorView> inputs,
                            isthmus_results **results) {
  Interruptible work;
  llvm::SmallVector<Tensor> outputs;
  if (llvm::Error error =
          executable.native->run(function.name, inputs, outputs))
    return work.finish(std::move(error));
  auto made = std::make_unique<isthmus_results>();
  for (auto [tensor, parameter] :
       llvm::zip_equal(outputs, function.signature->outputs))
    made->outputs.push_back({tensor, parameter, tensor.getDims().vec(),
                             rowMajorStrides(tensor.getDims())});
  for (Output &output : made->outputs)
    made->tensors.push_back({output.tensor.getData(),
                             int32_t(output.tensor.getElementType()),
                             int32_t(output.dims.size()), output.dims.data(),
                             output.strides.data()});
  *results = made.release();
  return nullptr;
}

isthmus_error *c::run(isthmus_executable *executable, const char *name,
                      const void *inputs, size_t count, ReadInput read,
                      isthmus_results **results) {
  return guarded("results", results, [&]() -> isthmus_error * {
    Function function;
    if (isthmus_error *error = findFunction(executable, name, function))
      return error;
    if (count && !inputs)
      return badArgument("inputs: expected a pointer, got null");
    llvm::SmallVector<TensorView> views(count);
    for (size_t i = 0; i < count; ++i)
      if (isthmus_error *error = read(*function.signature, i, views[i]))
        return error;
    return runOn(*executable, function, views, results);
  });
}

isthmus_error *isthmus_executable_run(isthmus_executable *executable,
                                      const char *name,
                                      const isthmus_tensor *inputs,
                                      size_t num_inputs,
                                      isthmus_results **results) {
  auto read = [&](const Signature &, size_t i,
                  TensorView &view) -> isthmus_error * {
    const isthmus_tensor &input = inputs[i];
    if (isthmus_error *error =
            checkTensor(i, input.rank, input.dims, input.data))
      return error;
    if (input.element_type < ISTHMUS_I1 ||
        input.element_type > ISTHMUS_F8E5M2FNUZ)
      return badInput(i, "expected an isthmus_element_type, got " +
                             llvm::Twine(input.element_type));
    view.data = input.data;
    view.elementType = ElementType(input.element_type);
    view.dims = {input.dims, size_t(input.rank)};
    if (input.strides)
      view.strides = {input.strides, size_t(input.rank)};
    return nullptr;
  };
  return run(executable, name, inputs, num_inputs, read, results);
}

size_t isthmus_results_count(const isthmus_results *results) {
  return results ? results->tensors.size() : 0;
}

const isthmus_tensor *isthmus_results_tensor(const isthmus_results *results,
                                             size_t index) {
  return index < isthmus_results_count(results) ? &results->tensors[index]
                                                : nullptr;
}

void isthmus_results_free(isthmus_results *results) { delete results; }
