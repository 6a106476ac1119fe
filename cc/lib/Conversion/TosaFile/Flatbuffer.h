//===- Flatbuffer.h - Writing flatbuffers -----------------------*- C++ -*-===//
//
// A flatbuffer (https://flatbuffers.dev/internals) consists of strings, vectors
// and tables, which refer to each other by their distance, forwards only:
//
//   root ─▶ table ─▶ vector ─▶ table ─▶ string … data data data
//
// So it is built from its end: a part is added before the parts that refer to
// it. Large data is at the end of the file, where any part may refer to it. It
// is written from where it is, and is never in the buffer.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_TOSAFILE_FLATBUFFER_H
#define ISTHMUS_LIB_CONVERSION_TOSAFILE_FLATBUFFER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>

namespace isthmus::tosa_file {

class Flatbuffer {
public:
  /// The largest file: distances are 32-bit numbers, and readers refuse those
  /// with the highest bit.
  static constexpr uint64_t kMostBytes = (uint64_t(1) << 31) - 1;
  /// Data begins and ends at multiples of this, in zeros at its end.
  static constexpr unsigned kAlignment = 8;

  /// A part of the buffer, by the distance of its first byte from the end.
  struct Part {
    uint64_t distance = 0;
    explicit operator bool() const { return distance; }
  };

  /// A vector of bytes at the end of the file.
  struct Data {
    unsigned index;
  };

  /// A field of a table: a number, a part or data.
  struct Field {
    template <typename T>
    static Field number(unsigned index, T value) {
      return {index, sizeof(T), uint64_t(value), Kind::Number};
    }
    static Field part(unsigned index, Part part) {
      return {index, sizeof(uint32_t), part.distance, Kind::Part};
    }
    static Field data(unsigned index, Data data) {
      return {index, sizeof(uint32_t), data.index, Kind::Data};
    }

    enum class Kind { Number, Part, Data };
    unsigned index, size;
    uint64_t value;
    Kind kind;
  };

  Part addString(llvm::StringRef text);
  Part addVector(llvm::ArrayRef<Part> parts);
  Part addVector(llvm::ArrayRef<int32_t> numbers);
  /// A vector of bytes for data, with its alignment.
  Part addBytes(llvm::StringRef bytes);
  /// Fields have different indices. Those that are absent have the default
  /// values of the schema.
  Part addTable(llvm::ArrayRef<Field> fields);

  /// Data of `size` bytes, which `write` writes.
  Data addData(uint64_t size, std::function<void(llvm::raw_ostream &)> write);

  /// The bytes of the file so far. More than kMostBytes must not be written.
  uint64_t size() const;

  /// Writes the file, whose first bytes are the root and the identifier of four
  /// letters. Nothing may be added afterwards.
  void write(Part root, llvm::StringRef identifier, llvm::raw_ostream &os);

private:
  /// Appends zeros, so that `size` further bytes end at a multiple of
  /// `alignment`, counted from the end of the buffer.
  void align(uint64_t size, unsigned alignment);
  /// Appends a number of `size` bytes and returns its distance.
  uint64_t push(uint64_t value, unsigned size);
  /// Replaces the number at a distance.
  void put(uint64_t distance, uint64_t value, unsigned size);
  uint64_t pushDistanceTo(Part part);

  struct Chunk {
    uint64_t size;
    std::function<void(llvm::raw_ostream &)> write;
    uint64_t offset = 0; // of its length, behind the buffer
  };

  /// From the last byte to the first.
  llvm::SmallVector<char, 0> bytes;
  /// The distance of each layout of a table's fields.
  llvm::StringMap<uint64_t> layouts;
  std::vector<Chunk> chunks;
  /// The bytes behind the buffer.
  uint64_t dataSize = 0;
  /// Fields that refer to data.
  std::vector<std::pair<uint64_t, unsigned>> references;
};

} // namespace isthmus::tosa_file

#endif // ISTHMUS_LIB_CONVERSION_TOSAFILE_FLATBUFFER_H
