//===- Npy.h - NumPy's file format ----------------------------------------===//
//
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
// NumPy has no bf16: its bits are read and written as uint16.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_TOOLS_RUN_NPY_H
#define ISTHMUS_TOOLS_RUN_NPY_H

#include "isthmus/Runtime/Jit.h"

namespace isthmus {

/// Reads a row-major array. Unsigned integers become signless ones, and uint16
/// becomes bf16 if that is `expected`.
llvm::Expected<Tensor> readNpy(llvm::StringRef path, ElementType expected);

llvm::Error writeNpy(llvm::StringRef path, const Tensor &tensor);

} // namespace isthmus

#endif // ISTHMUS_TOOLS_RUN_NPY_H
