//===- Streams.cpp - Text that a callback takes ---------------------------===//

#include "Streams.h"
#include "llvm/Support/Format.h"

using namespace isthmus;
using namespace isthmus::c;

namespace {

/// Gives text to a callback until that refuses.
class CallbackStream : public llvm::raw_ostream {
public:
  CallbackStream(isthmus_write function, void *context)
      : function(function), context(context) {
    SetBufferSize(size_t(64) << 10);
  }
  ~CallbackStream() override { flush(); }

  bool hasStopped() const { return stopped; }

private:
  void write_impl(const char *data, size_t size) override {
    stopped = stopped || function(context, data, size) != 0;
    position += size;
  }
  uint64_t current_pos() const override { return position; }

  isthmus_write function;
  void *context;
  bool stopped = false;
  uint64_t position = 0;
};

} // namespace

isthmus_error *c::finishWriting(llvm::Error error, bool hasStopped) {
  if (!hasStopped)
    return toC(std::move(error));
  llvm::consumeError(std::move(error));
  return failed(ISTHMUS_STOPPED,
                "expected to write all of it, got a stop from the callback");
}

isthmus_error *
c::writeTo(isthmus_write write, void *context,
           llvm::function_ref<llvm::Error(llvm::raw_ostream &os)> body) {
  if (!write)
    return badArgument("write: expected a function, got null");
  CallbackStream os(write, context);
  llvm::Error error = body(os);
  os.flush();
  return finishWriting(std::move(error), os.hasStopped());
}

void c::writeJson(llvm::raw_ostream &os, llvm::StringRef text) {
  os << '"';
  for (unsigned char byte : text) {
    if (byte == '"' || byte == '\\')
      os << '\\' << byte;
    else if (byte < ' ')
      os << llvm::format("\\u%04x", byte);
    else
      os << byte;
  }
  os << '"';
}
