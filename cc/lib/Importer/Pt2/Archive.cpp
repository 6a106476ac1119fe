//===- Archive.cpp - The records of a zip file ----------------------------===//

#include "Archive.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include <optional>

using namespace isthmus::pt2;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {

// Signatures and fixed sizes of the format's structures.
constexpr uint32_t localHeaderSignature = 0x04034b50;
constexpr uint32_t directoryEntrySignature = 0x02014b50;
constexpr uint32_t directoryEndSignature = 0x06054b50;
constexpr uint32_t zip64EndSignature = 0x06064b50;
constexpr uint32_t zip64LocatorSignature = 0x07064b50;
constexpr uint64_t localHeaderSize = 30;
constexpr uint64_t directoryEntrySize = 46;
constexpr uint64_t directoryEndSize = 22;
constexpr uint64_t zip64EndSize = 56;
constexpr uint64_t zip64LocatorSize = 20;
constexpr uint16_t zip64ExtraTag = 0x0001;

/// A 32-bit field holds this when a zip64 structure has the value.
constexpr uint32_t elsewhere = 0xffffffff;

/// A little-endian number of `bytes` at `position`, which is in bounds.
template <typename T>
T get(StringRef bytes, uint64_t position) {
  return llvm::support::endian::read<T, llvm::endianness::little>(bytes.data() +
                                                                  position);
}

/// True if [position, position + size) lies in the first `end` bytes.
bool fits(uint64_t position, uint64_t size, uint64_t end) {
  return position <= end && size <= end - position;
}

Error fail(uint64_t position, const Twine &message) {
  return llvm::createStringError("byte " + Twine(position) + ": " + message);
}

/// The position of the central directory, and its number of entries.
struct Directory {
  uint64_t offset, size, entries;
};

/// The fields of a directory entry that describe a record.
struct Entry {
  uint64_t storedSize, size, headerOffset;
};

/// The zip64 structure whose locator ends at `endPosition`.
Expected<std::optional<Directory>> readZip64End(StringRef bytes,
                                                uint64_t endPosition) {
  if (endPosition < zip64LocatorSize ||
      get<uint32_t>(bytes, endPosition - zip64LocatorSize) !=
          zip64LocatorSignature)
    return std::nullopt;
  uint64_t position = get<uint64_t>(bytes, endPosition - zip64LocatorSize + 8);
  if (!fits(position, zip64EndSize, endPosition) ||
      get<uint32_t>(bytes, position) != zip64EndSignature)
    return fail(endPosition - zip64LocatorSize,
                "expected the place of a zip64 end of central directory, got " +
                    Twine(position));
  return Directory{get<uint64_t>(bytes, position + 48),
                   get<uint64_t>(bytes, position + 40),
                   get<uint64_t>(bytes, position + 32)};
}

/// A zip ends with its "end of central directory" and a comment of up to 64
/// KiB, whose size that record gives.
Expected<Directory> findDirectory(StringRef bytes) {
  if (bytes.size() < 4 || get<uint32_t>(bytes, 0) != localHeaderSignature)
    return fail(0, "expected a zip archive, got something else");
  for (uint64_t comment = 0; comment <= 0xffff; ++comment) {
    if (bytes.size() < directoryEndSize + comment)
      break;
    uint64_t position = bytes.size() - directoryEndSize - comment;
    if (get<uint32_t>(bytes, position) != directoryEndSignature ||
        get<uint16_t>(bytes, position + 20) != comment)
      continue;
    auto zip64 = readZip64End(bytes, position);
    if (!zip64)
      return zip64.takeError();
    Directory directory = {get<uint32_t>(bytes, position + 16),
                           get<uint32_t>(bytes, position + 12),
                           get<uint16_t>(bytes, position + 10)};
    if (*zip64)
      directory = **zip64;
    if (!fits(directory.offset, directory.size, position))
      return fail(position,
                  "expected a central directory before this byte, got " +
                      Twine(directory.size) + " bytes at " +
                      Twine(directory.offset));
    return directory;
  }
  return fail(bytes.size(),
              "expected the end of a zip archive, got a file that was cut off");
}

/// Sizes and offsets of 4 GiB or more are in an extra field, in this order,
/// which has only the values that did not fit.
Error readZip64Extra(StringRef bytes, uint64_t begin, uint64_t end,
                     Entry &entry) {
  uint64_t *wanted[] = {&entry.size, &entry.storedSize, &entry.headerOffset};
  if (llvm::none_of(wanted,
                    [](uint64_t *value) { return *value == elsewhere; }))
    return Error::success();
  while (end - begin >= 4) {
    uint16_t tag = get<uint16_t>(bytes, begin);
    uint64_t size = get<uint16_t>(bytes, begin + 2);
    begin += 4;
    if (!fits(begin, size, end))
      break;
    if (tag == zip64ExtraTag) {
      uint64_t fieldEnd = begin + size;
      for (uint64_t *value : wanted) {
        if (*value != elsewhere)
          continue;
        if (!fits(begin, 8, fieldEnd))
          break;
        *value = get<uint64_t>(bytes, begin);
        begin += 8;
      }
      return Error::success();
    }
    begin += size;
  }
  return fail(begin, "expected a zip64 extra field, got none");
}

/// The start of a record's bytes: after the local header, whose extra field may
/// differ from the directory's.
Expected<uint64_t> findData(StringRef bytes, const Entry &entry,
                            StringRef name) {
  uint64_t header = entry.headerOffset;
  if (!fits(header, localHeaderSize, bytes.size()) ||
      get<uint32_t>(bytes, header) != localHeaderSignature)
    return fail(header,
                "expected the header of '" + name + "', got something else");
  uint64_t nameSize = get<uint16_t>(bytes, header + 26);
  uint64_t extraSize = get<uint16_t>(bytes, header + 28);
  uint64_t data = header + localHeaderSize + nameSize + extraSize;
  if (!fits(data, entry.size, bytes.size()))
    return fail(header, "expected " + Twine(entry.size) + " bytes of '" + name +
                            "', got a file of " + Twine(bytes.size()));
  if (bytes.substr(header + localHeaderSize, nameSize) != name)
    return fail(header, "expected the header of '" + name +
                            "', got that of another record");
  return data;
}

} // namespace

Error Archive::readEntry(StringRef bytes, uint64_t &position, uint64_t end) {
  uint64_t start = position;
  if (!fits(start, directoryEntrySize, end) ||
      get<uint32_t>(bytes, start) != directoryEntrySignature)
    return fail(start, "expected an entry of the central directory");
  uint16_t flags = get<uint16_t>(bytes, start + 8);
  uint16_t method = get<uint16_t>(bytes, start + 10);
  Entry entry = {get<uint32_t>(bytes, start + 20),
                 get<uint32_t>(bytes, start + 24),
                 get<uint32_t>(bytes, start + 42)};
  uint64_t nameSize = get<uint16_t>(bytes, start + 28);
  uint64_t extraSize = get<uint16_t>(bytes, start + 30);
  uint64_t commentSize = get<uint16_t>(bytes, start + 32);
  uint64_t variableSize = nameSize + extraSize + commentSize;
  if (!fits(start + directoryEntrySize, variableSize, end))
    return fail(start, "expected an entry inside of the central directory");
  StringRef name = bytes.substr(start + directoryEntrySize, nameSize);
  uint64_t extra = start + directoryEntrySize + nameSize;
  if (Error error = readZip64Extra(bytes, extra, extra + extraSize, entry))
    return error;
  position += directoryEntrySize + variableSize;

  if (flags & 1)
    return fail(start,
                "expected '" + name + "' in the clear, got it encrypted");
  if (method != 0 || entry.storedSize != entry.size)
    return fail(start, "expected '" + name +
                           "' stored as it is, got it compressed: save the "
                           "program without compression");
  Expected<uint64_t> data = findData(bytes, entry, name);
  if (!data)
    return data.takeError();

  // PyTorch puts all records into a folder named like the file.
  auto [folder, path] = name.split('/');
  if (path.empty() || (!root.empty() && root != folder))
    return fail(start,
                "expected all records in one folder, got '" + name + "'");
  root = folder.str();
  if (!records.try_emplace(path, bytes.substr(*data, entry.size)).second)
    return fail(start, "expected one record '" + name + "', got two");
  order.push_back(path.str());
  return Error::success();
}

Expected<Archive> Archive::read(StringRef bytes) {
  Expected<Directory> directory = findDirectory(bytes);
  if (!directory)
    return directory.takeError();
  Archive archive;
  uint64_t position = directory->offset;
  uint64_t end = position + directory->size;
  for (uint64_t i = 0; i < directory->entries; ++i)
    if (Error error = archive.readEntry(bytes, position, end))
      return error;
  return archive;
}

Archive
Archive::of(llvm::ArrayRef<std::unique_ptr<llvm::MemoryBuffer>> records) {
  Archive archive;
  for (const std::unique_ptr<llvm::MemoryBuffer> &record : records) {
    StringRef path = record->getBufferIdentifier();
    archive.records[path] = record->getBuffer();
    archive.order.push_back(path.str());
  }
  return archive;
}

std::optional<StringRef> Archive::find(const Twine &path) const {
  auto found = records.find(path.str());
  if (found == records.end())
    return std::nullopt;
  return found->second;
}
