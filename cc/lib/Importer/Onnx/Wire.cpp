//===- Wire.cpp - Reads protobuf messages, with errors by byte ------------===//

#include "Wire.h"
#include <protozero/exception.hpp>

using namespace isthmus::onnx::wire;
using llvm::SmallVectorImpl;
using llvm::StringRef;
using llvm::Twine;
using protozero::pbf_wire_type;

void File::fail(const char *position, const Twine &message) {
  if (!failed())
    error = ("byte " + Twine(offsetOf(position)) + ": " + message).str();
}

/// The name of a wire type as in .proto files.
static StringRef describe(pbf_wire_type type) {
  switch (type) {
  case pbf_wire_type::varint:
    return "a varint";
  case pbf_wire_type::fixed64:
    return "a 64-bit value";
  case pbf_wire_type::length_delimited:
    return "a length-delimited value";
  case pbf_wire_type::fixed32:
    return "a 32-bit value";
  default:
    return "an unknown wire type";
  }
}

void Message::fail(const Twine &message) {
  file.fail(start, name + ": " + message);
}

template <typename Decode>
void Message::guard(Decode decode) {
  try {
    decode();
  } catch (const protozero::end_of_buffer_exception &) {
    fail("expected more bytes, got the end of the message");
  } catch (const protozero::varint_too_long_exception &) {
    fail("expected a varint of at most 10 bytes, got more");
  } catch (const protozero::unknown_pbf_wire_type_exception &) {
    fail("expected a known wire type, got an unknown one");
  } catch (const protozero::exception &) {
    fail("expected a protobuf field, got malformed bytes");
  }
}

bool Message::next() {
  bool found = false;
  if (!file.failed()) {
    start = reader.data().data();
    guard([&] { found = reader.next(); });
  }
  return found;
}

bool Message::expect(pbf_wire_type type) {
  if (reader.has_wire_type(type))
    return true;
  fail("expected " + describe(type) + " in field " + Twine(field()) + ", got " +
       describe(reader.wire_type()));
  return false;
}

void Message::skip() {
  guard([&] { reader.skip(); });
}

void Message::read(StringRef &value) {
  if (!expect(pbf_wire_type::length_delimited))
    return;
  guard([&] {
    protozero::data_view view = reader.get_view();
    value = StringRef(view.data(), view.size());
  });
}

void Message::read(int64_t &value) {
  if (expect(pbf_wire_type::varint))
    guard([&] { value = reader.get_int64(); });
}

void Message::read(float &value) {
  if (expect(pbf_wire_type::fixed32))
    guard([&] { value = reader.get_float(); });
}

void Message::append(SmallVectorImpl<int64_t> &values) {
  if (reader.has_wire_type(pbf_wire_type::varint)) {
    guard([&] { values.push_back(reader.get_int64()); });
  } else if (expect(pbf_wire_type::length_delimited)) {
    guard([&] {
      for (int64_t value : reader.get_packed_int64())
        values.push_back(value);
    });
  }
}

void Message::append(SmallVectorImpl<float> &values) {
  if (reader.has_wire_type(pbf_wire_type::fixed32)) {
    guard([&] { values.push_back(reader.get_float()); });
  } else if (expect(pbf_wire_type::length_delimited)) {
    guard([&] {
      for (float value : reader.get_packed_float())
        values.push_back(value);
    });
  }
}

void Message::append(SmallVectorImpl<StringRef> &values) {
  StringRef value;
  read(value);
  if (!file.failed())
    values.push_back(value);
}

void Message::appendEncoded(SmallVectorImpl<StringRef> &chunks,
                            pbf_wire_type element) {
  if (reader.has_wire_type(pbf_wire_type::length_delimited))
    return append(chunks);
  if (!expect(element))
    return;
  const char *begin = reader.data().data();
  guard([&] {
    reader.skip();
    chunks.emplace_back(begin, reader.data().data() - begin);
  });
}

Message Message::child(StringRef childName) {
  // After an error the child begins and ends where its parent failed.
  StringRef bytes(start, 0);
  read(bytes);
  return Message(file, bytes, childName);
}
