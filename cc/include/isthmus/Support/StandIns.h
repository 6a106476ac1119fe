//===- StandIns.h - MLIR's own drivers in place of ours ---------*- C++ -*-===//
//
// Some drivers of MLIR are replaced by ones under which a program of any length
// stays in the processor's caches; docs/stand-ins.md lists them and the gain of
// each. With ISTHMUS_UPSTREAM=1 in the environment, all of them behave like
// MLIR's own. Use this first to try a new version of MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_SUPPORT_STANDINS_H
#define ISTHMUS_SUPPORT_STANDINS_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace isthmus {

inline bool usesUpstream() {
  static const bool uses = [] {
    const char *value = std::getenv("ISTHMUS_UPSTREAM");
    return value && !std::strcmp(value, "1");
  }();
  return uses;
}

/// How many ops a driver converts before the next ones: `ours`, or all.
inline size_t stretchSize(size_t ours) {
  return usesUpstream() ? SIZE_MAX : ours;
}

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_STANDINS_H
