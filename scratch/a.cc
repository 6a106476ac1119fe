#include "mlir/IR/MLIRContext.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinOps.h"
int run() {
  mlir::MLIRContext c; c.loadDialect<mlir::func::FuncDialect, mlir::tosa::TosaDialect, mlir::linalg::LinalgDialect>();
  auto m = mlir::parseSourceString<mlir::ModuleOp>("module {}", &c);
  mlir::PassManager pm(&c); mlir::tosa::addTosaToLinalgPasses(pm, {}, {}, {}); 
  if (failed(pm.run(*m))) return 1;
  m->dump(); std::string s; llvm::raw_string_ostream os(s); (void)mlir::writeBytecodeToFile(*m, os);
  return s.size();
}
#ifndef EXT
int main() { return run() ? 0 : 1; }
#endif
