//===- Kernels.h - Calls of kernels for custom ops --------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_RUNTIME_KERNELS_H
#define ISTHMUS_LIB_RUNTIME_KERNELS_H

#include "isthmus/Runtime/Jit.h"
#include "mlir/IR/BuiltinOps.h"

namespace isthmus {

/// Attribute of a declared function: the custom op that it represents, a
/// dictionary of `domain`, `name` and `attributes` (docs/custom_ops.md).
inline constexpr llvm::StringLiteral kCustomOpAttr = "isthmus.custom_op";

/// Turns every tosa.custom into a call of a declared function with
/// `kCustomOpAttr`, which is the form of custom ops in linalg programs.
void declareCustomOps(mlir::ModuleOp module);

/// Removes the bodies of custom ops that have a kernel; inlines the bodies of
/// the others at their calls.
void expandBodies(mlir::ModuleOp module,
                  const llvm::StringMap<Kernel> &kernels);

/// A declared function and its kernel.
struct BoundKernel {
  std::string function;
  std::string name;
  std::string attributes;
  llvm::SmallVector<TensorType> inputs, outputs;
  Kernel kernel;
};

/// Finds the kernel of each custom op that the module declares.
llvm::Expected<std::vector<std::unique_ptr<BoundKernel>>>
bindKernels(mlir::ModuleOp module, const llvm::StringMap<Kernel> &kernels);

extern "C" {
/// Called by declared functions to run their kernel: memrefs are passed as
/// words, as in NativeCode.h.
void isthmusCallKernel(const BoundKernel *bound, uint64_t *arguments,
                       uint64_t *results);
}

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_KERNELS_H
