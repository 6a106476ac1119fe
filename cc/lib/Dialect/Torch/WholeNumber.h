//===- WholeNumber.h - Doubles as integers ----------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_DIALECT_TORCH_WHOLENUMBER_H
#define ISTHMUS_LIB_DIALECT_TORCH_WHOLENUMBER_H

#include <cstdint>
#include <optional>

namespace isthmus::torch {

/// `value` without its fraction, if an int64_t holds it.
inline std::optional<int64_t> wholeNumber(double value) {
  if (!(value >= -0x1p63 && value < 0x1p63))
    return std::nullopt;
  return static_cast<int64_t>(value);
}

} // namespace isthmus::torch

#endif // ISTHMUS_LIB_DIALECT_TORCH_WHOLENUMBER_H
