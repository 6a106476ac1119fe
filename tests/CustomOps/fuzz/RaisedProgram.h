//===- RaisedProgram.h - Reads custom ops back and writes them again -*- C++
//-*-//

#ifndef ISTHMUS_TESTS_CUSTOMOPS_FUZZ_RAISEDPROGRAM_H
#define ISTHMUS_TESTS_CUSTOMOPS_FUZZ_RAISEDPROGRAM_H

#include "isthmus/Conversion/CustomOps.h"
#include "isthmus/Conversion/Passes.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Pass/PassManager.h"
#include "tests/Importer/fuzz/FuzzedModel.h"
#include "tests/support/fuzz/ParsedText.h"

#ifdef ISTHMUS_WITH_MHLO
#include "isthmus/Dialect/Mhlo/Mhlo.h"
#include "isthmus/Dialect/Mhlo/Stablehlo.h"
#endif

inline void loadDialects(mlir::MLIRContext *context) {
  context->loadDialect<isthmus::torch::TorchDialect, mlir::arith::ArithDialect,
                       mlir::func::FuncDialect, mlir::tensor::TensorDialect,
                       mlir::tosa::TosaDialect>();
#ifdef ISTHMUS_WITH_MHLO
  context->loadDialect<isthmus::mhlo::MhloDialect,
                       isthmus::stablehlo::StablehloDialect>();
#endif
}

inline mlir::OwningOpRef<mlir::ModuleOp>
parseProgram(std::shared_ptr<llvm::MemoryBuffer> buffer,
             mlir::MLIRContext *context) {
  loadDialects(context);
  return isthmus::fuzz::parseText(buffer->getBuffer(), context);
}

/// Aborts unless an op's description survives each of its two encodings.
inline void checkForms(const llvm::json::Value &says,
                       mlir::MLIRContext *context) {
  using namespace isthmus::custom_ops;
  std::string text = toText(says), why;
  std::optional<llvm::json::Value> read = fromText(text, why);
  if (!read || toText(*read) != text)
    abort();
  read = fromAttribute(toAttribute(says, context));
  if (!read || toText(*read) != text)
    abort();
}

/// Runs --raise-custom-ops. Aborts if a raised op cannot be carried again and
/// there is no reason for that.
inline bool raise(mlir::ModuleOp module) {
  mlir::PassManager passes(module.getContext());
  passes.addPass(isthmus::createRaiseCustomOps());
  if (failed(passes.run(module)))
    return false;
  using namespace isthmus::custom_ops;
  module.walk([](mlir::Operation *op) {
    if (fullName(op).empty())
      return;
    for (Encoding encoding : {Encoding::Attributes, Encoding::Operands}) {
      std::string why;
      std::optional<CustomOp> carried = encode(op, encoding, why);
      if (!carried && why.empty())
        abort();
      if (carried)
        checkForms(carried->attributes, op->getContext());
    }
  });
  return true;
}

#endif // ISTHMUS_TESTS_CUSTOMOPS_FUZZ_RAISEDPROGRAM_H
