//===- Codegen.h - From linalg on tensors to LLVM -------------------------===//
//
// The stages, in order. Each is one function in a file of its own name, so the
// order is written once, in Codegen.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_RUNTIME_CODEGEN_H
#define ISTHMUS_LIB_RUNTIME_CODEGEN_H

#include "Constants.h"
#include "Machine.h"
#include "isthmus/Runtime/Jit.h"

#include "mlir/IR/BuiltinOps.h"

namespace isthmus {

/// Runs every stage on `module`, which becomes the LLVM dialect. Problems are
/// emitted as diagnostics.
mlir::LogicalResult generateCode(mlir::ModuleOp module,
                                 const JitOptions &options,
                                 const Machine &machine,
                                 ConstantTable &constants);

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// TOSA to linalg; `ml_program.func` to `func.func`; calls inlined.
mlir::LogicalResult enterLinalg(mlir::ModuleOp module);

/// Convolutions and poolings with the channels last.
void putChannelsLast(mlir::ModuleOp module);

/// Every structured op but a fill as `linalg.generic`, and elementwise ops
/// inside their consumers.
void fuseElementwise(mlir::ModuleOp module);

/// A large constant whose elements are all alike is filled in when it runs.
void fillSplats(mlir::ModuleOp module);

/// Constant weights of contractions in the order they are read in.
mlir::LogicalResult packWeights(mlir::ModuleOp module, const Machine &machine,
                                ConstantTable &constants);

/// The operand that a contraction reads as vectors of columns, with its columns
/// last in memory.
void putColumnsLast(mlir::ModuleOp module);

/// Groups of linalg ops as parallel loops over tiles.
mlir::LogicalResult distribute(mlir::ModuleOp module, const Machine &machine);

/// Concatenations as slices of the whole, or as copies.
mlir::LogicalResult lowerConcats(mlir::ModuleOp module);

/// The arguments of loops in an order in which their tensors are updated in
/// place.
void alignLoops(mlir::ModuleOp module);

/// Tensors to buffers: in place where the old value is dead.
mlir::LogicalResult bufferize(mlir::ModuleOp module);

/// Frees the buffers of a loop's state that a turn replaces.
void freeLoopBuffers(mlir::ModuleOp module);

/// Frees each buffer after its last use where that is in the block that
/// allocates it; the run frees the others when it ends.
void insertDeallocations(mlir::ModuleOp module);

/// A copy that is not of contiguous memory as a loop nest; LLVM's copy is for
/// contiguous memory alone.
void lowerStridedCopies(mlir::ModuleOp module);

/// The loops of a long function as functions of their own.
void outlineLoops(mlir::ModuleOp module);

/// A call of `isthmusPoll` in each turn of a loop of the program.
void insertPolls(mlir::ModuleOp module);

/// Linalg on buffers to loops of vectors, where it has such a form.
mlir::LogicalResult vectorize(mlir::ModuleOp module, const Machine &machine);

/// Each `cf.assert` where the numbers are known that it is about, before
/// buffers of these sizes are written.
void hoistAssertions(mlir::ModuleOp module);

/// An assertion before each op that its operands fit together and that its
/// result is as large as its type says, where sizes are open.
void checkShapes(mlir::ModuleOp module);

/// An assertion before each access to a buffer that it is inside.
mlir::LogicalResult assertBounds(mlir::ModuleOp module);

/// An assertion before each buffer that its size in bytes does not overflow.
mlir::LogicalResult assertAllocations(mlir::ModuleOp module);

/// A failed `cf.assert` ends the run with its message, not the process.
void lowerAssertions(mlir::ModuleOp module);

/// The loops and branches of a long function as functions of their own; after
/// all that looks for the uses of a buffer.
void outlineControlFlow(mlir::ModuleOp module);

/// Loops, vectors and buffers to the LLVM dialect.
mlir::LogicalResult lowerToLlvm(mlir::ModuleOp module);

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_CODEGEN_H
