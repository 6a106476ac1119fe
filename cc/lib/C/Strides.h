//===- Strides.h - Strides of dense tensors ---------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_C_STRIDES_H
#define ISTHMUS_LIB_C_STRIDES_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace isthmus::c {

/// Row-major strides, in elements.
inline std::vector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> dims) {
  std::vector<int64_t> strides(dims.size());
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0; stride *= dims[i])
    strides[i] = stride;
  return strides;
}

} // namespace isthmus::c

#endif // ISTHMUS_LIB_C_STRIDES_H
