//===- OutlineFuzz.cpp - Programs whose parts become functions ------------===//
//
//   tools/fuzz Outline
//
// For any text, --outline-custom-ops with all names in its locations and
// --outline-patterns produce a module that verifies, or there is an error. The
// same holds for --raise-custom-ops and the inliner on that module.
//
//===----------------------------------------------------------------------===//

#include "RaisedProgram.h"
#include "isthmus/Support/Enclosing.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/Passes.h"
#include "tests/support/fuzz/TextMutator.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace isthmus;

/// Writes the first function to a file, as a pattern; returns the path.
static std::string writePattern(ModuleOp module) {
  auto functions = module.getOps<func::FuncOp>();
  if (functions.empty())
    return "";
  static const std::string path = [] {
    SmallString<64> path;
    if (llvm::sys::fs::createTemporaryFile("pattern", "mlir", path))
      abort();
    return path.str().str();
  }();
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  file << "module {\n";
  (*functions.begin())->print(file, OpPrintingFlags().assumeVerified());
  file << "\n}\n";
  return path;
}

static bool outline(ModuleOp module) {
  std::set<std::string> names;
  module.walk([&](Operation *op) {
    for (const Enclosing &one : enclosingOf(op->getLoc()))
      names.insert(one.name.str());
  });
  PassManager passes(module.getContext());
  OutlineCustomOpsOptions outlining;
  llvm::append_range(outlining.names, names);
  if (!names.empty())
    passes.addPass(createOutlineCustomOps(outlining));
  if (std::string pattern = writePattern(module); !pattern.empty()) {
    OutlinePatternsOptions patterns;
    patterns.files.push_back(pattern);
    passes.addPass(createOutlinePatterns(patterns));
  }
  passes.addPass(createRaiseCustomOps());
  passes.addPass(createInlinerPass());
  return succeeded(passes.run(module)) && succeeded(verify(module));
}

ISTHMUS_FUZZ_MUTATOR(isthmus::fuzz::changeText)

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzzModel(data, size, parseProgram, outline);
  return 0;
}
