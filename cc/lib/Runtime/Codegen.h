//===- Codegen.h - From linalg on tensors to LLVM -------------------------===//
//
// The stages, in order. Each is one function in a file of the same name; the
// order is defined only in Codegen.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_RUNTIME_CODEGEN_H
#define ISTHMUS_LIB_RUNTIME_CODEGEN_H

#include "Constants.h"
#include "Machine.h"
#include "isthmus/Runtime/Jit.h"

#include "mlir/IR/BuiltinOps.h"

namespace isthmus {

/// Runs `main` of a program, which has no arguments; nothing if that fails.
using Evaluator = llvm::function_ref<std::optional<llvm::SmallVector<Tensor>>(
    mlir::ModuleOp program)>;

/// Runs every stage on `module`, which becomes the LLVM dialect. Without
/// `evaluate`, each run computes what follows from constants. Problems are
/// emitted as diagnostics.
mlir::LogicalResult generateCode(mlir::ModuleOp module,
                                 const JitOptions &options,
                                 const Machine &machine,
                                 ConstantTable &constants, Evaluator evaluate);

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// Converts TOSA to linalg and `ml_program.func` to `func.func`; inlines calls.
mlir::LogicalResult enterLinalg(mlir::ModuleOp module);

/// Stores floats of 8 bits as bytes, and computes with them in f32.
mlir::LogicalResult storeSmallFloatsAsBytes(mlir::ModuleOp module);

/// Replaces parts of constants by constants over the same memory.
void sliceConstants(mlir::ModuleOp module, ConstantTable &table);

/// Replaces tensors that follow from large constants by constants.
void evaluateConstants(mlir::ModuleOp module, ConstantTable &table,
                       Evaluator evaluate);

/// Converts convolutions and poolings to channels-last layout.
void putChannelsLast(mlir::ModuleOp module);

/// Converts every structured op except fills to `linalg.generic`, and fuses
/// elementwise ops into their consumers.
void fuseElementwise(mlir::ModuleOp module);

/// Replaces a large splat constant by a fill at run time.
void fillSplats(mlir::ModuleOp module);

/// Stores constant weights of contractions in the order in which they are read.
mlir::LogicalResult packWeights(mlir::ModuleOp module, const Machine &machine,
                                ConstantTable &constants);

/// Lays out the operand that a contraction reads as vectors of columns, if it
/// is no constant, in the order in which it is read.
void packOperands(mlir::ModuleOp module, const Machine &machine);

/// Converts groups of linalg ops to parallel loops over tiles.
mlir::LogicalResult distribute(mlir::ModuleOp module, const Machine &machine);

/// Converts concatenations to slices of the result, or to copies.
mlir::LogicalResult lowerConcats(mlir::ModuleOp module);

/// Makes slices that drop some dims of size 1 and keep others slices of all
/// dims.
void keepUnitDims(mlir::ModuleOp module);

/// Reorders the arguments of loops so that their tensors are updated in place.
void alignLoops(mlir::ModuleOp module);

/// Converts tensors to buffers, in place if the old value is dead.
mlir::LogicalResult bufferize(mlir::ModuleOp module);

/// Frees the buffers of a loop's state that an iteration replaces.
void freeLoopBuffers(mlir::ModuleOp module);

/// Frees each buffer after its last use, if that use is in the block that
/// allocates the buffer; the others are freed when the run ends.
void insertDeallocations(mlir::ModuleOp module);

/// Converts copies of non-contiguous memory to loop nests; LLVM's memcpy
/// supports only contiguous memory.
void lowerStridedCopies(mlir::ModuleOp module);

/// Outlines the loops of a long function into separate functions.
void outlineLoops(mlir::ModuleOp module);

/// Inserts a call of `isthmusPoll` into each iteration of the program's loops.
void insertPolls(mlir::ModuleOp module);

/// Converts linalg on buffers to loops of vectors, where an op has a vector
/// form.
mlir::LogicalResult vectorize(mlir::ModuleOp module, const Machine &machine);

/// Moves each `cf.assert` up to where its operands are available, before
/// buffers of the asserted sizes are written.
void hoistAssertions(mlir::ModuleOp module);

/// Asserts before each op with dynamic sizes that its operand shapes are
/// compatible and that its result has the size that its type states.
void checkShapes(mlir::ModuleOp module);

/// Asserts before each access to a buffer that the access is in bounds.
mlir::LogicalResult assertBounds(mlir::ModuleOp module);

/// Asserts before each allocation that its size in bytes does not overflow.
mlir::LogicalResult assertAllocations(mlir::ModuleOp module);

/// Makes a failed `cf.assert` end the run with its message, not the process.
void lowerAssertions(mlir::ModuleOp module);

/// Outlines the loops and branches of a long function into separate functions;
/// must run after all stages that analyze the uses of buffers.
void outlineControlFlow(mlir::ModuleOp module);

/// Ends a nest of loops at once if one of its loops has no iterations.
void skipEmptyNests(mlir::ModuleOp module);

/// Converts loops, vectors and buffers to the LLVM dialect.
mlir::LogicalResult lowerToLlvm(mlir::ModuleOp module);

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_CODEGEN_H
