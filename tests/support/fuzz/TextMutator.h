//===- TextMutator.h - Changes programs by word and line --------*- C++ -*-===//

#ifndef ISTHMUS_TESTS_SUPPORT_FUZZ_TEXTMUTATOR_H
#define ISTHMUS_TESTS_SUPPORT_FUZZ_TEXTMUTATOR_H

#include "Mutation.h"

namespace isthmus::fuzz {

/// MLIR with a word replaced by one of its kind (a name, a number, a value) of
/// another program, or with a line left out, moved, or taken from there.
std::string changeText(llvm::StringRef text, llvm::StringRef donor,
                       Random &random);

} // namespace isthmus::fuzz

#endif // ISTHMUS_TESTS_SUPPORT_FUZZ_TEXTMUTATOR_H
