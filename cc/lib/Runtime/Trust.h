//===- Trust.h - What a program may hold that nobody vouches for -*- C++
//-*-===//

#ifndef ISTHMUS_LIB_RUNTIME_TRUST_H
#define ISTHMUS_LIB_RUNTIME_TRUST_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace isthmus {

/// Fails with every op, type and name of a program that only a trusted one may
/// have: what is no computation on numbers and tensors could be a call of any
/// function of this process, or a view of any of its memory.
llvm::Error checkUntrusted(mlir::ModuleOp module);

/// Takes the attributes away with which other tools steer passes, LLVM's
/// included: of what a program says beside its ops, the compiler reads its own
/// attributes alone.
llvm::Error dropForeignAttributes(mlir::ModuleOp module);

/// The functions of the C library and of the compiler's own library that
/// machine code of computations calls: `memcpy`, `sinf`, `__divti3`.
bool isLibraryFunction(llvm::StringRef name);

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_TRUST_H
