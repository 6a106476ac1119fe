//===- OnnxImporterFuzz.cpp - The importer against any bytes --------------===//
//
//   tools/fuzz OnnxImporter
//
// For any bytes, the importer returns a module that verifies, or an error.
//
//===----------------------------------------------------------------------===//

#include "FuzzedOnnx.h"
#include "ProtobufMutator.h"

ISTHMUS_FUZZ_MUTATOR(isthmus::fuzz::changeProtobuf)

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzzModel(data, size, importFuzzedOnnx);
  return 0;
}
