//===- ArchiveMutator.h - Changes zip archives of JSON ----------*- C++ -*-===//

#ifndef ISTHMUS_TESTS_IMPORTER_FUZZ_ARCHIVEMUTATOR_H
#define ISTHMUS_TESTS_IMPORTER_FUZZ_ARCHIVEMUTATOR_H

#include "tests/support/fuzz/Mutation.h"

namespace isthmus::fuzz {

/// The archive with one record changed and its sizes and checksum right; now
/// and then its directory says what is not so. Empty if it has no records.
std::string changeArchive(llvm::StringRef bytes, llvm::StringRef donor,
                          Random &random);

} // namespace isthmus::fuzz

#endif // ISTHMUS_TESTS_IMPORTER_FUZZ_ARCHIVEMUTATOR_H
