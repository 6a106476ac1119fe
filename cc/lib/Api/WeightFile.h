//===- WeightFile.h - The files that locate weights -------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_API_WEIGHTFILE_H
#define ISTHMUS_LIB_API_WEIGHTFILE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace isthmus {

/// The manifest's path for a program's file: "m.weights.json" of "m.mlirbc".
std::string manifestOf(llvm::StringRef path);
/// The safetensors file, the same way: "m.safetensors".
std::string safetensorsOf(llvm::StringRef path);
/// IREE's archive, the same way: "m.irpa".
std::string irpaOf(llvm::StringRef path);

/// The manifest or the safetensors file, if one exists; empty if none does.
std::string findWeightFile(llvm::StringRef path);

} // namespace isthmus

#endif // ISTHMUS_LIB_API_WEIGHTFILE_H
