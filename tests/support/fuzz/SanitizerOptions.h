//===- SanitizerOptions.h - AddressSanitizer beside libMLIR -----*- C++ -*-===//

#ifndef ISTHMUS_TESTS_SUPPORT_FUZZ_SANITIZEROPTIONS_H
#define ISTHMUS_TESTS_SUPPORT_FUZZ_SANITIZEROPTIONS_H

// libMLIR is not instrumented. Containers and arenas that cross into it would
// look poisoned to the code here, which is. Freed memory waits for reuse in two
// megabytes, which stay in the processor's caches, and an allocation remembers
// five callers: more would take a third of the time.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0:"
         "detect_odr_violation=0:allocator_may_return_null=1:"
         "quarantine_size_mb=2:malloc_context_size=5";
}

#endif // ISTHMUS_TESTS_SUPPORT_FUZZ_SANITIZEROPTIONS_H
