//===- ArchiveMutator.cpp - Changes zip archives of JSON ------------------===//

#include "ArchiveMutator.h"
#include "tests/support/fuzz/JsonMutator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"
#include <vector>

using namespace isthmus::fuzz;
using llvm::StringRef;

namespace {

struct Record {
  std::string path, data;
};

using Records = std::vector<Record>;

constexpr size_t localSize = 30;

} // namespace

template <typename T>
static T get(StringRef bytes, size_t position) {
  return llvm::support::endian::read<T, llvm::endianness::little>(bytes.data() +
                                                                  position);
}

/// Appends a number in little-endian order to the bytes.
template <typename T>
static void put(T value, std::string &bytes) {
  char field[sizeof(T)];
  llvm::support::endian::write<T>(field, value, llvm::endianness::little);
  bytes.append(field, sizeof(T));
}

/// Reads the records by their local headers, one after the other.
static Records parse(StringRef bytes) {
  Records records;
  while (bytes.size() >= localSize && bytes.starts_with("PK\3\4")) {
    size_t size = get<uint32_t>(bytes, 18), pathSize = get<uint16_t>(bytes, 26);
    size_t data = localSize + pathSize + get<uint16_t>(bytes, 28);
    if (data + size > bytes.size())
      break;
    records.push_back({bytes.substr(localSize, pathSize).str(),
                       bytes.substr(data, size).str()});
    bytes = bytes.drop_front(data + size);
  }
  return records;
}

/// The fields that both headers of a record share, from the version to the
/// extra field.
static std::string describe(const Record &record) {
  std::string fields;
  put<uint16_t>(20, fields); // version
  put<uint16_t>(0, fields);  // flags
  put<uint16_t>(0, fields);  // method: stored
  put<uint32_t>(0, fields);  // time
  put<uint32_t>(llvm::crc32(llvm::arrayRefFromStringRef(record.data)), fields);
  put<uint32_t>(record.data.size(), fields);
  put<uint32_t>(record.data.size(), fields);
  put<uint16_t>(record.path.size(), fields);
  put<uint16_t>(0, fields);
  return fields;
}

/// Falsifies a directory's entry: its method, flags, sizes, or the position of
/// the record.
static void spoil(std::string &entry, size_t archiveSize, Random &random) {
  constexpr size_t fields[] = {8, 10, 20, 24, 28, 30, 32, 42};
  size_t at = random.pick(fields);
  bool isWide = at == 20 || at == 24 || at == 42;
  uint32_t value = at == 10          ? 8 // deflated
                   : random.oneIn(2) ? random.number(entry[at])
                                     : random.below(archiveSize);
  std::string field;
  put<uint32_t>(value, field);
  entry.replace(at, isWide ? 4 : 2, field, 0, isWide ? 4 : 2);
  if (at == 20 && random.oneIn(2)) // keep both sizes equal
    entry.replace(24, 4, field);
}

/// Appends the end of an archive whose numbers are in a zip64 structure.
static void putZip64End(size_t entries, size_t size, size_t offset,
                        std::string &bytes, Random &random) {
  uint64_t position = bytes.size();
  uint64_t numbers[] = {entries, entries, size, offset};
  if (random.oneIn(2))
    random.pick(numbers) = random.number(position);
  bytes += "PK\6\6";
  put<uint64_t>(44, bytes);
  put<uint16_t>(45, bytes);
  put<uint16_t>(45, bytes);
  put<uint64_t>(0, bytes); // disks
  for (uint64_t number : numbers)
    put<uint64_t>(number, bytes);
  bytes += "PK\6\7";
  put<uint32_t>(0, bytes);
  put<uint64_t>(random.oneIn(4) ? random.number(position) : position, bytes);
  put<uint32_t>(1, bytes);
}

static std::string write(const Records &records, Random &random) {
  std::string bytes, directory;
  size_t spoiled = random.below(records.size() * 8); // no record in most cases
  for (auto [i, record] : llvm::enumerate(records)) {
    std::string entry = "PK\1\2";
    put<uint16_t>(20, entry);
    entry += describe(record);
    entry.append(10, '\0'); // comment, disk, attributes
    put<uint32_t>(bytes.size(), entry);
    bytes += "PK\3\4" + describe(record) + record.path + record.data;
    if (i == spoiled)
      spoil(entry, bytes.size(), random);
    directory += entry + record.path;
  }
  size_t offset = bytes.size();
  bytes += directory;
  if (random.oneIn(16))
    putZip64End(records.size(), directory.size(), offset, bytes, random);
  bytes += "PK\5\6";
  put<uint32_t>(0, bytes);
  put<uint16_t>(records.size(), bytes);
  put<uint16_t>(records.size(), bytes);
  put<uint32_t>(directory.size(), bytes);
  put<uint32_t>(offset, bytes);
  put<uint16_t>(0, bytes);
  return bytes;
}

/// A record's data, or that of the donor's record of the same path.
static StringRef find(const Records &donor, const Record &record) {
  auto found = llvm::find_if(donor, [&](const Record &other) {
    return StringRef(other.path).split('/').second ==
           StringRef(record.path).split('/').second;
  });
  return found == donor.end() ? StringRef(record.data) : found->data;
}

static void changeRecords(Records &records, const Records &donor,
                          Random &random) {
  size_t at = random.below(records.size());
  switch (random.below(5)) {
  case 0:
    records.erase(records.begin() + at);
    return;
  case 1:
    records.push_back(random.pick(donor));
    return;
  case 2:
    records[at].path = random.pick(records).path;
    return;
  case 3:
    records[at].path = mutateBytes(records[at].path, /*most=*/16);
    return;
  default:
    records[at].data = random.pick(donor).data;
  }
}

std::string isthmus::fuzz::changeArchive(StringRef bytes, StringRef donor,
                                         Random &random) {
  Records records = parse(bytes), others = parse(donor);
  if (records.empty() || others.empty())
    return "";
  if (random.oneIn(16))
    changeRecords(records, others, random);
  if (records.empty())
    return write(others, random);
  // Most changes go to the largest record. It has the graph, which is the most
  // complex part.
  auto record = llvm::max_element(records, [](const auto &a, const auto &b) {
    return a.data.size() < b.data.size();
  });
  if (random.oneIn(3))
    record = records.begin() + random.below(records.size());
  std::string changed;
  // Otherwise the bytes are mutated, with words of the dictionary, which are
  // JSON too.
  if (!random.oneIn(2))
    changed = changeJson(record->data, find(others, *record), random);
  record->data =
      changed.empty() ? mutateBytes(std::move(record->data)) : changed;
  return write(records, random);
}
