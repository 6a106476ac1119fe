//===- memory_test.cpp - Memory that runs out at any place ----------------===//
//
// One allocation of a call fails: the call is an error, or works without it.
// Then other models work as before.
//
//===----------------------------------------------------------------------===//

#include "isthmus.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

/// Allocations until one fails; none fails if it is negative.
static long left = -1;

static bool fails() { return left >= 0 && left-- == 0; }

extern "C" {
void *__real_malloc(size_t size);

void *__wrap_malloc(size_t size) {
  void *memory = fails() ? nullptr : __real_malloc(size);
  if (!memory && size)
    throw std::bad_alloc();
  return memory;
}
}

void *operator new(size_t size) {
  void *memory = fails() ? nullptr : __real_malloc(size ? size : 1);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

static const char program[] = R"(
  func.func @main(%x: !torch.vtensor<[2,?],f32>) -> !torch.vtensor<[2,?],f32> {
    %y = torch.aten.gelu %x, %none : !torch.vtensor<[2,?],f32>, !torch.str -> !torch.vtensor<[2,?],f32>
    return %y : !torch.vtensor<[2,?],f32>
  })";

static void expect(bool holds, const std::string &what) {
  if (holds)
    return;
  left = -1;
  std::fprintf(stderr, "expected %s\n", what.c_str());
  std::exit(1);
}

static int append(void *context, const void *data, size_t size) {
  long saved = left;
  left = -1; // the caller's own memory
  static_cast<std::string *>(context)->append(static_cast<const char *>(data),
                                              size);
  left = saved;
  return 0;
}

/// Opens, lowers and writes a program. The n-th allocation fails; `left` tells
/// whether there were as many.
static isthmus_error *convert(long n, std::string &text) {
  static const std::string source = [] {
    std::string source = program;
    source.insert(source.find("%y ="), "%none = torch.constant.str \"none\"\n");
    return source;
  }();
  isthmus_model *model = nullptr;
  isthmus_options *options = nullptr;
  left = n;
  isthmus_error *error = isthmus_model_open_buffer(source.data(), source.size(),
                                                   nullptr, "mlir", &model);
  if (!error)
    error = isthmus_options_create(&options);
  if (!error)
    error = isthmus_options_set(options, "target", "tosa");
  if (!error)
    error = isthmus_model_lower(model, options);
  if (!error)
    error = isthmus_model_write(model, ISTHMUS_TEXT, append, &text);
  long now = left;
  left = -1;
  isthmus_options_free(options);
  isthmus_model_free(model);
  left = now;
  return error;
}

int main() {
  std::string expected;
  isthmus_error *none = convert(-1, expected);
  expect(!none, "a program that lowers");
  long n = 0, refused = 0;
  // The first allocations of a call are most of those that differ.
  for (;; n += 1 + n / 50) {
    std::string text;
    isthmus_error *error = convert(n, text);
    bool isDone = left >= 0;
    left = -1;
    expect(error || text == expected, "a whole program or an error");
    if (error) {
      ++refused;
      int32_t kind = isthmus_error_kind_of(error);
      expect(kind == ISTHMUS_OUT_OF_MEMORY || kind == ISTHMUS_SYSTEM,
             std::string("no memory, got ") + isthmus_error_message(error, 0));
    }
    isthmus_error_free(error);
    if (isDone)
      break;
  }
  std::string text;
  expect(!convert(-1, text) && text == expected, "the program of before");
  std::printf("%ld allocations, %ld errors\n", n, refused);
  return refused ? 0 : 1;
}
