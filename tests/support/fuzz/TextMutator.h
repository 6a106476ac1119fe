//===- TextMutator.h - Changes programs by word and line --------*- C++ -*-===//

#ifndef ISTHMUS_TESTS_SUPPORT_FUZZ_TEXTMUTATOR_H
#define ISTHMUS_TESTS_SUPPORT_FUZZ_TEXTMUTATOR_H

#include "Mutation.h"

namespace isthmus::fuzz {

/// An MLIR text with a word replaced by a word of the same kind (a name, a
/// number, a value) from another program, or with a line left out, moved, or
/// taken from there.
std::string changeText(llvm::StringRef text, llvm::StringRef donor,
                       Random &random);

} // namespace isthmus::fuzz

#endif // ISTHMUS_TESTS_SUPPORT_FUZZ_TEXTMUTATOR_H
