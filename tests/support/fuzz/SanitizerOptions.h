//===- SanitizerOptions.h - AddressSanitizer with libMLIR -------*- C++ -*-===//

#ifndef ISTHMUS_TESTS_SUPPORT_FUZZ_SANITIZEROPTIONS_H
#define ISTHMUS_TESTS_SUPPORT_FUZZ_SANITIZEROPTIONS_H

// libMLIR is not instrumented, but the code here is. So checks of containers
// and arenas are off: those that libMLIR has changed would look poisoned. The
// quarantine of freed memory has only two megabytes, which stay in the
// processor's caches, and an allocation records only five callers: with more,
// these would take a third of the time.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0:"
         "detect_odr_violation=0:allocator_may_return_null=1:"
         "quarantine_size_mb=2:malloc_context_size=5";
}

#endif // ISTHMUS_TESTS_SUPPORT_FUZZ_SANITIZEROPTIONS_H
