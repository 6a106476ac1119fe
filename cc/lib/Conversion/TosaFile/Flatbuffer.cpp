//===- Flatbuffer.cpp - Writing flatbuffers -------------------------------===//

#include "Flatbuffer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace isthmus::tosa_file;
using llvm::ArrayRef;
using llvm::StringRef;

using Part = Flatbuffer::Part;

void Flatbuffer::align(uint64_t size, unsigned alignment) {
  bytes.resize(llvm::alignTo(bytes.size() + size, alignment) - size);
}

void Flatbuffer::put(uint64_t distance, uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i)
    bytes[distance - 1 - i] = char(value >> 8 * i);
}

uint64_t Flatbuffer::push(uint64_t value, unsigned size) {
  align(size, size);
  bytes.resize(bytes.size() + size);
  put(bytes.size(), value, size);
  return bytes.size();
}

uint64_t Flatbuffer::pushDistanceTo(Part part) {
  uint64_t distance = push(0, sizeof(uint32_t));
  put(distance, distance - part.distance, sizeof(uint32_t));
  return distance;
}

Part Flatbuffer::addString(StringRef text) {
  align(text.size() + 1, sizeof(uint32_t));
  bytes.push_back(0);
  llvm::append_range(bytes, llvm::reverse(text));
  return {push(text.size(), sizeof(uint32_t))};
}

Part Flatbuffer::addVector(ArrayRef<Part> parts) {
  for (Part part : llvm::reverse(parts))
    pushDistanceTo(part);
  return {push(parts.size(), sizeof(uint32_t))};
}

Part Flatbuffer::addVector(ArrayRef<int32_t> numbers) {
  for (int32_t number : llvm::reverse(numbers))
    push(uint32_t(number), sizeof(number));
  return {push(numbers.size(), sizeof(uint32_t))};
}

Part Flatbuffer::addBytes(StringRef text) {
  align(text.size(), kAlignment);
  llvm::append_range(bytes, llvm::reverse(text));
  return {push(text.size(), sizeof(uint32_t))};
}

Part Flatbuffer::addTable(ArrayRef<Field> fields) {
  uint64_t end = bytes.size();
  llvm::SmallVector<uint64_t> distances; // by index, 0 for absent fields
  for (const Field &field : fields) {
    if (field.index >= distances.size())
      distances.resize(field.index + 1);
    bool isPart = field.kind == Field::Kind::Part;
    uint64_t distance =
        isPart ? pushDistanceTo({field.value}) : push(field.value, field.size);
    if (field.kind == Field::Kind::Data)
      references.emplace_back(distance, field.value);
    distances[field.index] = distance;
  }
  uint64_t table = push(0, sizeof(int32_t));

  // The layout: its own size, the table's, and where each field is in it.
  std::string layout;
  auto append = [&](uint16_t number) {
    char text[2];
    llvm::support::endian::write16le(text, number);
    layout.append(text, sizeof(text));
  };
  append(2 * (distances.size() + 2));
  append(table - end);
  for (uint64_t distance : distances)
    append(distance ? table - distance : 0);
  auto [known, isNew] = layouts.try_emplace(layout);
  if (isNew) {
    align(layout.size(), sizeof(uint16_t));
    llvm::append_range(bytes, llvm::reverse(layout));
    known->second = bytes.size();
  }
  put(table, known->second - table, sizeof(int32_t));
  return {table};
}

Flatbuffer::Data
Flatbuffer::addData(uint64_t size,
                    std::function<void(llvm::raw_ostream &)> write) {
  // The length is before the first byte, which is aligned.
  uint64_t start = llvm::alignTo(dataSize + sizeof(uint32_t), kAlignment);
  chunks.push_back({size, std::move(write), start - sizeof(uint32_t)});
  // What is too large for any file may be less than it is, but not overflow.
  size = std::min(size, uint64_t(1) << 60);
  dataSize = llvm::alignTo(start + size, kAlignment);
  return {unsigned(chunks.size() - 1)};
}

uint64_t Flatbuffer::size() const {
  return bytes.size() + 4 * kAlignment + dataSize;
}

void Flatbuffer::write(Part root, StringRef identifier, llvm::raw_ostream &os) {
  assert(size() <= kMostBytes && "expected a file that readers accept");
  align(sizeof(uint32_t) + identifier.size(), kAlignment);
  llvm::append_range(bytes, llvm::reverse(identifier));
  pushDistanceTo(root);
  for (auto [distance, index] : references)
    put(distance, distance + chunks[index].offset, sizeof(uint32_t));
  std::reverse(bytes.begin(), bytes.end());
  os.write(bytes.data(), bytes.size());

  uint64_t written = 0;
  for (const Chunk &chunk : chunks) {
    os.write_zeros(chunk.offset - written);
    char length[sizeof(uint32_t)];
    llvm::support::endian::write32le(length, chunk.size);
    os.write(length, sizeof(length));
    chunk.write(os);
    written = chunk.offset + sizeof(length) + chunk.size;
  }
  os.write_zeros(dataSize - written);
}
