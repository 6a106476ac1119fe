//===- Functions.cpp - func.func to ml_program.func and back --------------===//

#include "isthmus/Conversion/ProgramForm.h"
#include "isthmus/Support/SymbolUsers.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"

#define GEN_PASS_DEF_FUNCTOMLPROGRAM
#define GEN_PASS_DEF_MLPROGRAMTOFUNC
#include "isthmus/Conversion/Passes.h"

using namespace mlir;

/// Makes `from` a function of another dialect, with a return of that dialect.
/// Keeps its body, attributes and position in the module.
template <typename To, typename ToReturn, typename From>
static void replaceFunction(From from) {
  OpBuilder builder(from);
  OperationState state(from.getLoc(), To::getOperationName(), ValueRange(),
                       TypeRange(), from->getAttrs());
  state.addRegion()->takeBody(from.getFunctionBody());
  auto to = cast<To>(builder.create(state));
  for (Block &block : to.getFunctionBody()) {
    Operation *end = block.getTerminator();
    if (!end->hasTrait<OpTrait::ReturnLike>())
      continue;
    builder.setInsertionPoint(end);
    ToReturn::create(builder, end->getLoc(), end->getOperands());
    end->erase();
  }
  from.erase();
}

namespace {

struct FuncToMlProgram : isthmus::impl::FuncToMlProgramBase<FuncToMlProgram> {
  void runOnOperation() override {
    isthmus::SymbolUsers users(getOperation());
    for (auto func :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      // A call needs a callee of its own dialect.
      if (func.isPublic() && !func.isExternal() && users.of(func).empty())
        replaceFunction<ml_program::FuncOp, ml_program::ReturnOp>(func);
    }
  }
};

struct MlProgramToFunc : isthmus::impl::MlProgramToFuncBase<MlProgramToFunc> {
  void runOnOperation() override {
    for (auto func : llvm::make_early_inc_range(
             getOperation().getOps<ml_program::FuncOp>()))
      replaceFunction<func::FuncOp, func::ReturnOp>(func);
  }
};

} // namespace
