//===- Globals.cpp - Constants to globals and back ------------------------===//
//
//   %0 = tosa.const …                 ml_program.global private @w(dense<…>)
//                              ◀─▶    %0 = ml_program.global_load_const @w
//
// Globals are of builtin types: a literal of the torch dialect is a load and a
// torch_c.from_builtin_tensor of it.
//
//===----------------------------------------------------------------------===//

#include "Weights.h"
#include "isthmus/Conversion/ProgramForm.h"
#include "isthmus/Conversion/Target.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Dialect/Torch/TorchConversion.h"
#include "isthmus/Support/SymbolUsers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/SymbolTable.h"

#define GEN_PASS_DEF_WEIGHTSTOGLOBALS
#define GEN_PASS_DEF_GLOBALSTOWEIGHTS
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;

//===----------------------------------------------------------------------===//
// Constants to globals
//===----------------------------------------------------------------------===//

/// Replaces equal constants by loads of `global`, one per function.
static void loadFrom(ml_program::GlobalOp global, ArrayRef<Operation *> ops) {
  auto symbol = FlatSymbolRefAttr::get(global);
  llvm::DenseMap<Operation *, Value> loads;
  for (Operation *op : ops) {
    auto func = op->getParentOfType<FunctionOpInterface>();
    Value &load = loads[func];
    if (!load) {
      auto builder = OpBuilder::atBlockBegin(&func.getFunctionBody().front());
      load = ml_program::GlobalLoadConstOp::create(builder, op->getLoc(),
                                                   global.getType(), symbol);
    }
    Value value = load;
    if (op->getResult(0).getType() != load.getType()) {
      OpBuilder builder(op);
      value = torch_c::FromBuiltinTensorOp::create(
          builder, op->getLoc(), op->getResult(0).getType(), load);
    }
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
}

//===----------------------------------------------------------------------===//
// Globals to constants
//===----------------------------------------------------------------------===//

/// The form of a program's constants: that of its dialect, of the targets or
/// onnx. A torch program has arith constants beside torch ones.
static ConstantForm constantFormOf(ModuleOp module) {
  ConstantForm found{"arith.constant", "value"};
  module.walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (dialect == "onnx") {
      found = {"onnx.Constant", "value"};
      return WalkResult::interrupt();
    }
    const Target *target = findTargetOfConstants(dialect);
    if (!target || target->staysInTorch())
      return WalkResult::advance();
    found = target->getConstantForm();
    return WalkResult::interrupt();
  });
  return found;
}

/// Replaces the loads of `global`, and it, by constants.
static LogicalResult inlineGlobal(ml_program::GlobalOp global,
                                  ElementsAttr value, ConstantForm form,
                                  ArrayRef<Operation *> users) {
  for (Operation *user : users) {
    if (!isa<ml_program::GlobalLoadOp, ml_program::GlobalLoadConstOp>(user) ||
        user->getResult(0).getType() != value.getType())
      return user->emitError("expected a load of global '")
             << global.getSymName() << "' as " << value.getType();
    OpBuilder builder(user);
    for (Operation *typed : llvm::make_early_inc_range(user->getUsers()))
      if (isa<torch_c::FromBuiltinTensorOp>(typed)) {
        auto type = cast<torch::ValueTensorType>(typed->getResult(0).getType());
        typed->replaceAllUsesWith(torch::ValueTensorLiteralOp::create(
            builder, typed->getLoc(), type,
            torch::toTorchElements(value, type.getDtype())));
        typed->erase();
      }
    if (user->use_empty()) {
      user->erase();
      continue;
    }
    OperationState constant(user->getLoc(), form.op, /*operands=*/{},
                            {value.getType()},
                            {builder.getNamedAttr(form.attribute, value)});
    user->replaceAllUsesWith(builder.create(constant));
    user->erase();
  }
  global.erase();
  return success();
}

namespace {

struct WeightsToGlobals
    : isthmus::impl::WeightsToGlobalsBase<WeightsToGlobals> {
  using WeightsToGlobalsBase::WeightsToGlobalsBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    auto builder = OpBuilder::atBlockBegin(getOperation().getBody());
    size_t number = 0;
    for (auto &[found, ops] : findWeights(getOperation(), minBytes)) {
      ElementsAttr value = toBuiltinValue(found, ops.front());
      auto global = ml_program::GlobalOp::create(
          builder, ops.front()->getLoc(),
          nameOfWeight(value, ops.front(), number++), value.getType(),
          /*is_mutable=*/false, value,
          /*sym_visibility=*/builder.getStringAttr("private"));
      symbols.insert(global, builder.getInsertionPoint());
      loadFrom(global, ops);
    }
  }
};

struct GlobalsToWeights
    : isthmus::impl::GlobalsToWeightsBase<GlobalsToWeights> {
  void runOnOperation() override {
    ConstantForm constant = constantFormOf(getOperation());
    SymbolUsers users(getOperation());
    for (auto global : llvm::make_early_inc_range(
             getOperation().getOps<ml_program::GlobalOp>())) {
      auto value = dyn_cast_if_present<ElementsAttr>(global.getValueAttr());
      if (value && !global.getIsMutable() &&
          failed(inlineGlobal(global, value, constant, users.of(global))))
        signalPassFailure();
    }
  }
};

} // namespace
