//===- Wire.h - Reads protobuf messages, with errors by byte ----*- C++ -*-===//
//
// protozero does the decoding. This class adds two things: a value of an
// unexpected wire type is an error rather than an assertion, and every error
// gives its position.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_IMPORTER_ONNX_WIRE_H
#define ISTHMUS_LIB_IMPORTER_ONNX_WIRE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <protozero/pbf_reader.hpp>
#include <string>

namespace isthmus::onnx::wire {

/// The file being read, and the first error in it.
struct File {
  llvm::StringRef bytes;
  std::string error;

  bool failed() const { return !error.empty(); }
  size_t offsetOf(const char *position) const {
    return position - bytes.data();
  }
  void fail(const char *position, const llvm::Twine &message);
};

/// One message. After an error there is no next field, and values are empty.
///
///   while (message.next())
///     switch (message.field()) {
///     case 1: message.read(node.name); break;
///     default: message.skip();
///     }
class Message {
public:
  /// `name` is the name of the message in the .proto: "NodeProto".
  Message(File &file, llvm::StringRef bytes, llvm::StringRef name)
      : file(file), reader(bytes.data(), bytes.size()), name(name),
        start(bytes.data()) {}

  bool next();
  uint32_t field() const { return reader.tag(); }
  void skip();

  void read(llvm::StringRef &value);
  void read(int64_t &value);
  void read(float &value);

  /// Repeated scalars, packed or not.
  void append(llvm::SmallVectorImpl<int64_t> &values);
  void append(llvm::SmallVectorImpl<float> &values);
  void append(llvm::SmallVectorImpl<llvm::StringRef> &values);

  /// Some elements of a repeated scalar, as they are encoded.
  void appendEncoded(llvm::SmallVectorImpl<llvm::StringRef> &chunks,
                     protozero::pbf_wire_type element);

  /// The message in this field.
  Message child(llvm::StringRef name);

  File &getFile() const { return file; }

  /// The start of the message, or of its current field.
  const char *getStart() const { return start; }

  void fail(const llvm::Twine &message);

private:
  /// Fails unless the current value has this wire type.
  bool expect(protozero::pbf_wire_type type);

  /// Runs `decode` and turns exceptions of protozero into an error.
  template <typename Decode>
  void guard(Decode decode);

  File &file;
  protozero::pbf_reader reader;
  llvm::StringRef name;
  const char *start;
};

} // namespace isthmus::onnx::wire

#endif // ISTHMUS_LIB_IMPORTER_ONNX_WIRE_H
