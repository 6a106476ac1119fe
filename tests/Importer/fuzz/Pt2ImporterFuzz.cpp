//===- Pt2ImporterFuzz.cpp - The importer of programs against any bytes ---===//
//
//   tools/fuzz Pt2Importer
//
// For any bytes, the importer returns a module that verifies, or an error.
//
//===----------------------------------------------------------------------===//

#include "ArchiveMutator.h"
#include "FuzzedModel.h"
#include "isthmus/Importer/Pt2Importer.h"

static mlir::OwningOpRef<mlir::ModuleOp>
import(std::shared_ptr<llvm::MemoryBuffer> buffer, mlir::MLIRContext *context) {
  isthmus::Pt2ImportOptions options;
  options.limits = {/*nodes=*/1000, /*bytes=*/1 << 16};
  return isthmus::importPt2(std::move(buffer), context, options);
}

ISTHMUS_FUZZ_MUTATOR(isthmus::fuzz::changeArchive)

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzzModel(data, size, import);
  return 0;
}
