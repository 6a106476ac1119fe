//===- Trust.h - Ops and types allowed in untrusted programs ----*- C++ -*-===//

#ifndef ISTHMUS_LIB_RUNTIME_TRUST_H
#define ISTHMUS_LIB_RUNTIME_TRUST_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace isthmus {

/// Fails, listing every op, type and name in the program that is allowed only
/// in a trusted program. Ops other than computations on numbers and tensors
/// could call any function of this process, or view any of its memory.
llvm::Error checkUntrusted(mlir::ModuleOp module);

/// Removes the attributes that other tools, LLVM included, use to control
/// passes: the compiler reads only its own discardable attributes.
llvm::Error dropForeignAttributes(mlir::ModuleOp module);

/// The functions of the C library and of the compiler's own library that the
/// machine code of computations calls: `memcpy`, `sinf`, `__divti3`.
bool isLibraryFunction(llvm::StringRef name);

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_TRUST_H
