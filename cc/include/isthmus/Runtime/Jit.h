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
// One executable serves every size of its dynamic dims. Inputs are not copied,
// and outputs are owned buffers. Large constants stay in the module's memory,
// for instance in a mapped file.
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

/// The type of a tensor's elements. Integers are signless, as in linalg.
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
  F8E4M3FN,
  F8E4M3FNUZ,
  F8E5M2,
  F8E5M2FNUZ,
};

/// The MLIR spelling: "f32", "i1", "complex<f64>".
llvm::StringRef name(ElementType type);
/// Size of one element in memory; 1 for I1.
size_t sizeOf(ElementType type);
/// The element type for an MLIR type; nullopt if there is none.
std::optional<ElementType> elementTypeOf(mlir::Type type);

/// A dim whose size is known only at run time.
constexpr int64_t kAnySize = -1;

/// Element type and dims of one input or output.
struct TensorType {
  ElementType elementType;
  llvm::SmallVector<int64_t, 4> dims;

  /// "2x?xf32"
  std::string str() const;
};

/// An input or an output of a compiled function.
struct Parameter {
  /// The name in the module; empty if the module does not name its arguments.
  std::string name;
  TensorType type;
  /// The model's dtype from the module's `isthmus.dtype`, in MLIR's spelling:
  /// "ui8" if `type` has i8. Empty if `type` expresses the dtype.
  std::string dtype;
};

/// The inputs and outputs of a compiled function.
struct Signature {
  std::vector<Parameter> inputs;
  std::vector<Parameter> outputs;
};

/// Memory of the caller. It is only read, and only during the call.
struct TensorView {
  const void *data = nullptr;
  ElementType elementType = ElementType::F32;
  llvm::ArrayRef<int64_t> dims;
  /// In elements; empty for row-major. Other layouts are packed into a
  /// temporary first.
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
  /// Keeps the memory alive; copy it to objects that outlive this tensor.
  const std::shared_ptr<void> &getOwner() const { return data; }
  operator TensorView() const { return {data.get(), elementType, dims, {}}; }

private:
  ElementType elementType;
  llvm::SmallVector<int64_t, 4> dims;
  std::shared_ptr<void> data;
};

/// Computes a custom op; returns an error message, or an empty string.
using Kernel = std::function<std::string(isthmus_kernel_call &call)>;
/// The same for a C kernel.
inline Kernel kernelOf(isthmus_kernel function) {
  return [function](isthmus_kernel_call &call) -> std::string {
    const char *mistake = function(&call);
    return mistake ? mistake : "";
  };
}

/// A kernel failed. The message has the custom op and the reason.
class KernelError : public llvm::ErrorInfo<KernelError> {
public:
  explicit KernelError(std::string text) : text(std::move(text)) {}

  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  static inline char ID = 0; // also used in builds without the runtime

private:
  std::string text;
};

/// Options of `Executable::compile`.
struct JitOptions {
  /// Threads that a run uses, including the caller's; 0 is one per core.
  unsigned threads = 1;
  /// The processor to compile for, by its LLVM name; empty is this machine's.
  std::string cpu;
  /// Returns the memory of an extern `ml_program.global`, or null. The memory
  /// must stay valid as long as the executable.
  std::function<const void *(llvm::StringRef key)> externs;
  /// Functions that the module declares and calls, by name, with MLIR's C
  /// interface.
  llvm::StringMap<void *> symbols;
  /// Kernels of custom ops, by the op's full name: "torch.aten.layer_norm".
  llvm::StringMap<Kernel> kernels;
  /// Runs the module unchecked. Without this, a module may contain only
  /// computations of numbers and tensors, and may call no function of this
  /// process except those of `symbols`, `kernels` and the mathematical library.
  bool trust = false;
  /// Compiled code checks each memory access, and buffers lie between
  /// inaccessible guard pages. This is slow; use it for untrusted programs.
  bool checkBounds = false;
  /// Optimises machine code. Without this, a program compiles in less than half
  /// the time and runs several times slower; useful for one that runs once.
  bool optimize = true;
  /// Called periodically by the thread that compiles or runs: true ends the
  /// work with an error. It must not throw.
  std::function<bool()> interrupted;
  /// Called with the name and the module after each stage, for inspection.
  std::function<void(llvm::StringRef stage, mlir::ModuleOp module)> observer;
};

/// Native code for the public functions of a module. Runs may overlap; runs of
/// a module with mutable globals execute one at a time.
class Executable {
public:
  /// Compiles a copy of `module`. If weights are resources, the module's
  /// context must outlive the executable, because they are not copied.
  static llvm::Expected<std::unique_ptr<Executable>>
  compile(mlir::ModuleOp module, const JitOptions &options);

  virtual ~Executable();

  /// The functions that can run, in module order.
  virtual llvm::ArrayRef<std::string> functions() const = 0;
  /// The inputs and outputs of a function; null if there is no such function.
  virtual const Signature *signature(llvm::StringRef function) const = 0;
  /// True if the module has mutable globals. Each executable has its own copy,
  /// which starts with the module's values and persists from run to run.
  virtual bool isStateful() const = 0;
  /// Runs one function. Appends its results to `outputs`, or nothing on an
  /// error.
  virtual llvm::Error run(llvm::StringRef function,
                          llvm::ArrayRef<TensorView> inputs,
                          llvm::SmallVectorImpl<Tensor> &outputs) = 0;
};

/// Registers everything that `Executable::compile` needs from a context: the
/// dialects it lowers through, with their interfaces. Call it before creating
/// the context, or append the registry to a context.
void registerJitDialects(mlir::DialectRegistry &registry);

} // namespace isthmus

#endif // ISTHMUS_RUNTIME_JIT_H
