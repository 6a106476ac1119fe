//===- Iree.cpp - Extern globals as IREE's parameters ---------------------===//
//
//   ml_program.global private @w(#ml_program.extern : tensor<2xf32>)
// ─▶
//   util.global private @w = #flow.parameter.named<"model"::"w">
//
// in the generic form, as these ops are not linked in. IREE finds the value by
// its name in a file: iree-run-module --parameters=model=m.irpa
//
//===----------------------------------------------------------------------===//

#include "isthmus/Conversion/ProgramForm.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "llvm/ADT/StringExtras.h"

#define GEN_PASS_DEF_GLOBALSTOIREEPARAMETERS
#include "isthmus/Conversion/Passes.h"

using namespace mlir;

static Attribute parameter(StringRef scope, StringAttr name, Type type) {
  std::string data = "parameter.named<\"";
  llvm::raw_string_ostream os(data);
  llvm::printEscapedString(scope, os);
  os << "\"::\"";
  llvm::printEscapedString(name, os);
  os << "\">";
  return OpaqueAttr::get(StringAttr::get(type.getContext(), "flow"), data,
                         type);
}

namespace {
struct GlobalsToIreeParameters
    : isthmus::impl::GlobalsToIreeParametersBase<GlobalsToIreeParameters> {
  using GlobalsToIreeParametersBase::GlobalsToIreeParametersBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    module.walk([](ml_program::GlobalLoadConstOp load) {
      OpBuilder builder(load);
      OperationState state(
          load.getLoc(), "util.global.load", /*operands=*/{}, load.getType(),
          {builder.getNamedAttr("global", load.getGlobalAttr())});
      load->replaceAllUsesWith(builder.create(state));
      load.erase();
    });
    for (auto global :
         llvm::make_early_inc_range(module.getOps<ml_program::GlobalOp>())) {
      if (!isthmus::isExternConstant(global))
        continue;
      OpBuilder builder(global);
      OperationState state(
          global.getLoc(), "util.global", /*operands=*/{}, /*types=*/{},
          {builder.getNamedAttr("sym_name", global.getSymNameAttr()),
           builder.getNamedAttr("sym_visibility",
                                builder.getStringAttr("private")),
           builder.getNamedAttr("type", global.getTypeAttr()),
           builder.getNamedAttr(
               "initial_value",
               parameter(scope, global.getSymNameAttr(), global.getType()))});
      builder.create(state);
      global.erase();
    }
  }
};
} // namespace
