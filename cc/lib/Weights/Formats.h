//===- Formats.h - Weights listed in files ----------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_WEIGHTS_FORMATS_H
#define ISTHMUS_LIB_WEIGHTS_FORMATS_H

#include "isthmus/Weights/WeightFiles.h"

namespace isthmus::weights {

/// The defects of a file, one message per finding.
using Findings = llvm::SmallVector<std::string>;

/// The weights that a manifest lists, except those with findings. Does not
/// check whether the files contain them.
std::vector<WeightExtent> readManifest(llvm::StringRef text,
                                       Findings &findings);

/// The weights that the header of a safetensors file lists, likewise. Their
/// `file` is empty.
std::vector<WeightExtent> readSafetensors(llvm::StringRef file,
                                          Findings &findings);

// The result of findProgram for a file of each format.
std::optional<std::string> programOfManifest(llvm::StringRef text);
std::optional<std::string> programOfSafetensors(llvm::StringRef file);
std::optional<std::string> programOfIrpa(llvm::StringRef file);

} // namespace isthmus::weights

#endif // ISTHMUS_LIB_WEIGHTS_FORMATS_H
