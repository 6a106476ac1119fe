//===- Kernels.h - Calls of kernels for custom ops --------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_RUNTIME_KERNELS_H
#define ISTHMUS_LIB_RUNTIME_KERNELS_H

#include "isthmus/Runtime/Jit.h"
#include "mlir/IR/BuiltinOps.h"

namespace isthmus {

/// On a declared function: the custom op that it stands for, a dictionary of
/// `domain`, `name` and `attributes` (docs/custom_ops.md).
inline constexpr llvm::StringLiteral kCustomOpAttr = "isthmus.custom_op";

/// Turns every tosa.custom into a call of a declared function with
/// `kCustomOpAttr`, which is what Linalg has in its place.
void declareCustomOps(mlir::ModuleOp module);

/// Takes the bodies of custom ops that have a kernel; calls of the others give
/// way to their bodies.
void expandBodies(mlir::ModuleOp module,
                  const llvm::StringMap<Kernel> &kernels);

/// A declared function and the kernel that stands behind it.
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
/// What a declared function does: memrefs in words, as in NativeCode.h.
void isthmusCallKernel(const BoundKernel *bound, uint64_t *arguments,
                       uint64_t *results);
}

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_KERNELS_H
