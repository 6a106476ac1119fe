//===- memory_test.cpp - Memory that runs out at any place ----------------===//
//
// One allocation of a process fails: the call is an error, or works without it.
// The argument is the distance of the allocations that fail, each in a process
// of its own.
//
//===----------------------------------------------------------------------===//

#include "isthmus.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

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

/// The status of a process in which the n-th allocation fails: 0 for a whole
/// program, 1 for an error, 2 for a mistake; a program without a failure has
/// `noFailure` added.
static int status(long n, const std::string &expected) {
  constexpr int noFailure = 16;
  std::fflush(nullptr);
  if (pid_t child = ::fork()) {
    int result = 0;
    ::waitpid(child, &result, 0);
    return WIFEXITED(result) ? WEXITSTATUS(result) : 2;
  }
  std::string text;
  isthmus_error *error = convert(n, text);
  int result = left >= 0 ? noFailure : 0;
  left = -1;
  int32_t kind = isthmus_error_kind_of(error);
  bool isKnown = kind == ISTHMUS_OUT_OF_MEMORY || kind == ISTHMUS_SYSTEM;
  if (error ? !isKnown || !isthmus_error_message(error, 0) : text != expected)
    result |= 2;
  ::_exit(result | (error ? 1 : 0));
}

int main(int argc, char **argv) {
  std::string expected;
  expect(!convert(-1, expected), "a program that lowers");
  long step = argc > 1 ? std::atol(argv[1]) : 0;
  long n = 0, refused = 0, wrong = 0;
  for (int result = 0; result < 16; n += step ? step : 1 + n / 50) {
    result = status(n, expected);
    refused += result == 1;
    if (result & 2) {
      ++wrong;
      std::fprintf(stderr, "allocation %ld: expected an error\n", n);
    }
  }
  std::printf("%ld allocations, %ld errors, %ld mistakes\n", n, refused, wrong);
  return wrong || !refused;
}
