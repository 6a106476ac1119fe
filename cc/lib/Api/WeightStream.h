//===- WeightStream.h - Writing weights without keeping them --------------===//

#ifndef ISTHMUS_LIB_API_WEIGHTSTREAM_H
#define ISTHMUS_LIB_API_WEIGHTSTREAM_H

#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <system_error>

namespace isthmus {

/// A file that memory is mapped from: [begin, end) shows it from `offset` on.
struct SourceFile {
  int file;
  uintptr_t begin, end;
  uint64_t offset;
};

/// A file being written from memory that is mostly a mapped model. A gigabyte
/// of weights passes through little resident memory: what a file holds is read
/// from there, which costs a third of going through its mapping, and other
/// large blocks are handed back to the system once they are written.
class WeightStream : public llvm::raw_ostream {
public:
  /// The file stays open when the stream goes.
  explicit WeightStream(int file) : file(file) {}
  ~WeightStream() override;

  /// The first error of any write so far; valid after a flush.
  std::error_code error() const { return failure; }

private:
  void write_impl(const char *data, size_t size) override;
  uint64_t current_pos() const override { return position; }
  size_t preferred_buffer_size() const override { return 64 * 1024; }

  /// True if a file holds [data, data + size); `source` is it then.
  bool isInSource(const char *data, size_t size);
  bool copyFromSource(const char *data, size_t size);
  bool writeAll(const char *data, size_t size);

  int file;
  uint64_t position = 0;
  std::error_code failure;
  std::optional<SourceFile> source;
};

} // namespace isthmus

#endif // ISTHMUS_LIB_API_WEIGHTSTREAM_H
