//===- OnnxImporterFuzz.cpp - The importer against any bytes --------------===//
//
//   python3 tests/Importer/fuzz/seeds.py CORPUS
//   bazel run --config=fuzz //tests/Importer/fuzz:OnnxImporterFuzz -- CORPUS
//
// Whatever the bytes, the importer returns a module that verifies, or an error.
//
//===----------------------------------------------------------------------===//

#include "FuzzedOnnx.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzzModel(data, size, importFuzzedOnnx);
  return 0;
}
