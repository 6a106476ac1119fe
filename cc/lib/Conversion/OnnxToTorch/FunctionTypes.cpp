//===- FunctionTypes.cpp - Converts ONNX functions to torch's -------------===//
//
// convert-onnx-to-torch leaves parameters and results in builtin types behind
// casts. These passes move the torch types outwards: through the casts into the
// signature, and remove what only ONNX needs.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Onnx/Structure.h"
#include "isthmus/Dialect/Torch/TorchConversion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

#define GEN_PASS_DEF_CONVERTFUNCTIONTYPESTOTORCHTYPES
#define GEN_PASS_DEF_ERASEONNXENTRYPOINT
#define GEN_PASS_DEF_FINALIZETORCHTYPECONVERSION
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;

namespace {

struct ConvertFunctionTypesToTorchTypes
    : isthmus::impl::ConvertFunctionTypesToTorchTypesBase<
          ConvertFunctionTypesToTorchTypes> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    auto end = dyn_cast<func::ReturnOp>(func.getBody().back().getTerminator());
    if (!func.getBody().hasOneBlock() || !end) {
      func.emitError("expected a function of one block that ends in "
                     "func.return");
      return signalPassFailure();
    }
    OpBuilder builder(func.getBody());
    for (BlockArgument parameter : func.getArguments()) {
      auto builtin = dyn_cast<TensorType>(parameter.getType());
      if (!builtin)
        continue;
      parameter.setType(torch::fromBuiltin(builtin));
      auto cast = torch_c::ToBuiltinTensorOp::create(builder, func.getLoc(),
                                                     builtin, parameter);
      parameter.replaceAllUsesExcept(cast, cast);
    }
    builder.setInsertionPoint(end);
    for (OpOperand &result : end->getOpOperands())
      if (auto builtin = dyn_cast<TensorType>(result.get().getType())) {
        // Builtin integers have no signedness; the op that defines them
        // determines it.
        Type type = torch::fromBuiltin(builtin);
        if (auto cast =
                result.get().getDefiningOp<torch_c::ToBuiltinTensorOp>())
          type = cast.getOperand().getType();
        result.set(torch_c::FromBuiltinTensorOp::create(builder, end.getLoc(),
                                                        type, result.get()));
      }
    func.setType(builder.getFunctionType(func.getBody().getArgumentTypes(),
                                         end.getOperandTypes()));
  }
};

struct FinalizeTorchTypeConversion
    : isthmus::impl::FinalizeTorchTypeConversionBase<
          FinalizeTorchTypeConversion> {
  void runOnOperation() override {
    SmallVector<Operation *> casts;
    getOperation()->walk([&](Operation *op) {
      if (isa<torch_c::ToBuiltinTensorOp, torch_c::FromBuiltinTensorOp>(op))
        casts.push_back(op);
    });
    // In order, so that a chain of casts folds from its start.
    for (Operation *cast : casts) {
      SmallVector<OpFoldResult> origin;
      if (succeeded(cast->fold(origin)) && origin.size() == 1)
        cast->getResult(0).replaceAllUsesWith(
            llvm::cast<Value>(origin.front()));
    }
    for (Operation *cast : llvm::reverse(casts)) {
      if (cast->use_empty()) {
        cast->erase();
        continue;
      }
      cast->emitOpError(
          "expected to be cancelled by its inverse, got a use by '")
          << cast->getResult(0).use_begin()->getOwner()->getName() << "'";
      signalPassFailure();
    }
  }
};

struct EraseOnnxEntryPoint
    : isthmus::impl::EraseOnnxEntryPointBase<EraseOnnxEntryPoint> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto entry : llvm::make_early_inc_range(
             getOperation().getOps<onnx::EntryPointOp>())) {
      StringRef name = entry.getFunc().getLeafReference();
      Operation *func = symbols.lookup(name);
      if (!func) {
        entry.emitOpError(
            "expected the name of a function of the module, got '")
            << name << "'";
        return signalPassFailure();
      }
      // Compilers look for an entry point of this name.
      if (name != "main" && !symbols.lookup("main") &&
          failed(symbols.rename(func, StringRef("main"))))
        return signalPassFailure();
      entry.erase();
    }
  }
};

} // namespace
