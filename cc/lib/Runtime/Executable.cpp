//===- Executable.cpp - Compiled functions and their calls ----------------===//

#include "Codegen.h"
#include "Kernels.h"
#include "Machine.h"
#include "Memory.h"
#include "NativeCode.h"
#include "Sizes.h"
#include "ThreadPool.h"
#include "Trust.h"
#include "isthmus/Runtime/Jit.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Target/TargetMachine.h"

#include <cstring>
#include <mutex>

using namespace isthmus;
using llvm::Error;
using llvm::Expected;

namespace {

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

Expected<Parameter> describe(mlir::Type type, mlir::DictionaryAttr attributes,
                             llvm::StringRef function, const char *role,
                             unsigned index) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  auto element = tensor ? elementTypeOf(tensor.getElementType()) : std::nullopt;
  if (!element) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return llvm::createStringError(
        "function '" + function + "', " + role + " " + llvm::Twine(index) +
        ": expected a ranked tensor of i1, i8, i16, i32, i64, f8E4M3FN, "
        "f8E4M3FNUZ, f8E5M2, f8E5M2FNUZ, f16, bf16, f32, f64 or complex "
        "numbers, got '" +
        text + "'");
  }
  Parameter parameter;
  if (attributes)
    for (llvm::StringRef key :
         {"isthmus.name", "onnx.name", "ml_program.identifier"})
      if (auto name = attributes.getAs<mlir::StringAttr>(key))
        parameter.name = name.str();
  if (auto dtype = attributes
                       ? attributes.getAs<mlir::TypeAttr>("isthmus.dtype")
                       : nullptr)
    llvm::raw_string_ostream(parameter.dtype) << dtype.getValue();
  parameter.type.elementType = *element;
  for (int64_t dim : tensor.getShape())
    parameter.type.dims.push_back(mlir::ShapedType::isDynamic(dim) ? kAnySize
                                                                   : dim);
  return parameter;
}

Expected<Signature> describe(mlir::FunctionOpInterface function) {
  Signature signature;
  llvm::StringRef name = function.getName();
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto parameter =
        describe(type, function.getArgAttrDict(i), name, "argument", i);
    if (!parameter)
      return parameter.takeError();
    signature.inputs.push_back(std::move(*parameter));
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    auto parameter =
        describe(type, function.getResultAttrDict(i), name, "result", i);
    if (!parameter)
      return parameter.takeError();
    signature.outputs.push_back(std::move(*parameter));
  }
  return signature;
}

Error checkArgument(const Parameter &parameter, unsigned index,
                    const TensorView &value) {
  const TensorType &expected = parameter.type;
  TensorType got{value.elementType, {value.dims.begin(), value.dims.end()}};
  bool fits = got.elementType == expected.elementType &&
              got.dims.size() == expected.dims.size();
  for (size_t i = 0; fits && i < got.dims.size(); ++i)
    fits = got.dims[i] >= 0 &&
           (expected.dims[i] == kAnySize || expected.dims[i] == got.dims[i]);
  if (!fits)
    return llvm::createStringError(nameOf(parameter, index) + ": expected " +
                                   expected.str() + ", got " + got.str());
  // A tensor without elements may have arbitrarily large sizes, which overflow
  // size computations.
  constexpr int64_t mostElements = int64_t(1) << 40;
  if (llvm::any_of(got.dims, [](int64_t dim) { return dim > mostElements; }))
    return llvm::createStringError(nameOf(parameter, index) +
                                   ": expected sizes of at most 2^40, got " +
                                   got.str());
  if (!value.strides.empty() && value.strides.size() != value.dims.size())
    return llvm::createStringError(nameOf(parameter, index) + ": expected " +
                                   llvm::Twine(value.dims.size()) +
                                   " strides, got " +
                                   llvm::Twine(value.strides.size()));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

int64_t countElements(llvm::ArrayRef<int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  return count;
}

llvm::SmallVector<int64_t, 4> rowMajorStrides(llvm::ArrayRef<int64_t> dims) {
  llvm::SmallVector<int64_t, 4> strides(dims.size());
  int64_t stride = 1;
  for (int64_t i = dims.size() - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= dims[i];
  }
  return strides;
}

bool isRowMajor(const TensorView &value) {
  if (value.strides.empty() || countElements(value.dims) == 0)
    return true;
  int64_t stride = 1;
  for (int64_t i = value.dims.size() - 1; i >= 0; --i) {
    if (value.dims[i] != 1 && value.strides[i] != stride)
      return false;
    stride *= value.dims[i];
  }
  return true;
}

/// Copies `source`, whose strides are in elements, into row-major `target`.
void pack(char *&target, const char *source, llvm::ArrayRef<int64_t> dims,
          llvm::ArrayRef<int64_t> strides, size_t elementSize) {
  if (dims.empty()) {
    std::memcpy(target, source, elementSize);
    target += elementSize;
    return;
  }
  for (int64_t i = 0; i < dims.front(); ++i)
    pack(target, source + i * strides.front() * int64_t(elementSize),
         dims.drop_front(), strides.drop_front(), elementSize);
}

void pushMemref(llvm::SmallVectorImpl<uint64_t> &words, const void *data,
                llvm::ArrayRef<int64_t> dims) {
  words.push_back(reinterpret_cast<uint64_t>(data));
  words.push_back(reinterpret_cast<uint64_t>(data));
  words.push_back(0);
  llvm::append_range(words, dims);
  llvm::append_range(words, rowMajorStrides(dims));
}

/// Converts a result of compiled code to a separate tensor. A buffer of this
/// run is handed over; a returned argument or constant is copied. Nothing if
/// the copy cannot be allocated.
std::optional<Tensor> takeResult(RunContext &run, const TensorType &type,
                                 const uint64_t *words) {
  size_t rank = type.dims.size();
  auto *allocated = reinterpret_cast<void *>(words[0]);
  auto *aligned = reinterpret_cast<char *>(words[1]);
  int64_t offset = words[2];
  llvm::ArrayRef<int64_t> dims(reinterpret_cast<const int64_t *>(words + 3),
                               rank);
  llvm::ArrayRef<int64_t> strides = {dims.end(), rank};
  char *data = aligned + offset * int64_t(sizeOf(type.elementType));

  bool rowMajor = isRowMajor({data, type.elementType, dims, strides});
  if (rowMajor)
    if (std::shared_ptr<void> owner = run.takeOut(allocated))
      return Tensor(type.elementType, dims, std::shared_ptr<void>(owner, data));

  size_t size = countElements(dims) * sizeOf(type.elementType);
  void *buffer = run.allocate(size);
  if (!buffer)
    return std::nullopt;
  std::shared_ptr<void> copy = run.takeOut(buffer);
  auto *target = static_cast<char *>(copy.get());
  if (rowMajor)
    std::memcpy(target, data, size);
  else if (size)
    pack(target, data, dims, strides, sizeOf(type.elementType));
  return Tensor(type.elementType, dims, copy);
}

struct Call {
  Entry entry;
  uint64_t *arguments;
  uint64_t *results;
};

//===----------------------------------------------------------------------===//
// The executable
//===----------------------------------------------------------------------===//

class NativeExecutable final : public Executable {
public:
  NativeExecutable(unsigned threads, const JitOptions &options)
      : interrupted(options.interrupted),
        buffers(std::make_shared<BufferPool>(options.checkBounds)),
        pool(threads) {}

  Error compile(mlir::ModuleOp module, const JitOptions &options,
                bool evaluatesConstants = true);

  llvm::ArrayRef<std::string> functions() const override { return names; }

  bool isStateful() const override { return hasState; }

  const Signature *signature(llvm::StringRef function) const override {
    auto found = compiled.find(function);
    return found == compiled.end() ? nullptr : &found->second.signature;
  }

  Error run(llvm::StringRef function, llvm::ArrayRef<TensorView> inputs,
            llvm::SmallVectorImpl<Tensor> &outputs) override;

private:
  std::optional<llvm::SmallVector<Tensor>>
  evaluate(mlir::ModuleOp program, const JitOptions &options) const;

  struct Function {
    Signature signature;
    SizeRules sizes;
    Entry entry = nullptr;
  };

  std::vector<std::string> names;
  llvm::StringMap<Function> compiled;
  ConstantTable constants;
  std::vector<std::unique_ptr<BoundKernel>> kernels;
  std::unique_ptr<NativeCode> code;
  std::function<bool()> interrupted;
  std::shared_ptr<BufferPool> buffers;
  ThreadPool pool;
  /// A program with mutable globals runs once at a time; a callback of a run
  /// may start another run.
  bool hasState = false;
  std::recursive_mutex state;
};

/// LLVM has no float types of less than 16 bits. Those of 8 bits become bytes.
static mlir::LogicalResult checkFloats(mlir::ModuleOp module) {
  auto result = module.walk([](mlir::Operation *op) -> mlir::WalkResult {
    for (mlir::Type type : op->getResultTypes())
      if (auto number =
              mlir::dyn_cast<mlir::FloatType>(mlir::getElementTypeOrSelf(type));
          number && !elementTypeOf(number))
        return op->emitError("expected floats that run here, of f8E4M3FN, "
                             "f8E5M2 or more bits, got ")
               << type;
    return mlir::WalkResult::advance();
  });
  return mlir::failure(result.wasInterrupted());
}

/// The results of a part of the module, which refers to its constants.
std::optional<llvm::SmallVector<Tensor>>
NativeExecutable::evaluate(mlir::ModuleOp program,
                           const JitOptions &options) const {
  JitOptions own = options;
  own.kernels.clear();
  own.observer = nullptr;
  own.trust = true; // the module was checked
  NativeExecutable part(pool.size(), own);
  mlir::SymbolTable symbols(program);
  for (const ConstantTable::Entry &entry : constants.entries)
    if (symbols.lookup(entry.symbol))
      part.constants.entries.push_back(entry);
  llvm::SmallVector<Tensor> results;
  Error error = part.compile(program, own, /*evaluatesConstants=*/false);
  if (!error)
    error = part.run("main", {}, results);
  if (!error)
    return results;
  llvm::consumeError(std::move(error));
  return std::nullopt;
}

Error NativeExecutable::compile(mlir::ModuleOp module,
                                const JitOptions &options,
                                bool evaluatesConstants) {
  if (!options.trust)
    if (Error error = checkUntrusted(module))
      return error;
  for (mlir::Operation &op : *module.getBody()) {
    auto function = mlir::dyn_cast<mlir::FunctionOpInterface>(op);
    if (!function || !function.isPublic() || function.isExternal())
      continue;
    auto signature = describe(function);
    if (!signature)
      return signature.takeError();
    auto sizes = SizeRules::read(function);
    if (!sizes)
      return sizes.takeError();
    names.push_back(function.getName().str());
    Function &entry = compiled[function.getName()];
    entry.signature = std::move(*signature);
    entry.sizes = std::move(*sizes);
  }
  for (auto global : module.getOps<mlir::ml_program::GlobalOp>())
    hasState |= global.getIsMutable();
  if (names.empty())
    return llvm::createStringError(
        "expected a module with a public function, got none");

  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  if (!options.trust)
    if (Error error = dropForeignAttributes(*copy))
      return error;
  declareCustomOps(*copy);
  expandBodies(*copy, options.kernels);
  auto bound = bindKernels(*copy, options.kernels);
  if (!bound)
    return bound.takeError();
  kernels = std::move(*bound);
  std::vector<std::string> missing;
  copy->walk([&](mlir::func::FuncOp function) {
    if (function.isExternal() && !function->hasAttr(kCustomOpAttr) &&
        !options.symbols.contains(function.getName()))
      missing.push_back("'" + function.getName().str() + "'");
  });
  if (!missing.empty())
    return llvm::createStringError(
        "expected an implementation of each declared function, got none of " +
        llvm::join(missing, ", "));

  // Diagnostics become the error's text.
  std::string problems;
  mlir::ScopedDiagnosticHandler handler(
      module.getContext(), [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
          return mlir::failure();
        llvm::raw_string_ostream os(problems);
        os << (problems.empty() ? "" : "\n") << diagnostic.getLocation() << ": "
           << diagnostic;
        return mlir::success();
      });
  auto target = describeTarget(options.cpu, options.optimize);
  if (!target)
    return target.takeError();
  auto machine = target->createTargetMachine();
  if (!machine)
    return machine.takeError();
  auto evaluator = [&](mlir::ModuleOp program) {
    return evaluate(program, options);
  };
  if (failed(checkFloats(*copy)) ||
      failed(generateCode(*copy, options, describeMachine(**machine), constants,
                          evaluatesConstants ? Evaluator(evaluator)
                                             : Evaluator())))
    return llvm::createStringError(problems);

  constants.freeUnused(*copy);
  auto native = NativeCode::compile(*copy, names, kernels, constants, options,
                                    *target, **machine);
  if (!native)
    return native.takeError();
  code = std::move(*native);
  for (const std::string &name : names) {
    auto entry = code->lookup(name);
    if (!entry)
      return entry.takeError();
    compiled[name].entry = *entry;
  }
  return Error::success();
}

Error NativeExecutable::run(llvm::StringRef function,
                            llvm::ArrayRef<TensorView> inputs,
                            llvm::SmallVectorImpl<Tensor> &outputs) {
  auto found = compiled.find(function);
  if (found == compiled.end())
    return llvm::createStringError("expected a function of " +
                                   llvm::join(names, ", ") + ", got '" +
                                   function + "'");
  const Signature &signature = found->second.signature;
  if (inputs.size() != signature.inputs.size())
    return llvm::createStringError("function '" + function + "': expected " +
                                   llvm::Twine(signature.inputs.size()) +
                                   " arguments, got " +
                                   llvm::Twine(inputs.size()));

  for (auto [i, input] : llvm::enumerate(inputs))
    if (Error error = checkArgument(signature.inputs[i], i, input))
      return error;
  if (Error error = found->second.sizes.check(signature.inputs, inputs))
    return error;

  RunContext run(buffers, pool, interrupted);
  llvm::SmallVector<uint64_t, 64> arguments;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    const void *data = input.data;
    if (!isRowMajor(input)) {
      size_t size = countElements(input.dims) * sizeOf(input.elementType);
      auto *packed = static_cast<char *>(run.allocate(size));
      if (!packed)
        return llvm::createStringError("out of memory: a copy of " +
                                       nameOf(signature.inputs[i], i));
      data = packed;
      pack(packed, static_cast<const char *>(input.data), input.dims,
           input.strides, sizeOf(input.elementType));
    }
    pushMemref(arguments, data, input.dims);
  }
  size_t resultWords = 0;
  for (const Parameter &output : signature.outputs)
    resultWords += 3 + 2 * output.type.dims.size();
  llvm::SmallVector<uint64_t, 64> results(resultWords);

  std::unique_lock<std::recursive_mutex> lock(state, std::defer_lock);
  if (hasState)
    lock.lock();
  // A compiled function may be called from within a callback of another.
  RunContext *outer = RunContext::current;
  RunContext::current = &run;
  Call call{found->second.entry, arguments.data(), results.data()};
  runUntilFailure(
      [](void *argument) {
        auto *call = static_cast<Call *>(argument);
        call->entry(call->arguments, call->results);
      },
      &call);
  RunContext::current = outer;
  if (run.hasFailed())
    return run.takeFailure(function);

  const uint64_t *words = results.data();
  llvm::SmallVector<Tensor> taken;
  for (auto [i, output] : llvm::enumerate(signature.outputs)) {
    std::optional<Tensor> result = takeResult(run, output.type, words);
    if (!result)
      return llvm::createStringError("function '" + function +
                                     "': out of memory: a copy of result " +
                                     llvm::Twine(i));
    taken.push_back(std::move(*result));
    words += 3 + 2 * output.type.dims.size();
  }
  llvm::append_range(outputs, taken);
  return Error::success();
}

} // namespace

Executable::~Executable() = default;

Expected<std::unique_ptr<Executable>>
Executable::compile(mlir::ModuleOp module, const JitOptions &options) {
  unsigned threads =
      options.threads ? options.threads : std::thread::hardware_concurrency();
  mlir::DialectRegistry registry;
  registerJitDialects(registry);
  module.getContext()->appendDialectRegistry(registry);
  module.getContext()->loadAllAvailableDialects();
  auto executable = std::make_unique<NativeExecutable>(threads, options);
  if (Error error = executable->compile(module, options))
    return std::move(error);
  return executable;
}
