//===- verify_program_test.cpp - verifyProgram agrees with mlir::verify ---===//

#include "isthmus/Support/VerifyProgram.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace {
struct Case {
  StringRef name;
  bool isValid;
  StringRef program;
};
} // namespace

static const Case cases[] = {
    {"regions", true, R"(
      func.func private @declared(i32)
      func.func @f(%x: i32, %c: i1) -> i32 {
        %y = scf.if %c -> i32 {
          %z = arith.addi %x, %x : i32
          scf.yield %z : i32
        } else {
          scf.yield %x : i32
        }
        func.call @declared(%y) : (i32) -> ()
        return %y : i32
      })"},
    {"blocks", true, R"(
      func.func @f(%x: i32) -> i32 {
        cf.br ^last(%x : i32)
      ^last(%y: i32):
        return %y : i32
      })"},
    {"used before", false, R"(
      func.func @f(%x: i32) -> i32 {
        %y = arith.addi %z, %x : i32
        %z = arith.addi %x, %x : i32
        return %y : i32
      })"},
    {"used by itself", false, R"(
      func.func @f(%x: i32) -> i32 {
        %y = arith.addi %y, %x : i32
        return %y : i32
      })"},
    {"used before in a region", false, R"(
      func.func @f(%x: i32, %c: i1) -> i32 {
        scf.if %c {
          %y = arith.addi %z, %x : i32
        }
        %z = arith.addi %x, %x : i32
        return %z : i32
      })"},
    {"used out of its region", false, R"(
      func.func @f(%x: i32, %c: i1) -> i32 {
        scf.if %c {
          %y = arith.addi %x, %x : i32
          "test.pass"() ({
            "test.use"(%y) : (i32) -> ()
            "test.end"(%z) : (i32) -> ()
          }) : () -> ()
          %z = arith.addi %x, %x : i32
        }
        return %x : i32
      })"},
    {"blocks that do not dominate", false, R"(
      func.func @f(%x: i32, %c: i1) -> i32 {
        cf.cond_br %c, ^one, ^two
      ^one:
        %y = arith.addi %x, %x : i32
        cf.br ^two
      ^two:
        return %y : i32
      })"},
    {"types of an op", false, R"(
      func.func @f(%x: i32, %y: i64) -> i32 {
        %z = "arith.addi"(%x, %y) : (i32, i64) -> i32
        return %z : i32
      })"},
    {"types of a return", false, R"(
      func.func @f(%x: i32, %y: i64) -> i32 {
        return %y : i64
      })"},
    {"types of a function", false, R"(
      "func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
      ^bb0(%x: i64):
        "func.return"() : () -> ()
      }) : () -> ())"},
    {"a return before the end", false, R"(
      func.func @f(%x: i32) -> i32 {
        "func.return"(%x) : (i32) -> ()
        %z = arith.addi %x, %x : i32
        return %z : i32
      })"},
    {"no return", false, R"(
      "func.func"() <{function_type = (i32) -> i32, sym_name = "f"}> ({
      ^bb0(%x: i32):
        %z = arith.addi %x, %x : i32
      }) : () -> ())"},
    {"no op", false, R"(
      "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
      ^bb0:
      }) : () -> ())"},
    {"a name twice", false, R"(
      func.func @f() { return }
      func.func @f() { return })"},
    {"a name of nothing", false, R"(
      func.func @f() {
        func.call @g() : () -> ()
        return
      })"},
    {"a name of nothing in a region", false, R"(
      func.func @f(%c: i1) {
        scf.if %c {
          func.call @g() : () -> ()
        }
        return
      })"},
    {"a name of nothing in a global's region", false, R"(
      "test.table"() ({
        func.call @g() : () -> ()
      }) : () -> ())"},
    {"a module in a module", true, R"(
      func.func private @g()
      module {
        func.func private @h()
        func.func @f() {
          func.call @h() : () -> ()
          return
        }
      })"},
    {"a name of the module around", false, R"(
      func.func private @g()
      module {
        func.func @f() {
          func.call @g() : () -> ()
          return
        }
      })"},
    {"a value of the module in a function", false, R"(
      %x = arith.constant 1 : i32
      func.func @f() -> i32 {
        return %x : i32
      })"},
    {"a value of the module in a function's region", false, R"(
      %x = arith.constant 1 : i32
      func.func @f(%c: i1) {
        scf.if %c {
          %y = arith.addi %x, %x : i32
        }
        return
      })"},
    {"a public declaration", false, "func.func @f(i32)"},
    {"an attribute of a dialect", false, R"(
      func.func @f() attributes {llvm.data_layout = "none"} { return })"},
    {"an op beside functions", false, R"(
      func.func @f() { return }
      %x = arith.constant 1 : i32
      %y = "arith.addi"(%x, %x) : (i32, i32) -> i64)"},
    {"values of the module in no order", true, R"(
      %y = arith.addi %x, %x : i32
      %x = arith.constant 1 : i32)"},
};

/// Whether `verifier` accepts a program, and its errors.
static bool accepts(ModuleOp module, LogicalResult (*verifier)(ModuleOp),
                    std::string &said) {
  llvm::raw_string_ostream os(said);
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        os << diagnostic.getLocation() << ": " << diagnostic << "\n";
        for (Diagnostic &note : diagnostic.getNotes())
          os << note.getLocation() << ": " << note << "\n";
      });
  return succeeded(verifier(module));
}

static bool holds(MLIRContext &context, const Case &each) {
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto module = parseSourceString<ModuleOp>(each.program, config);
  if (!module)
    return false;
  std::string said, expected;
  bool isValid = accepts(*module, isthmus::verifyProgram, said);
  bool isValidToMlir =
      accepts(*module, [](ModuleOp op) { return verify(op); }, expected);
  if (isValid == each.isValid && isValidToMlir == each.isValid &&
      said == expected && each.isValid == said.empty())
    return true;
  llvm::errs() << each.name << ": expected of mlir::verify\n"
               << expected << "and of verifyProgram the same, got\n"
               << said;
  return false;
}

int main() {
  MLIRContext context;
  context.allowUnregisteredDialects();
  context.loadDialect<arith::ArithDialect, cf::ControlFlowDialect,
                      func::FuncDialect, LLVM::LLVMDialect, scf::SCFDialect>();
  bool all = true;
  for (const Case &each : cases)
    all &= holds(context, each);
  return all ? 0 : 1;
}
