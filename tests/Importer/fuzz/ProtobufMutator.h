//===- ProtobufMutator.h - Changes protobuf by field ------------*- C++ -*-===//

#ifndef ISTHMUS_TESTS_IMPORTER_FUZZ_PROTOBUFMUTATOR_H
#define ISTHMUS_TESTS_IMPORTER_FUZZ_PROTOBUFMUTATOR_H

#include "tests/support/fuzz/Mutation.h"

namespace isthmus::fuzz {

/// The message with one field, at any depth, changed, moved, left out,
/// repeated, or taken from another message. Empty if the message is not
/// protobuf.
std::string changeProtobuf(llvm::StringRef message, llvm::StringRef donor,
                           Random &random);

} // namespace isthmus::fuzz

#endif // ISTHMUS_TESTS_IMPORTER_FUZZ_PROTOBUFMUTATOR_H
