//===- SizeIntegers.cpp - Sizes computed as PyTorch does ------------------===//

#include "isthmus/Support/SizeIntegers.h"

#include "llvm/Support/MathExtras.h"

using llvm::StringRef;

static std::optional<int64_t> power(int64_t base, int64_t exponent) {
  constexpr int64_t largest = 64;
  if (exponent < 0 || exponent > largest)
    return std::nullopt;
  int64_t result = 1;
  for (int64_t i = 0; i < exponent; ++i)
    if (llvm::MulOverflow(result, base, result))
      return std::nullopt;
  return result;
}

std::optional<int64_t> isthmus::computeSize(StringRef sign, int64_t a,
                                            int64_t b) {
  int64_t result;
  if (sign == "+")
    return llvm::AddOverflow(a, b, result) ? std::nullopt
                                           : std::optional(result);
  if (sign == "*")
    return llvm::MulOverflow(a, b, result) ? std::nullopt
                                           : std::optional(result);
  if (sign == "**")
    return power(a, b);
  if (b <= 0 || (sign != "//" && sign != "%"))
    return std::nullopt;
  // C++ rounds towards zero, Python down.
  int64_t quotient = a / b, remainder = a % b;
  bool roundsUp = remainder < 0;
  return sign == "//" ? quotient - roundsUp : remainder + (roundsUp ? b : 0);
}
