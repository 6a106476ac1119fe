//===- WeightStream.h - Writing weights without keeping them --------------===//

#ifndef ISTHMUS_LIB_API_WEIGHTSTREAM_H
#define ISTHMUS_LIB_API_WEIGHTSTREAM_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <system_error>

namespace isthmus {

/// A file being written from memory that is mostly a mapped model. Writing a
/// gigabyte of weights needs little resident memory: it is copied from file to
/// file, or each block is read from the file that holds it.
class WeightStream : public llvm::raw_ostream {
public:
  /// The file stays open when the stream is destroyed. `progress`, if there is
  /// one, is called from time to time with the number of bytes written, and
  /// returns whether to continue.
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
