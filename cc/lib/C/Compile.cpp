//===- Compile.cpp - Options of the JIT, and what it compiled -------------===//

#include "Executables.h"
#include "Interrupts.h"

using namespace isthmus;
using namespace isthmus::c;

struct isthmus_jit_options {
  JitOptions options;
};

thread_local bool c::hasStopped = false;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

isthmus_error *isthmus_jit_options_create(isthmus_jit_options **options) {
  return create("options", options);
}

void isthmus_jit_options_free(isthmus_jit_options *options) { delete options; }

isthmus_error *isthmus_jit_options_set_threads(isthmus_jit_options *options,
                                               uint32_t threads) {
  return change(options, [&]() -> isthmus_error * {
    if (threads > ISTHMUS_MOST_THREADS)
      return badArgument("threads: expected " +
                         llvm::Twine(ISTHMUS_MOST_THREADS) + " at most, got " +
                         llvm::Twine(threads));
    options->options.threads = threads;
    return nullptr;
  });
}

isthmus_error *
isthmus_jit_options_set_check_bounds(isthmus_jit_options *options,
                                     int check_bounds) {
  return change(options, [&]() -> isthmus_error * {
    options->options.checkBounds = check_bounds;
    return nullptr;
  });
}

isthmus_error *isthmus_jit_options_set_optimize(isthmus_jit_options *options,
                                                int optimize) {
  return change(options, [&]() -> isthmus_error * {
    options->options.optimize = optimize;
    return nullptr;
  });
}

isthmus_error *isthmus_jit_options_set_trust(isthmus_jit_options *options,
                                             int trust) {
  return change(options, [&]() -> isthmus_error * {
    options->options.trust = trust;
    return nullptr;
  });
}

/// Names the kernel that `make` wraps.
template <typename Kernel, typename Make>
static isthmus_error *setKernel(isthmus_jit_options *options, const char *name,
                                Kernel kernel, Make make) {
  return change(options, [&]() -> isthmus_error * {
    if (!name || !kernel)
      return badArgument("expected a name and a kernel, got null");
    options->options.kernels[name] = make(kernel);
    return nullptr;
  });
}

isthmus_error *isthmus_jit_options_set_kernel(isthmus_jit_options *options,
                                              const char *name,
                                              isthmus_kernel kernel) {
  return setKernel(options, name, kernel, kernelOf);
}

isthmus_error *isthmus_jit_options_set_kernel_with_context(
    isthmus_jit_options *options, const char *name,
    isthmus_kernel_with_context kernel, void *context) {
  return setKernel(
      options, name, kernel, [context](isthmus_kernel_with_context given) {
        return [given, context](isthmus_kernel_call &call) -> std::string {
          const char *mistake = given(&call, context);
          return mistake ? mistake : "";
        };
      });
}

isthmus_error *
isthmus_jit_options_set_interrupted(isthmus_jit_options *options,
                                    isthmus_interrupted interrupted,
                                    void *context) {
  return change(options, [&]() -> isthmus_error * {
    options->options.interrupted = nullptr;
    if (interrupted)
      options->options.interrupted = [interrupted, context] {
        hasStopped = hasStopped || interrupted(context) != 0;
        return hasStopped;
      };
    return nullptr;
  });
}

//===----------------------------------------------------------------------===//
// Executables
//===----------------------------------------------------------------------===//

isthmus_error *isthmus_model_compile(const isthmus_model *model,
                                     const isthmus_jit_options *options,
                                     isthmus_executable **executable) {
  return guarded("executable", executable, [&] {
    return withModel(model, [&](const Model &own) -> isthmus_error * {
      Interruptible work;
      auto native = own.compile(options ? options->options : JitOptions());
      if (!native)
        return work.finish(native.takeError());
      *executable = new isthmus_executable{model->shared, std::move(*native)};
      return nullptr;
    });
  });
}

void isthmus_executable_free(isthmus_executable *executable) {
  delete executable;
}

int isthmus_executable_is_stateful(const isthmus_executable *executable) {
  return executable && executable->native->isStateful();
}

size_t isthmus_executable_function_count(const isthmus_executable *executable) {
  return executable ? executable->native->functions().size() : 0;
}

const char *
isthmus_executable_function_name(const isthmus_executable *executable,
                                 size_t index) {
  return executable ? textAt(executable->native->functions(), index) : nullptr;
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

static const Signature *toCpp(const isthmus_signature *signature) {
  return reinterpret_cast<const Signature *>(signature);
}

static const Parameter *toCpp(const isthmus_parameter *parameter) {
  return reinterpret_cast<const Parameter *>(parameter);
}

const isthmus_signature *
isthmus_executable_signature(const isthmus_executable *executable,
                             const char *function) {
  if (!executable)
    return nullptr;
  const Executable &native = *executable->native;
  return reinterpret_cast<const isthmus_signature *>(
      native.signature(function ? function : native.functions().front()));
}

size_t isthmus_signature_input_count(const isthmus_signature *signature) {
  return signature ? toCpp(signature)->inputs.size() : 0;
}

size_t isthmus_signature_output_count(const isthmus_signature *signature) {
  return signature ? toCpp(signature)->outputs.size() : 0;
}

static const isthmus_parameter *at(const std::vector<Parameter> &parameters,
                                   size_t index) {
  return index < parameters.size()
             ? reinterpret_cast<const isthmus_parameter *>(&parameters[index])
             : nullptr;
}

const isthmus_parameter *
isthmus_signature_input(const isthmus_signature *signature, size_t index) {
  return signature ? at(toCpp(signature)->inputs, index) : nullptr;
}

const isthmus_parameter *
isthmus_signature_output(const isthmus_signature *signature, size_t index) {
  return signature ? at(toCpp(signature)->outputs, index) : nullptr;
}

const char *isthmus_parameter_name(const isthmus_parameter *parameter) {
  return parameter ? toCpp(parameter)->name.c_str() : nullptr;
}

int32_t isthmus_parameter_element_type(const isthmus_parameter *parameter) {
  return parameter ? int32_t(toCpp(parameter)->type.elementType) : -1;
}

const char *isthmus_parameter_dtype(const isthmus_parameter *parameter) {
  return parameter ? toCpp(parameter)->dtype.c_str() : nullptr;
}

size_t isthmus_parameter_rank(const isthmus_parameter *parameter) {
  return parameter ? toCpp(parameter)->type.dims.size() : 0;
}

int64_t isthmus_parameter_dim(const isthmus_parameter *parameter, size_t dim) {
  return dim < isthmus_parameter_rank(parameter)
             ? toCpp(parameter)->type.dims[dim]
             : kAnySize;
}
