//===- GlobalsToArguments.cpp - Extern globals to parameters and back -----===//
//
//   ml_program.global private @w(#ml_program.extern : tensor<2xf32>)
//   func.func @main() { %0 = ml_program.global_load_const @w … }
// ◀─▶
//   func.func @main(%arg0: tensor<2xf32> {isthmus.weight = "w"})
//
//===----------------------------------------------------------------------===//

#include "Weights.h"
#include "isthmus/Conversion/ProgramForm.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Dialect/Torch/TorchConversion.h"
#include "isthmus/Support/SymbolUsers.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/SymbolTable.h"

#define GEN_PASS_DEF_GLOBALSTOARGUMENTS
#define GEN_PASS_DEF_ARGUMENTSTOGLOBALS
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;

/// The values that a parameter replaces: the loads of a global, or their torch
/// tensors if the builtin ones have no other use.
static SmallVector<Value> findLoaded(ArrayRef<Operation *> loads) {
  SmallVector<Value> results, typed;
  for (Operation *load : loads)
    results.push_back(load->getResult(0));
  for (Value result : results)
    for (Operation *user : result.getUsers())
      if (isa<torch_c::FromBuiltinTensorOp>(user))
        typed.push_back(user->getResult(0));
      else
        return results;
  bool areAlike = llvm::all_equal(ValueRange(typed).getTypes());
  return areAlike && !typed.empty() ? typed : results;
}

/// Replaces the loads of extern constants in `func` by trailing parameters, in
/// the order of the module's globals.
static void loadsToArguments(func::FuncOp func, SymbolTable &symbols) {
  llvm::MapVector<ml_program::GlobalOp, SmallVector<Operation *>> loads;
  auto note = [&](auto load) {
    auto global = symbols.lookup<ml_program::GlobalOp>(
        load.getGlobal().getRootReference());
    if (global && isExternConstant(global))
      loads[global].push_back(load);
  };
  func.walk([&](ml_program::GlobalLoadConstOp load) { note(load); });
  func.walk([&](ml_program::GlobalLoadOp load) { note(load); });
  Builder builder(func.getContext());
  auto ordered = loads.takeVector();
  llvm::sort(ordered, [](const auto &a, const auto &b) {
    return a.first->isBeforeInBlock(b.first);
  });
  for (auto &[global, ops] : ordered) {
    unsigned index = func.getNumArguments();
    auto attributes = builder.getDictionaryAttr(
        builder.getNamedAttr(kWeight, global.getSymNameAttr()));
    SmallVector<Value> loaded = findLoaded(ops);
    (void)func.insertArgument(index, loaded.front().getType(), attributes,
                              global.getLoc());
    llvm::SmallSetVector<Operation *, 4> dead(llvm::from_range, ops);
    for (Value value : loaded) {
      value.replaceAllUsesWith(func.getArgument(index));
      dead.insert(value.getDefiningOp());
    }
    for (Operation *op : llvm::reverse(dead))
      op->erase();
  }
}

/// Replaces a parameter that is a weight by a load of an extern constant.
static LogicalResult argumentToLoad(func::FuncOp func, unsigned index,
                                    SymbolTable &symbols) {
  auto name = func.getArgAttrOfType<StringAttr>(index, kWeight);
  BlockArgument argument = func.getArgument(index);
  Type type = argument.getType();
  if (auto tensor = dyn_cast<torch::ValueTensorType>(type))
    type = torch::toBuiltin(tensor);
  auto global = symbols.lookup<ml_program::GlobalOp>(name);
  if (global && (!isExternConstant(global) || global.getType() != type))
    return func.emitError("weight ")
           << name << ": expected an extern global of " << type
           << ", got another symbol of that name";
  if (!global) {
    OpBuilder builder(func);
    global = ml_program::GlobalOp::create(
        builder, argument.getLoc(), name, type,
        /*is_mutable=*/false,
        ml_program::ExternAttr::get(func.getContext(), type),
        /*sym_visibility=*/builder.getStringAttr("private"));
    if (symbols.lookup(name))
      return func.emitError("weight ")
             << name << ": expected no other symbol of that name";
    symbols.insert(global);
  }
  auto builder = OpBuilder::atBlockBegin(&func.getBody().front());
  Value load = ml_program::GlobalLoadConstOp::create(
      builder, argument.getLoc(), type, FlatSymbolRefAttr::get(global));
  if (type != argument.getType())
    load = torch_c::FromBuiltinTensorOp::create(builder, argument.getLoc(),
                                                argument.getType(), load);
  argument.replaceAllUsesWith(load);
  return func.eraseArgument(index);
}

namespace {

struct GlobalsToArguments
    : isthmus::impl::GlobalsToArgumentsBase<GlobalsToArguments> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (func::FuncOp func : functionsForParameters(getOperation()))
      loadsToArguments(func, symbols);
    SymbolUsers users(getOperation());
    for (auto global : llvm::make_early_inc_range(
             getOperation().getOps<ml_program::GlobalOp>()))
      if (isExternConstant(global) && users.of(global).empty())
        global.erase();
  }
};

struct ArgumentsToGlobals
    : isthmus::impl::ArgumentsToGlobalsBase<ArgumentsToGlobals> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isExternal())
        for (unsigned i = 0; i < func.getNumArguments();) {
          if (!func.getArgAttrOfType<StringAttr>(i, kWeight))
            ++i;
          else if (failed(argumentToLoad(func, i, symbols)))
            return signalPassFailure();
        }
  }
};

} // namespace
