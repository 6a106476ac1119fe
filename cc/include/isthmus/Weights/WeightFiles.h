//===- WeightFiles.h - Weights beside a program -----------------*- C++ -*-===//
//
// A program may leave its weights in files: in a safetensors file, or wherever
// they lay before, with a manifest that says of each weight where. Both are
// described in docs/weights.md.
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
  /// As MLIR spells it: "f32".
  std::string elementType;
  llvm::SmallVector<int64_t> shape;
  llvm::ArrayRef<char> data;
};

/// Where a weight's bytes lie.
struct WeightExtent {
  std::string name, elementType;
  llvm::SmallVector<int64_t> shape;
  /// Relative to the folder of whoever says so, with '/'.
  std::string file;
  /// In bytes.
  uint64_t offset = 0, length = 0;
  /// checksumOf the bytes.
  std::optional<uint64_t> checksum;
};

/// The XXH3 hash, of 64 bits, of the XXH3 hashes of each MiB, little-endian.
/// Nothing if the file that holds the bytes became shorter.
std::optional<uint64_t> checksumOf(llvm::ArrayRef<char> data);

/// The weights of a program, where its files have them.
class WeightFiles {
public:
  /// Maps the files that a manifest names, or a safetensors file, and checks
  /// all that they say, checksums too. The error joins one StringError for each
  /// finding; one with an error code is the system's.
  static llvm::Expected<std::unique_ptr<WeightFiles>>
  open(llvm::StringRef path);

  /// Null if there is no weight of that name.
  const WeightData *lookup(llvm::StringRef name) const;

private:
  llvm::StringMap<WeightData> weights;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> files;
};

/// Whether files can hold elements of a type, as MLIR spells it.
bool isElementType(llvm::StringRef name);

// What these write says for which program it is: a file's name, or "".

/// Writes a safetensors file, whose data begin at a multiple of 64 bytes.
/// Returns where the weights lie in it, in their order.
std::vector<WeightExtent> writeSafetensors(llvm::ArrayRef<WeightData> weights,
                                           llvm::StringRef file,
                                           llvm::StringRef program,
                                           llvm::raw_ostream &os);

/// Writes an archive of parameters for IREE's runtime, which finds them by
/// name.
void writeIrpa(llvm::ArrayRef<WeightData> weights, llvm::StringRef program,
               llvm::raw_ostream &os);

/// Writes a manifest.
void writeManifest(llvm::ArrayRef<WeightExtent> weights,
                   llvm::StringRef program, llvm::raw_ostream &os);

/// The program that the file at `path` was written for by one of these, which
/// its extension tells; nothing if something else wrote it.
std::optional<std::string> findProgram(llvm::StringRef path);

} // namespace isthmus

#endif // ISTHMUS_WEIGHTS_WEIGHTFILES_H
