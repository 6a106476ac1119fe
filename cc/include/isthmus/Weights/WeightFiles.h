//===- WeightFiles.h - Weights beside a program -----------------*- C++ -*-===//
//
// A program may keep its weights in files: in a safetensors file, or in their
// original files with a manifest that gives the place of each weight.
// docs/weights.md describes both.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_WEIGHTS_WEIGHTFILES_H
#define ISTHMUS_WEIGHTS_WEIGHTFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace isthmus {

/// A weight's name, type and bytes: row-major, little-endian.
struct WeightData {
  std::string name;
  /// In MLIR's spelling: "f32".
  std::string elementType;
  llvm::SmallVector<int64_t> shape;
  llvm::ArrayRef<char> data;
};

/// The place of a weight's bytes.
struct WeightExtent {
  std::string name, elementType;
  llvm::SmallVector<int64_t> shape;
  /// Relative to the folder of the manifest or weight file, with '/'.
  std::string file;
  /// In bytes.
  uint64_t offset = 0, length = 0;
  /// `checksumOf` the bytes.
  std::optional<uint64_t> checksum;
};

/// The 64-bit XXH3 hash of the little-endian XXH3 hashes of each MiB. nullopt
/// if the file that holds the bytes became shorter.
std::optional<uint64_t> checksumOf(llvm::ArrayRef<char> data);

/// The weights of a program, mapped from its files.
class WeightFiles {
public:
  /// Maps the files that a manifest names, or a safetensors file, and checks
  /// their content, including checksums. The error joins one StringError for
  /// each finding; a finding with an error code comes from the system.
  static llvm::Expected<std::unique_ptr<WeightFiles>>
  open(llvm::StringRef path);

  /// Null if there is no weight of that name.
  const WeightData *lookup(llvm::StringRef name) const;

private:
  llvm::StringMap<WeightData> weights;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> files;
};

/// Whether files can hold elements of a type, given in MLIR's spelling.
bool isElementType(llvm::StringRef name);

// The written files record the program they belong to: a file name, or "".

/// Writes a safetensors file, whose data begin at a multiple of 64 bytes.
/// Returns the places of the weights in it, in order.
std::vector<WeightExtent> writeSafetensors(llvm::ArrayRef<WeightData> weights,
                                           llvm::StringRef file,
                                           llvm::StringRef program,
                                           llvm::raw_ostream &os);

/// Writes an archive of parameters for IREE's runtime, which looks them up by
/// name.
void writeIrpa(llvm::ArrayRef<WeightData> weights, llvm::StringRef program,
               llvm::raw_ostream &os);

/// Writes a manifest.
void writeManifest(llvm::ArrayRef<WeightExtent> weights,
                   llvm::StringRef program, llvm::raw_ostream &os);

/// The program that one of these functions wrote the file at `path` for; the
/// extension tells the format. nullopt if another program wrote it.
std::optional<std::string> findProgram(llvm::StringRef path);

} // namespace isthmus

#endif // ISTHMUS_WEIGHTS_WEIGHTFILES_H
