//===- Constants.h - Elements as TOSA files store them ----------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TOSAFILE_CONSTANTS_H
#define ISTHMUS_LIB_CONVERSION_TOSAFILE_CONSTANTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/raw_ostream.h"

namespace isthmus::tosa_file {

/// The bytes that a file has for a constant; nullopt if they are not known: a
/// resource without its elements, or another attribute than dense elements.
std::optional<uint64_t> countBytes(mlir::ElementsAttr elements);

/// Writes the elements in row-major order, as little-endian numbers. A bool
/// takes a byte, and two numbers of 4 bits share one, the first in its low
/// bits.
void writeElements(mlir::ElementsAttr elements, llvm::raw_ostream &os);

} // namespace isthmus::tosa_file

#endif // ISTHMUS_LIB_CONVERSION_TOSAFILE_CONSTANTS_H
