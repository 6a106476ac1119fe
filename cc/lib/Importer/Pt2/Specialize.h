//===- Specialize.h - Values for symbolic sizes -----------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_IMPORTER_PT2_SPECIALIZE_H
#define ISTHMUS_LIB_IMPORTER_PT2_SPECIALIZE_H

#include "Import.h"

namespace isthmus::pt2 {

/// Finds the values of symbols from the input sizes in the options. Sizes that
/// the program does not accept are errors.
mlir::LogicalResult specialize(Import &import,
                               const schema::ExportedProgram &program);

} // namespace isthmus::pt2

#endif // ISTHMUS_LIB_IMPORTER_PT2_SPECIALIZE_H
