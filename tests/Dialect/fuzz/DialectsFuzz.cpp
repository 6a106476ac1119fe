//===- DialectsFuzz.cpp - Text of Isthmus's own dialects ------------------===//
//
//   tools/fuzz Dialects
//
// For any text of torch, onnx, mhlo and stablehlo ops, verifyProgram gives the
// same verdict as MLIR's verifier, and a valid program can be read again after
// it is printed.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Support/VerifyProgram.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/Verifier.h"
#include "tests/Importer/fuzz/FuzzedModel.h"
#include "tests/support/fuzz/ParsedText.h"
#include "tests/support/fuzz/TextMutator.h"

#ifdef ISTHMUS_WITH_MHLO
#include "isthmus/Dialect/Mhlo/Mhlo.h"
#include "isthmus/Dialect/Mhlo/Stablehlo.h"
#endif
#ifdef ISTHMUS_WITH_ONNX
#include "isthmus/Dialect/Onnx/Onnx.h"
#endif

using namespace mlir;
using namespace isthmus;

static OwningOpRef<ModuleOp> parse(std::shared_ptr<llvm::MemoryBuffer> buffer,
                                   MLIRContext *context) {
  context->loadDialect<func::FuncDialect, ml_program::MLProgramDialect,
                       isthmus::torch::TorchDialect>();
#ifdef ISTHMUS_WITH_MHLO
  context->loadDialect<mhlo::MhloDialect, stablehlo::StablehloDialect>();
#endif
#ifdef ISTHMUS_WITH_ONNX
  context->loadDialect<onnx::OnnxDialect>();
#endif
  return fuzz::parseText(buffer->getBuffer(), context, /*verifies=*/false);
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().assumeVerified());
  return text;
}

static bool roundTrip(ModuleOp module) {
  bool isValid = succeeded(verify(module));
  if (isValid != succeeded(verifyProgram(module)))
    abort();
  if (!isValid)
    return false;
  std::string text = print(module);
  OwningOpRef<ModuleOp> again =
      parseSourceString<ModuleOp>(text, module.getContext());
  // A resource is renamed if another one of its name is known already.
  if (!again ||
      (print(*again) != text && !StringRef(text).contains("dense_resource")))
    abort();
  return true;
}

ISTHMUS_FUZZ_MUTATOR(fuzz::changeText)

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzzModel(data, size, parse, roundTrip);
  return 0;
}
