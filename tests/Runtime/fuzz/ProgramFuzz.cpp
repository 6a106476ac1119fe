//===- ProgramFuzz.cpp - Fuzzes the checks of untrusted programs ----------===//
//
//   tools/fuzz Program
//
// Any text is either refused with an error, or it is a program that only
// computes on numbers and tensors after checkUntrusted and
// dropForeignAttributes.
//
// MLIR parses and verifies these ops, and its code crashes on some texts: for
// example, `permutation = 1` of a linalg.transpose becomes a null pointer.
// Isthmus cannot mend this, so such texts are skipped.
//
//===----------------------------------------------------------------------===//

#include "cc/lib/Runtime/Trust.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "tests/Importer/fuzz/FuzzedModel.h"
#include "tests/support/fuzz/ParsedText.h"
#include "tests/support/fuzz/TextMutator.h"
#include "llvm/Support/CrashRecoveryContext.h"

using namespace mlir;

/// Turns off the leak checker: MLIR's parser leaks memory when it fails.
extern "C" int __lsan_is_turned_off() { return 1; }

static OwningOpRef<ModuleOp> parse(std::shared_ptr<llvm::MemoryBuffer> buffer,
                                   MLIRContext *context) {
  context->loadDialect<
      affine::AffineDialect, arith::ArithDialect, cf::ControlFlowDialect,
      complex::ComplexDialect, func::FuncDialect, index::IndexDialect,
      linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
      memref::MemRefDialect, ml_program::MLProgramDialect, scf::SCFDialect,
      tensor::TensorDialect, tosa::TosaDialect, vector::VectorDialect>();
  static const bool isOn = (llvm::CrashRecoveryContext::Enable(), true);
  (void)isOn;
  OwningOpRef<ModuleOp> module;
  isContextLost = !llvm::CrashRecoveryContext().RunSafely(
      [&] { module = isthmus::fuzz::parseText(buffer->getBuffer(), context); });
  return module;
}

/// Aborts if an op could access memory, or has attributes that passes obey.
static void checkHarmless(Operation *op) {
  auto check = [](Type type) {
    if (isa<BaseMemRefType, LLVM::LLVMPointerType, FunctionType>(type))
      abort();
  };
  llvm::for_each(op->getResultTypes(), check);
  llvm::for_each(op->getOperandTypes(), check);
  if (isa<memref::MemRefDialect, LLVM::LLVMDialect, vector::VectorDialect>(
          op->getDialect()))
    abort();
  // Ops of linalg store their maps in an attribute once the maps are computed.
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (attribute.getName() != "isthmus.custom_op" &&
        attribute.getName() != "linalg.memoized_indexing_maps")
      abort();
}

static bool trust(ModuleOp module) {
  for (auto *check : {isthmus::checkUntrusted, isthmus::dropForeignAttributes})
    if (llvm::Error error = check(module)) {
      emitError(module.getLoc()) << llvm::toString(std::move(error));
      return false;
    }
  module.walk(checkHarmless);
  if (failed(verify(module)))
    abort();
  return true;
}

ISTHMUS_FUZZ_MUTATOR(isthmus::fuzz::changeText)

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzzModel(data, size, parse, trust);
  return 0;
}
