//===- RaiseCustomOpsFuzz.cpp - Programs with custom ops of any text ------===//
//
//   tools/fuzz RaiseCustomOps
//
// For any text, --raise-custom-ops produces a module that verifies, or there is
// an error.
//
//===----------------------------------------------------------------------===//

#include "RaisedProgram.h"
#include "tests/support/fuzz/TextMutator.h"

ISTHMUS_FUZZ_MUTATOR(isthmus::fuzz::changeText)

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzzModel(data, size, parseProgram, raise);
  return 0;
}
