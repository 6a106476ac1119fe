//===- ProtobufMutator.cpp - Changes protobuf by field --------------------===//
//
// The mutator knows the wire format but no schema. It assumes that bytes are a
// message if they can be read as one.
//
//===----------------------------------------------------------------------===//

#include "ProtobufMutator.h"
#include <optional>
#include <vector>

using namespace isthmus::fuzz;
using llvm::StringRef;

namespace {

enum WireType : uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

struct Field {
  uint32_t number;
  WireType type;
  uint64_t value = 0; ///< Of all types but bytes.
  std::string bytes;  ///< Unless these are a message.
  std::vector<Field> message = {};
};

using Message = std::vector<Field>;

/// A field and its position. Two fields are assumed to be the same field of a
/// schema if they and their parents have equal numbers.
struct Place {
  Message *parent;
  size_t index;
  uint32_t parentNumber;

  Field &field() const { return (*parent)[index]; }
  bool isLike(const Place &other) const {
    return parentNumber == other.parentNumber &&
           field().number == other.field().number;
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Reading and writing
//===----------------------------------------------------------------------===//

static std::optional<uint64_t> takeVarint(StringRef &bytes) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    uint8_t byte = bytes.front();
    bytes = bytes.drop_front();
    value |= uint64_t(byte & 0x7f) << shift;
    if (byte < 0x80)
      return value;
  }
  return std::nullopt;
}

static void putVarint(uint64_t value, std::string &bytes) {
  for (; value >= 0x80; value >>= 7)
    bytes.push_back(static_cast<char>(value | 0x80));
  bytes.push_back(static_cast<char>(value));
}

static std::optional<Message> parse(StringRef bytes, int depth = 0) {
  constexpr int mostNested = 50;
  constexpr uint32_t mostNumber = 1000; // a larger one is hardly a field number
  Message message;
  while (!bytes.empty()) {
    std::optional<uint64_t> tag = takeVarint(bytes);
    if (!tag || *tag >> 3 == 0 || *tag >> 3 > mostNumber)
      return std::nullopt;
    Field field{static_cast<uint32_t>(*tag >> 3), WireType(*tag & 7)};
    std::optional<uint64_t> size;
    switch (field.type) {
    case Varint:
      if (!(size = takeVarint(bytes)))
        return std::nullopt;
      field.value = *size;
      break;
    case Fixed32:
    case Fixed64:
      size = field.type == Fixed32 ? 4 : 8;
      if (bytes.size() < *size)
        return std::nullopt;
      std::memcpy(&field.value, bytes.data(), *size);
      bytes = bytes.drop_front(*size);
      break;
    case Bytes:
      size = takeVarint(bytes);
      if (!size || *size > bytes.size())
        return std::nullopt;
      field.bytes = bytes.take_front(*size).str();
      if (depth < mostNested)
        if (auto inner = parse(field.bytes, depth + 1))
          field.message = std::move(*inner);
      if (!field.message.empty())
        field.bytes.clear();
      bytes = bytes.drop_front(*size);
      break;
    default:
      return std::nullopt;
    }
    message.push_back(std::move(field));
  }
  return message;
}

static std::string serialize(const Message &message) {
  std::string result;
  for (const Field &field : message) {
    putVarint(field.number << 3 | field.type, result);
    if (field.type == Varint) {
      putVarint(field.value, result);
    } else if (field.type == Bytes) {
      std::string bytes =
          field.message.empty() ? field.bytes : serialize(field.message);
      putVarint(bytes.size(), result);
      result += bytes;
    } else {
      result.append(reinterpret_cast<const char *>(&field.value),
                    field.type == Fixed32 ? 4 : 8);
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Changing
//===----------------------------------------------------------------------===//

static void collect(Message &message, uint32_t number,
                    std::vector<Place> &places) {
  for (size_t i = 0; i < message.size(); ++i) {
    places.push_back({&message, i, number});
    collect(message[i].message, message[i].number, places);
  }
}

static void changeValue(Field &field, Random &random) {
  if (field.type != Bytes)
    field.value = random.number(field.value);
  else if (field.message.empty())
    field.bytes = mutateBytes(std::move(field.bytes));
  else if (random.oneIn(8)) // make an invalid message
    field.bytes = mutateBytes(serialize(std::exchange(field.message, {})));
  else
    field.message.erase(field.message.begin() +
                        random.below(field.message.size()));
}

/// A field of the donor that is the same field of the schema with another
/// value, if there is one; otherwise any field.
static const Field &take(const std::vector<Place> &donor, const Place &place,
                         Random &random) {
  size_t first = random.below(donor.size());
  for (size_t i = 0; i < donor.size(); ++i) {
    const Place &other = donor[(first + i) % donor.size()];
    if (other.isLike(place) &&
        (other.parent != place.parent || other.index != place.index))
      return other.field();
  }
  return donor[first].field();
}

std::string isthmus::fuzz::changeProtobuf(StringRef message, StringRef donor,
                                          Random &random) {
  std::optional<Message> root = parse(message), other = parse(donor);
  if (!root || root->empty() || !other || other->empty())
    return "";
  std::vector<Place> places, taken;
  collect(*root, 0, places);
  collect(*other, 0, taken);
  Place place = random.pick(places);
  Message &parent = *place.parent;
  size_t at = random.below(parent.size());
  switch (random.below(8)) {
  case 0:
    parent.erase(parent.begin() + place.index);
    break;
  case 1: {
    Field copy = place.field();
    parent.insert(parent.begin() + at, std::move(copy));
    break;
  }
  case 2:
    std::swap(parent[at], place.field());
    break;
  case 3:
  case 4: {
    Field copy = take(taken, place, random);
    copy.number = place.field().number;
    place.field() = std::move(copy);
    break;
  }
  case 5: {
    Field copy = take(taken, place, random);
    parent.insert(parent.begin() + at, std::move(copy));
    break;
  }
  default:
    changeValue(place.field(), random);
  }
  return serialize(*root);
}
