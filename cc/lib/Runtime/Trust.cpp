//===- Trust.cpp - Ops and types allowed in untrusted programs ------------===//
//
// A program may come from anyone, and MLIR has ops for everything that C can
// do. So only the ops and types listed in this file may run; JitOptions::trust
// allows the rest.
//
//===----------------------------------------------------------------------===//

#include "Trust.h"

#include "Kernels.h"
#include "isthmus/Support/Diagnostics.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/RuntimeLibcalls.h"

using namespace mlir;
using llvm::Error;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Dialects whose ops all compute on numbers and tensors.
static constexpr llvm::StringLiteral kDialects[] = {
    "arith", "cf",         "complex", "index",  "linalg",
    "math",  "ml_program", "scf",     "tensor", "tosa"};

/// Allowed ops of other dialects. Memory ops are not among them: the JIT
/// creates buffers itself.
static constexpr llvm::StringLiteral kOps[] = {"affine.apply",
                                               "affine.delinearize_index",
                                               "affine.linearize_index",
                                               "affine.max",
                                               "affine.min",
                                               "func.call",
                                               "func.func",
                                               "func.return"};

/// Dialects of models and of targets that others compile. The JIT has no
/// lowering of them, even in a program that is trusted.
static constexpr llvm::StringLiteral kNotRun[] = {
    "emitc",     "iree_linalg_ext", "mhlo",   "onnx",
    "stablehlo", "torch",           "torch_c"};

/// Prefix of the function names that the JIT generates and recognizes.
static constexpr llvm::StringLiteral kOwnNames = "isthmus.";

static bool isNumberType(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    type = complex.getElementType();
  return type.isIntOrIndexOrFloat();
}

/// A number, a tensor of numbers, or a TOSA shape.
static bool isPlain(Type type) {
  if (auto tensor = dyn_cast<TensorType>(type)) {
    auto ranked = dyn_cast<RankedTensorType>(tensor);
    return isNumberType(tensor.getElementType()) &&
           (!ranked || !ranked.getEncoding());
  }
  return isNumberType(type) || isa<tosa::shapeType>(type);
}

namespace {

/// Problems of a program, each with its first location and its count.
class Problems {
public:
  void add(Location place, const Twine &problem) {
    auto [found, isNew] = known.try_emplace(problem.str(), Problem{place, 0});
    ++found->second.count;
  }

  Error take() const {
    if (known.empty())
      return Error::success();
    std::string text;
    llvm::raw_string_ostream os(text);
    for (const auto &[problem, where] : known) {
      Diagnostic diagnostic(where.place, DiagnosticSeverity::Error);
      diagnostic << problem;
      os << isthmus::findingOf(diagnostic);
      if (where.count > 1)
        os << " (" << where.count << " times)";
      os << '\n';
    }
    os << "a program that is trusted runs as it is, with all that its author "
          "may do then: --trust, trust=True of isthmus.load, JitOptions::trust";
    return llvm::createStringError(text);
  }

private:
  struct Problem {
    Location place;
    unsigned count;
  };
  llvm::MapVector<std::string, Problem, llvm::StringMap<unsigned>> known;
};

} // namespace

/// How a program in one of the dialects of kNotRun can run.
static StringRef wayToRun(StringRef dialect) {
  if (dialect == "onnx" || dialect == "torch")
    return "lower it to linalg first: Module.lower, isthmus compile";
  if (dialect == "mhlo" || dialect == "stablehlo")
    return "compile the model to linalg to run it here, or run this program "
           "in XLA (docs/tutorials/xla.md)";
  return "compile the model to linalg to run it here";
}

/// Such a program has problems everywhere, so one place says nothing.
static Error checkDialects(ModuleOp module) {
  llvm::MapVector<StringRef, unsigned, llvm::StringMap<unsigned>> counts;
  module->walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (llvm::is_contained(kNotRun, dialect))
      ++counts[dialect];
  });
  if (counts.empty())
    return Error::success();
  auto lines = llvm::map_range(counts, [](const auto &entry) {
    auto [dialect, count] = entry;
    return ("the JIT runs programs in Linalg or TOSA, got " + Twine(count) +
            (count > 1 ? " ops" : " op") + " of the dialect '" + dialect +
            "': " + wayToRun(dialect))
        .str();
  });
  return llvm::createStringError(llvm::join(lines, "\n"));
}

/// Recursion can use any amount of stack.
static void findRecursion(ModuleOp module, Problems &problems) {
  const CallGraph calls(module);
  for (auto group = llvm::scc_begin(&calls); !group.isAtEnd(); ++group)
    if (group.hasCycle()) {
      Operation *function = group->front()->getCallableRegion()->getParentOp();
      problems.add(function->getLoc(),
                   "expected no function that calls itself, got '" +
                       SymbolTable::getSymbolName(function).getValue() + "'");
    }
}

Error isthmus::checkUntrusted(ModuleOp module) {
  if (Error error = checkDialects(module))
    return error;
  Problems problems;
  auto checkType = [&](Location place, Type type) {
    if (isPlain(type))
      return;
    std::string text;
    llvm::raw_string_ostream(text) << type;
    problems.add(place, "expected a number or a tensor of numbers, got '" +
                            text + "'");
  };
  module->walk([&](Operation *op) {
    if (op == module)
      return;
    OperationName name = op->getName();
    if (!llvm::is_contained(kDialects, name.getDialectNamespace()) &&
        !llvm::is_contained(kOps, name.getStringRef())) {
      problems.add(op->getLoc(),
                   "expected an op of " +
                       llvm::join(llvm::ArrayRef(kDialects), ", ") +
                       " or func, got '" + name.getStringRef() + "'");
      return;
    }
    for (Type type : op->getResultTypes())
      checkType(op->getLoc(), type);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          checkType(op->getLoc(), type);
    if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      if (function.getName().starts_with(kOwnNames))
        problems.add(op->getLoc(),
                     "expected another name than one of the runtime's own, "
                     "got '" +
                         function.getName() + "'");
      if (function.isExternal())
        for (ArrayRef<Type> types :
             {function.getArgumentTypes(), function.getResultTypes()})
          for (Type type : types)
            checkType(op->getLoc(), type);
    }
  });
  findRecursion(module, problems);
  return problems.take();
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

Error isthmus::dropForeignAttributes(ModuleOp module) {
  bool isChanged = false;
  module->walk([&](Operation *op) {
    SmallVector<StringAttr> foreign;
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      if (attribute.getName() != kCustomOpAttr)
        foreign.push_back(attribute.getName());
    for (StringAttr name : foreign)
      op->removeDiscardableAttr(name);
    // Linalg ops read their indexing maps from such an attribute if they have
    // one: the verifier has not yet compared their operands with the maps that
    // are used now.
    isChanged |= !foreign.empty() && op->getNumOperands() > 0;
    if (auto described = dyn_cast<ArgAndResultAttrsOpInterface>(op)) {
      described.removeArgAttrsAttr();
      described.removeResAttrsAttr();
    }
  });
  if (isChanged && failed(verify(module)))
    return llvm::createStringError("expected a program that is valid without "
                                   "the attributes of other tools");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

bool isthmus::isLibraryFunction(llvm::StringRef name) {
  // Calls that MLIR's math dialect lowers to, and calls that LLVM makes of
  // loops; the former have the suffix `f` for f32.
  static constexpr llvm::StringLiteral math[] = {
      "acos",  "acosh", "asin",  "asinh",     "atan",  "atan2", "atanh",
      "cbrt",  "ceil",  "cos",   "cosh",      "erf",   "erfc",  "exp",
      "exp10", "exp2",  "expm1", "fabs",      "floor", "fma",   "fmax",
      "fmin",  "fmod",  "frexp", "ldexp",     "log",   "log10", "log1p",
      "log2",  "modf",  "pow",   "nearbyint", "rint",  "round", "roundeven",
      "sin",   "sinh",  "sqrt",  "sincos",    "tan",   "tanh",  "trunc"};
  static constexpr llvm::StringLiteral memory[] = {
      "bcmp", "memcmp", "memcpy", "memmove", "memset", "strlen"};
  // Runtime calls of the code generator: "__divti3".
  if (llvm::is_contained(math, name) || llvm::is_contained(memory, name) ||
      !llvm::RTLIB::RuntimeLibcallsInfo::lookupLibcallImplName(name).empty())
    return true;
  return name.consume_back("f") && llvm::is_contained(math, name);
}
