//===- WeightStream.h - Writing weights without keeping them --------------===//

#ifndef ISTHMUS_LIB_API_WEIGHTSTREAM_H
#define ISTHMUS_LIB_API_WEIGHTSTREAM_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <system_error>

namespace isthmus {

/// A file being written from memory that is mostly a mapped model. A gigabyte
/// of weights passes through little resident memory: it is copied from file to
/// file, or each block is read from the file that holds it.
class WeightStream : public llvm::raw_ostream {
public:
  /// The file stays open when the stream goes. `progress`, if there is one, is
  /// told now and then how many bytes are written, and says whether to go on.
  explicit WeightStream(int file, std::function<bool(uint64_t)> progress = {})
      : file(file), progress(std::move(progress)) {}
  ~WeightStream() override { flush(); }

  /// The first error of any write so far; valid after a flush.
  std::error_code error() const { return failure; }

private:
  void write_impl(const char *data, size_t size) override;
  uint64_t current_pos() const override { return position; }
  size_t preferred_buffer_size() const override { return 64 * 1024; }

  void writeAll(llvm::ArrayRef<char> bytes);

  int file;
  std::function<bool(uint64_t)> progress;
  uint64_t position = 0, told = 0;
  std::error_code failure;
  llvm::SmallVector<char, 0> block;
};

} // namespace isthmus

#endif // ISTHMUS_LIB_API_WEIGHTSTREAM_H
