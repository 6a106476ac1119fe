//===- RaiseCustomOpsFuzz.cpp - Programs with custom ops of any text ------===//
//
//   bazel build //tools/isthmus-opt
//   python3 -m tests.CustomOps.fuzz.seeds CORPUS
//   bazel run --config=fuzz //tests/CustomOps/fuzz:RaiseCustomOpsFuzz --
//   CORPUS/programs -dict=tests/CustomOps/fuzz/words.dict
//
// Whatever the text, --raise-custom-ops gives a module that verifies, or there
// is an error.
//
//===----------------------------------------------------------------------===//

#include "RaisedProgram.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzzModel(data, size, parseProgram, raise);
  return 0;
}
