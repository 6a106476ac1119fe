//===- Strides.h - Elements of a storage ------------------------*- C++ -*-===//
//
// Sizes and strides may be expressions over symbols. They are compared at one
// large number for each symbol: what holds there is taken to hold for all
// numbers. An answer is nothing if an expression cannot be computed.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_IMPORTER_PT2_STRIDES_H
#define ISTHMUS_LIB_IMPORTER_PT2_STRIDES_H

#include "Schema.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace isthmus::pt2 {

/// True if elements lie in row-major order without gaps.
std::optional<bool> isContiguous(const schema::TensorMeta &meta);

/// The dims of a tensor in the order of its storage; nothing if its elements do
/// not lie there without gaps, or if a size or stride is not a number.
std::optional<llvm::SmallVector<int64_t>>
getStorageOrder(const schema::TensorMeta &meta);

/// A view of a tensor whose elements lie without gaps: the view's element
/// [i, j] is the tensor's element number offset + i*strides[0] + j*strides[1].
struct StridedView {
  std::vector<schema::SymInt> sizes, strides;
  schema::SymInt offset;
};

/// Whether a view has elements of `base` only.
std::optional<bool> isInside(const StridedView &view,
                             const schema::TensorMeta &base);

} // namespace isthmus::pt2

#endif // ISTHMUS_LIB_IMPORTER_PT2_STRIDES_H
