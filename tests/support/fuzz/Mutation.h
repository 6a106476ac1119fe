//===- Mutation.h - Shared code of mutators of all formats ------*- C++ -*-===//

#ifndef ISTHMUS_TESTS_SUPPORT_FUZZ_MUTATION_H
#define ISTHMUS_TESTS_SUPPORT_FUZZ_MUTATION_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace isthmus::fuzz {

class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}

  /// A number from 0 up to, but without, `end`, which must not be 0.
  size_t below(size_t end) { return engine() % end; }
  bool oneIn(size_t count) { return below(count) == 0; }

  template <typename List>
  auto &pick(List &&list) {
    return *(std::begin(list) + below(std::size(list)));
  }

  /// A number for which readers may have a bug, or a number near `value`.
  int64_t number(int64_t value) {
    constexpr int64_t least = std::numeric_limits<int64_t>::min();
    constexpr int64_t most = std::numeric_limits<int64_t>::max();
    static constexpr int64_t edges[] = {
        0,        1,         2,     3,         4,        7,        16,
        64,       127,       255,   256,       65535,    -1,       -2,
        -128,     -32769,    100,   INT32_MAX, 1L << 31, 1L << 32, 1L << 53,
        1L << 62, INT32_MIN, least, most};
    if (oneIn(3))
      return static_cast<uint64_t>(value) + below(5) - 2;
    return pick(edges);
  }

private:
  std::minstd_rand engine;
};

/// The bytes after a mutation by libFuzzer itself, which uses its dictionary.
inline std::string mutateBytes(std::string bytes, size_t most = 64) {
  size_t size = bytes.size();
  bytes.resize(size + most);
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(bytes.data()), size,
                                bytes.size()));
  return bytes;
}

inline llvm::StringRef toText(const uint8_t *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

/// Passes a mutated input to libFuzzer, or none if it is too long.
inline size_t give(llvm::StringRef bytes, uint8_t *data, size_t maxSize) {
  if (bytes.size() > maxSize)
    return 0;
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

} // namespace isthmus::fuzz

/// Defines the mutator and the cross-over of a fuzz target by a function
///
///   std::string change(StringRef input, StringRef donor, Random &random)
///
/// The function makes one change and may take parts of another input or of the
/// same one. If its result is empty, libFuzzer mutates the input itself.
#define ISTHMUS_FUZZ_MUTATOR(change)                                           \
  extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,        \
                                            size_t maxSize, unsigned seed) {   \
    isthmus::fuzz::Random random(seed);                                        \
    llvm::StringRef input = isthmus::fuzz::toText(data, size);                 \
    if (!random.oneIn(8))                                                      \
      if (std::string changed = change(input, input, random);                  \
          !changed.empty() && changed.size() <= maxSize)                       \
        return isthmus::fuzz::give(changed, data, maxSize);                    \
    return LLVMFuzzerMutate(data, size, maxSize);                              \
  }                                                                            \
  extern "C" size_t LLVMFuzzerCustomCrossOver(                                 \
      const uint8_t *data, size_t size, const uint8_t *donor,                  \
      size_t donorSize, uint8_t *result, size_t maxSize, unsigned seed) {      \
    isthmus::fuzz::Random random(seed);                                        \
    return isthmus::fuzz::give(change(isthmus::fuzz::toText(data, size),       \
                                      isthmus::fuzz::toText(donor, donorSize), \
                                      random),                                 \
                               result, maxSize);                               \
  }

#endif // ISTHMUS_TESTS_SUPPORT_FUZZ_MUTATION_H
