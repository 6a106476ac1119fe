//===- ResourceBytes.h - What a dense_resource holds ------------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_RESOURCEBYTES_H
#define ISTHMUS_SUPPORT_RESOURCEBYTES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace isthmus {

/// The bytes of a resource, where they lie; none if the program was read
/// without them.
inline llvm::ArrayRef<char> bytesOf(mlir::DenseResourceElementsAttr resource) {
  mlir::AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  return blob ? blob->getData() : llvm::ArrayRef<char>();
}

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_RESOURCEBYTES_H
