//===- ResourceBytes.h - The bytes of a dense_resource ----------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_RESOURCEBYTES_H
#define ISTHMUS_SUPPORT_RESOURCEBYTES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace isthmus {

/// The bytes of a resource, without a copy; empty if the program was read
/// without them.
inline llvm::ArrayRef<char> bytesOf(mlir::DenseResourceElementsAttr resource) {
  mlir::AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  return blob ? blob->getData() : llvm::ArrayRef<char>();
}

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_RESOURCEBYTES_H
