//===- Outline.cpp - Parts of a function as functions ---------------------===//
//
// LLVM's compile time for a loop grows with the number of loops in its
// function. A program of thousands of loops is compiled as thousands of
// functions.
//
//===----------------------------------------------------------------------===//

#include "Outline.h"

#include "Codegen.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// Nothing is outlined from a function with at most this many loops.
constexpr size_t kMostLoops = 16;

/// A loop over elements whose only effect is on buffers.
bool isLoopOverElements(Operation *op) {
  return op->getNumResults() == 0 && isa<linalg::LinalgOp, scf::ForOp>(op) &&
         !holdsLoops(op);
}

/// The outermost loops that can be outlined.
SmallVector<Operation *> loopsOf(func::FuncOp function) {
  SmallVector<Operation *> loops;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isLoopOverElements(op))
      return WalkResult::advance();
    loops.push_back(op);
    return WalkResult::skip();
  });
  return loops;
}

/// Outlines `op` into a new function and replaces it by a call.
func::FuncOp outline(Operation *op, SymbolTable &symbols) {
  Location loc = op->getLoc();
  OpBuilder builder(op);
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  // Constants are cloned inside; all other values become arguments.
  SmallVector<Value> captured, constants;
  for (Value value : used)
    (matchPattern(value, m_Constant()) ? constants : captured).push_back(value);

  auto function = func::FuncOp::create(
      loc, "isthmus.op",
      builder.getFunctionType(ValueRange(captured).getTypes(),
                              op->getResultTypes()));
  function.setPrivate();
  // `passthrough` becomes an attribute of the LLVM function: func.func's own
  // no_inline is dropped.
  function->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
  symbols.insert(function);
  op->replaceAllUsesWith(
      func::CallOp::create(builder, loc, function, captured).getResults());

  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  IRMapping values;
  values.map(captured, entry->getArguments());
  for (Value value : constants)
    values.map(value, builder.clone(*value.getDefiningOp())->getResult(0));
  Operation *inside = builder.clone(*op, values);
  func::ReturnOp::create(builder, loc, inside->getResults());
  op->erase();
  return function;
}

/// Equal functions have equal hashes.
llvm::hash_code hashOf(func::FuncOp function) {
  llvm::hash_code hash = hash_value(mlir::Type(function.getFunctionType()));
  function.getBody().walk([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

} // namespace

bool isthmus::holdsLoops(Operation *op) {
  return op
      ->walk([&](Operation *inner) {
        return inner != op && isa<linalg::LinalgOp, CallOpInterface>(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void isthmus::shareEqualFunctions(ModuleOp module,
                                  ArrayRef<func::FuncOp> functions) {
  llvm::DenseMap<size_t, SmallVector<func::FuncOp, 1>> kept;
  llvm::StringMap<func::FuncOp> replacements;
  for (func::FuncOp function : functions) {
    SmallVector<func::FuncOp, 1> &candidates = kept[hashOf(function)];
    auto *same = llvm::find_if(candidates, [&](func::FuncOp candidate) {
      return OperationEquivalence::isRegionEquivalentTo(
          &candidate.getBody(), &function.getBody(),
          OperationEquivalence::IgnoreLocations);
    });
    if (same == candidates.end())
      candidates.push_back(function);
    else
      replacements[function.getName()] = *same;
  }
  module.walk([&](func::CallOp call) {
    if (auto found = replacements.find(call.getCallee());
        found != replacements.end())
      call.setCallee(found->second.getName());
  });
  for (func::FuncOp function : functions)
    if (replacements.contains(function.getName()))
      function.erase();
}

/// Outlines the ops that `find` returns for each function of the program, if
/// there are many.
static void
outlineMany(ModuleOp module,
            llvm::function_ref<SmallVector<Operation *>(func::FuncOp)> find) {
  SymbolTable symbols(module);
  SmallVector<func::FuncOp> functions;
  for (auto function : llvm::to_vector(module.getOps<func::FuncOp>())) {
    if (!function.isPublic() || function.isExternal())
      continue;
    SmallVector<Operation *> ops = find(function);
    if (ops.size() > kMostLoops)
      for (Operation *op : ops)
        functions.push_back(outline(op, symbols));
  }
  shareEqualFunctions(module, functions);
}

void isthmus::outlineLoops(ModuleOp module) { outlineMany(module, loopsOf); }

void isthmus::outlineControlFlow(ModuleOp module) {
  outlineMany(module, [](func::FuncOp function) {
    SmallVector<Operation *> ops;
    for (Operation &op : function.front())
      if (isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op))
        ops.push_back(&op);
    return ops;
  });
}
