//===- Jit.h - Compile linalg to native code and run it -------------------===//
//
// Compiles a module of linalg on tensors (or TOSA) to machine code in this
// process and runs it.
//
//   auto exe = isthmus::Executable::compile(module, {});
//   llvm::SmallVector<isthmus::Tensor> outputs;
//   llvm::Error error = (*exe)->run("main", {{data, ElementType::F32, {2, 3}}},
//                                   outputs);
//
// One executable serves every size of its dynamic dims. Inputs are read where
// they lie, outputs are handed over as owned buffers: neither is copied. Large
// constants stay where the module has them (for instance in a mapped file).
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_RUNTIME_JIT_H
#define ISTHMUS_RUNTIME_JIT_H

#include "isthmus/Runtime/Kernel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
class ModuleOp;
class Type;
} // namespace mlir

namespace isthmus {

/// What one element of a tensor is. Integers carry no sign, as in linalg.
enum class ElementType : uint8_t {
  I1, // one byte, 0 or 1
  I8,
  I16,
  I32,
  I64,
  F16,
  BF16,
  F32,
  F64,
  C64,  // complex<f32>
  C128, // complex<f64>
};

/// The MLIR spelling: "f32", "i1", "complex<f64>".
llvm::StringRef name(ElementType type);
/// Size of one element in memory; 1 for I1.
size_t sizeOf(ElementType type);
/// The element type that an MLIR type stands for, or nothing.
std::optional<ElementType> elementTypeOf(mlir::Type type);

/// A dim whose size is known only when the function runs.
constexpr int64_t kAnySize = -1;

/// Element type and dims of one input or output.
struct TensorType {
  ElementType elementType;
  llvm::SmallVector<int64_t, 4> dims;

  /// "2x?xf32"
  std::string str() const;
};

struct Parameter {
  /// From the module when it names its arguments, else empty.
  std::string name;
  TensorType type;
  /// The model's own dtype as the module's `isthmus.dtype` has it, in MLIR's
  /// spelling: "ui8" where `type` has i8. Empty where `type` says all.
  std::string dtype;
};

/// What a compiled function takes and gives.
struct Signature {
  std::vector<Parameter> inputs;
  std::vector<Parameter> outputs;
};

/// Memory that the caller owns. It is only read, and only during the call.
struct TensorView {
  const void *data = nullptr;
  ElementType elementType = ElementType::F32;
  llvm::ArrayRef<int64_t> dims;
  /// In elements; empty for row-major. Anything else than row-major is packed
  /// into a temporary first.
  llvm::ArrayRef<int64_t> strides = {};
};

/// A row-major tensor that owns, or shares, its memory.
class Tensor {
public:
  Tensor(ElementType elementType, llvm::ArrayRef<int64_t> dims,
         std::shared_ptr<void> data)
      : elementType(elementType), dims(dims.begin(), dims.end()),
        data(std::move(data)) {}

  ElementType getElementType() const { return elementType; }
  llvm::ArrayRef<int64_t> getDims() const { return dims; }
  void *getData() const { return data.get(); }
  /// Keeps the memory alive; hand a copy to whatever outlives this tensor.
  const std::shared_ptr<void> &getOwner() const { return data; }
  operator TensorView() const { return {data.get(), elementType, dims, {}}; }

private:
  ElementType elementType;
  llvm::SmallVector<int64_t, 4> dims;
  std::shared_ptr<void> data;
};

/// Computes a custom op; returns what is wrong, or nothing.
using Kernel = std::function<std::string(isthmus_kernel_call &call)>;
/// The same of a kernel in C.
inline Kernel kernelOf(isthmus_kernel function) {
  return [function](isthmus_kernel_call &call) -> std::string {
    const char *mistake = function(&call);
    return mistake ? mistake : "";
  };
}

/// A kernel has not done its work. The message names the custom op and says
/// why.
class KernelError : public llvm::ErrorInfo<KernelError> {
public:
  explicit KernelError(std::string text) : text(std::move(text)) {}

  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  static inline char ID = 0; // of use in builds without the runtime, too

private:
  std::string text;
};

struct JitOptions {
  /// Threads that a run uses, the caller's included; 0 is one per core.
  unsigned threads = 1;
  /// Processor to compile for, as LLVM names it; empty is this machine's.
  std::string cpu;
  /// Finds the memory of an extern `ml_program.global`, or null. It must stay
  /// valid as long as the executable.
  std::function<const void *(llvm::StringRef key)> externs;
  /// Functions that the module declares and calls, by name, in MLIR's C
  /// interface.
  llvm::StringMap<void *> symbols;
  /// Kernels of custom ops, by the op's full name: "torch.aten.layer_norm".
  llvm::StringMap<Kernel> kernels;
  /// Takes the module as it is. Without it, a module holds computations of
  /// numbers and tensors alone, and finds no function of this process but those
  /// of `symbols`, `kernels` and the mathematical library.
  bool trust = false;
  /// Compiled code checks each access to memory, and buffers lie between pages
  /// that nobody may touch: slow, for programs that are not known to be right.
  bool checkBounds = false;
  /// Asked now and then by the thread that compiles or runs: true ends that
  /// with an error. It must not throw.
  std::function<bool()> interrupted;
  /// Called with the name and the module after each stage, for looking into it.
  std::function<void(llvm::StringRef stage, mlir::ModuleOp module)> observer;
};

/// Native code for the public functions of a module. Runs may overlap; those of
/// a module with mutable globals wait for one another.
class Executable {
public:
  /// Compiles a copy of `module`. The module's context must outlive the
  /// executable when weights are resources: they are read where they lie.
  static llvm::Expected<std::unique_ptr<Executable>>
  compile(mlir::ModuleOp module, const JitOptions &options);

  virtual ~Executable();

  /// The functions that can be run, in the order of the module.
  virtual llvm::ArrayRef<std::string> functions() const = 0;
  /// Null when there is no such function.
  virtual const Signature *signature(llvm::StringRef function) const = 0;
  /// True if the module has mutable globals: each executable has its own, which
  /// begin as the module says and stay from run to run.
  virtual bool isStateful() const = 0;
  /// Runs one function. Appends its results to `outputs`; on an error appends
  /// nothing.
  virtual llvm::Error run(llvm::StringRef function,
                          llvm::ArrayRef<TensorView> inputs,
                          llvm::SmallVectorImpl<Tensor> &outputs) = 0;
};

/// Registers everything `Executable::compile` needs from a context: the
/// dialects it lowers through, with their interfaces. Call it before the
/// context is made, or append it to one.
void registerJitDialects(mlir::DialectRegistry &registry);

} // namespace isthmus

#endif // ISTHMUS_RUNTIME_JIT_H
