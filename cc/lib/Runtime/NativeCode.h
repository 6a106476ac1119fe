//===- NativeCode.h - From the LLVM dialect to machine code ---------------===//

#ifndef ISTHMUS_LIB_RUNTIME_NATIVECODE_H
#define ISTHMUS_LIB_RUNTIME_NATIVECODE_H

#include "Constants.h"
#include "Kernels.h"
#include "isthmus/Runtime/Jit.h"

#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class TargetMachine;
namespace orc {
class JITTargetMachineBuilder;
class LLJIT;
} // namespace orc
} // namespace llvm

namespace isthmus {

/// How the host calls a compiled function: its arguments' words in `arguments`
/// and space for its results' words in `results`, one 8-byte word for each
/// scalar. A ranked memref is pointer, aligned pointer, offset, sizes, strides.
using Entry = void (*)(uint64_t *arguments, uint64_t *results);

/// Machine code of one module, and the addresses of its functions.
class NativeCode {
public:
  static llvm::Expected<std::unique_ptr<NativeCode>>
  compile(mlir::ModuleOp module, llvm::ArrayRef<std::string> functions,
          llvm::ArrayRef<std::unique_ptr<BoundKernel>> kernels,
          const ConstantTable &constants, const JitOptions &options,
          const llvm::orc::JITTargetMachineBuilder &builder,
          llvm::TargetMachine &machine);
  ~NativeCode();

  llvm::Expected<Entry> lookup(llvm::StringRef function);

private:
  NativeCode();
  /// What the JIT reports beside the errors that it returns.
  std::string problems;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_NATIVECODE_H
