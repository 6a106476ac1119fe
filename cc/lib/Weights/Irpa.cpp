//===- Irpa.cpp - IREE's parameter archives -------------------------------===//
//
// Version 0 of the format, as the IREE runtime writes and reads it; numbers are
// little-endian, and a range is an offset and a length of 64 bits each:
//
//   header    "IRPA", version: 2 x u16, size of header: u64, next header: u64,
//             flags: u64, count of entries: u64, ranges of the file: entries,
//             names, storage
//   entry     size: u64, kind: u32 (2 is data), flags: u64, ranges of the
//   names:
//             name, metadata; alignment: u64, range of the storage: data
//
// Entries begin at multiples of 16 bytes, the storage and the data in it at
// multiples of 64. The names begin with one that belongs to no entry: the
// writer of the archive, and its program.
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/MathExtras.h"

using namespace isthmus;
using llvm::alignTo;
using llvm::StringRef;

static constexpr uint64_t headerSize = 88, entrySize = 76, entryAlignment = 16,
                          dataAlignment = 64;
static constexpr uint32_t kindOfData = 2;

/// Precedes the program's name and a zero byte.
static constexpr llvm::StringLiteral writerNote = "isthmus ";
static constexpr uint64_t rangeOfNames = 56;

std::optional<std::string> weights::programOfIrpa(StringRef file) {
  if (!file.starts_with("IRPA") || file.size() < headerSize)
    return std::nullopt;
  uint64_t names = llvm::support::endian::read64le(file.data() + rangeOfNames);
  StringRef note = file.substr(names);
  if (!note.consume_front(writerNote) || !note.contains('\0'))
    return std::nullopt;
  return note.split('\0').first.str();
}

void isthmus::writeIrpa(llvm::ArrayRef<WeightData> weights, StringRef program,
                        llvm::raw_ostream &os) {
  llvm::support::endian::Writer writer(os, llvm::endianness::little);
  uint64_t position = 0;
  auto u16 = [&](uint16_t value) { writer.write(value), position += 2; };
  auto u32 = [&](uint32_t value) { writer.write(value), position += 4; };
  auto u64 = [&](uint64_t value) { writer.write(value), position += 8; };
  auto range = [&](uint64_t offset, uint64_t length) {
    u64(offset);
    u64(length);
  };
  auto padTo = [&](uint64_t end) {
    os.write_zeros(end - position);
    position = end;
  };

  uint64_t entries = alignTo(headerSize, entryAlignment);
  uint64_t entriesEnd = entries;
  std::string note = (writerNote + program).str() + '\0';
  uint64_t namesSize = note.size(), storageSize = 0;
  for (const WeightData &weight : weights) {
    entriesEnd = alignTo(entriesEnd, entryAlignment) + entrySize;
    namesSize += weight.name.size();
    storageSize = alignTo(storageSize, dataAlignment) + weight.data.size();
  }
  uint64_t storage = alignTo(entriesEnd + namesSize, dataAlignment);

  os << "IRPA";
  position += 4;
  u16(0);
  u16(0);
  u64(headerSize);
  u64(0); // no next header
  u64(0);
  u64(weights.size());
  range(entries, entriesEnd - entries);
  range(entriesEnd, namesSize);
  range(storage, storageSize);

  uint64_t name = note.size(), data = 0;
  for (const WeightData &weight : weights) {
    padTo(alignTo(position, entryAlignment));
    data = alignTo(data, dataAlignment);
    u64(entrySize);
    u32(kindOfData);
    u64(0);
    range(name, weight.name.size());
    range(0, 0); // no metadata
    u64(dataAlignment);
    range(data, weight.data.size());
    name += weight.name.size();
    data += weight.data.size();
  }
  padTo(entriesEnd);
  os << note;
  for (const WeightData &weight : weights)
    os << weight.name;
  position += namesSize;
  for (const WeightData &weight : weights) {
    padTo(alignTo(position, dataAlignment));
    os.write(weight.data.data(), weight.data.size());
    position += weight.data.size();
  }
  padTo(storage + storageSize);
}
