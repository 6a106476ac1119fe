//===- JsonMutator.h - Changes JSON as a tree -------------------*- C++ -*-===//

#ifndef ISTHMUS_TESTS_SUPPORT_FUZZ_JSONMUTATOR_H
#define ISTHMUS_TESTS_SUPPORT_FUZZ_JSONMUTATOR_H

#include "Mutation.h"

namespace isthmus::fuzz {

/// The text with one value changed, moved, left out, or replaced by a value
/// with the same key of another text. Empty if the text is not JSON.
std::string changeJson(llvm::StringRef text, llvm::StringRef donor,
                       Random &random);

} // namespace isthmus::fuzz

#endif // ISTHMUS_TESTS_SUPPORT_FUZZ_JSONMUTATOR_H
