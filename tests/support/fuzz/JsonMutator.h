//===- JsonMutator.h - Changes JSON as a tree -------------------*- C++ -*-===//

#ifndef ISTHMUS_TESTS_SUPPORT_FUZZ_JSONMUTATOR_H
#define ISTHMUS_TESTS_SUPPORT_FUZZ_JSONMUTATOR_H

#include "Mutation.h"

namespace isthmus::fuzz {

/// The text with one value changed, moved, left out, or replaced by one of
/// another text that stands under the same key there. Empty if it is no JSON.
std::string changeJson(llvm::StringRef text, llvm::StringRef donor,
                       Random &random);

} // namespace isthmus::fuzz

#endif // ISTHMUS_TESTS_SUPPORT_FUZZ_JSONMUTATOR_H
