//===- SizeIntegers.h - Sizes computed as PyTorch does ----------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_SIZEINTEGERS_H
#define ISTHMUS_SUPPORT_SIZEINTEGERS_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace isthmus {

/// `a sign b` for Python's integers, with the sign "+", "*", "//", "%" or "**".
/// nullopt for a result beyond 64 bits, a divisor that is not positive, an
/// exponent outside 0 to 64, and any other sign.
std::optional<int64_t> computeSize(llvm::StringRef sign, int64_t a, int64_t b);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_SIZEINTEGERS_H
