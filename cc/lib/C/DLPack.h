//===- DLPack.h - The tensors that frameworks exchange ----------*- C++ -*-===//
//
// The layout of DLPack's ABI, from its description:
// https://dmlc.github.io/dlpack/latest/c_api.html
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_C_DLPACK_H
#define ISTHMUS_LIB_C_DLPACK_H

#include <cstdint>

struct DLDevice {
  int32_t device_type, device_id;
};

struct DLDataType {
  uint8_t code, bits;
  uint16_t lanes;
};

struct DLTensor {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides; // in elements; null is row-major
  uint64_t byte_offset;
};

struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(DLManagedTensor *self);
};

namespace isthmus::dlpack {

inline constexpr int32_t kCpu = 1;

/// The codes of dtypes.
enum Code : uint8_t {
  Int = 0,
  UInt = 1,
  Float = 2,
  BFloat = 4,
  Complex = 5,
  Bool = 6,
  Float8E4M3FN = 10,
  Float8E4M3FNUZ = 11,
  Float8E5M2 = 12,
  Float8E5M2FNUZ = 13,
};

} // namespace isthmus::dlpack

#endif // ISTHMUS_LIB_C_DLPACK_H
