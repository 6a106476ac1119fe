//===- Formats.h - What the files say of weights ----------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_WEIGHTS_FORMATS_H
#define ISTHMUS_LIB_WEIGHTS_FORMATS_H

#include "isthmus/Weights/WeightFiles.h"

namespace isthmus::weights {

/// What is wrong with a file, one message per finding.
using Findings = llvm::SmallVector<std::string>;

/// The weights that a manifest lists, but for those with findings. Whether they
/// are in the files is not looked at.
std::vector<WeightExtent> readManifest(llvm::StringRef text,
                                       Findings &findings);

/// The weights that the header of a safetensors file lists, the same way. Their
/// `file` is empty.
std::vector<WeightExtent> readSafetensors(llvm::StringRef file,
                                          Findings &findings);

// What findProgram says, of a file of each format.
std::optional<std::string> programOfManifest(llvm::StringRef text);
std::optional<std::string> programOfSafetensors(llvm::StringRef file);
std::optional<std::string> programOfIrpa(llvm::StringRef file);

} // namespace isthmus::weights

#endif // ISTHMUS_LIB_WEIGHTS_FORMATS_H
