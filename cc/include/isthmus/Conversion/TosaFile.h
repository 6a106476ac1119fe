//===- TosaFile.h - Programs as files of TOSA 1.0 ---------------*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_TOSAFILE_H
#define ISTHMUS_CONVERSION_TOSAFILE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace isthmus {

/// Writes a program as a flatbuffer of TOSA 1.0, a `.tosa` file. The program is
/// one function of TOSA ops, which the file calls "main", and variables. An
/// error at everything that the format cannot hold; then nothing is written.
///
/// Inputs and outputs have the names of their attributes, such as `onnx.name`
/// and `isthmus.weight`; ops have those of the model's nodes.
/// Constants go from where they are to the stream, without a copy of all.
mlir::LogicalResult writeTosaFile(mlir::ModuleOp module, llvm::raw_ostream &os);

} // namespace isthmus

#endif // ISTHMUS_CONVERSION_TOSAFILE_H
