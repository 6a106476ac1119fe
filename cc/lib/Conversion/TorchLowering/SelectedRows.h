//===- SelectedRows.h - select at a place known at run time -----*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHLOWERING_SELECTEDROWS_H
#define ISTHMUS_LIB_CONVERSION_TORCHLOWERING_SELECTEDROWS_H

#include "mlir/IR/Operation.h"

namespace isthmus {

/// Writes aten.select at a place that is known at run time only, which was
/// decomposed to a slice [i, i + 1) without its dim, as an aten.index_select.
/// For a backend whose ints are tensors, the sizes of such a slice depend on
/// data, but those of a gather do not.
void selectRowsByIndex(mlir::Operation *root);

} // namespace isthmus

#endif // ISTHMUS_LIB_CONVERSION_TORCHLOWERING_SELECTEDROWS_H
