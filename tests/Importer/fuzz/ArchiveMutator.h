//===- ArchiveMutator.h - Changes zip archives of JSON ----------*- C++ -*-===//

#ifndef ISTHMUS_TESTS_IMPORTER_FUZZ_ARCHIVEMUTATOR_H
#define ISTHMUS_TESTS_IMPORTER_FUZZ_ARCHIVEMUTATOR_H

#include "tests/support/fuzz/Mutation.h"

namespace isthmus::fuzz {

/// The archive with one record changed, and with correct sizes and checksum.
/// Sometimes the directory is falsified. Empty if the archive has no records.
std::string changeArchive(llvm::StringRef bytes, llvm::StringRef donor,
                          Random &random);

} // namespace isthmus::fuzz

#endif // ISTHMUS_TESTS_IMPORTER_FUZZ_ARCHIVEMUTATOR_H
