//===- VerifyProgram.cpp - MLIR's verifier in one walk --------------------===//

#include "isthmus/Support/VerifyProgram.h"
#include "isthmus/Support/Prefetch.h"
#include "isthmus/Support/StandIns.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/Process.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// Unknown if only mlir::verify can decide: whether an unusual position is
/// valid, or which of several errors comes first.
enum class Verdict { Right, Wrong, Unknown };

class ProgramVerifier {
public:
  Verdict verifyModule(ModuleOp module);

private:
  Verdict verifyFunction(func::FuncOp function);
  /// Verifies an op of `region`, which is isolated from above.
  Verdict verifyWithin(Operation &op, Region &region);
  bool hasValidSymbolUses(Operation *op);

  /// The symbols that uses refer to; filled on demand.
  SymbolTableCollection symbols;
};

} // namespace

/// Runs an op's own verifier and those of its attributes' dialects, without its
/// regions.
static bool isValidAlone(Operation *op) {
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (Dialect *dialect = attribute.getNameDialect())
      if (failed(dialect->verifyOperationAttribute(op, attribute)))
        return false;
  return succeeded(op->getName().verifyInvariants(op));
}

/// Whether `value` is an argument of `block` or is computed in it before `op`.
static bool precedes(Value value, Operation *op, Block *block) {
  if (Operation *definition = value.getDefiningOp())
    return definition->getBlock() == block && definition->isBeforeInBlock(op);
  return cast<BlockArgument>(value).getOwner() == block;
}

/// Whether the op's position needs no further dominance check.
static bool isInPlace(Operation &op, Block *block) {
  bool isLast = &op == &block->back();
  return op.mightHaveTrait<OpTrait::IsTerminator>() == isLast &&
         op.getNumSuccessors() == 0 &&
         llvm::all_of(op.getOperands(), [&](Value operand) {
           return precedes(operand, &op, block);
         });
}

bool ProgramVerifier::hasValidSymbolUses(Operation *op) {
  auto user = dyn_cast<SymbolUserOpInterface>(op);
  return !user || succeeded(user.verifySymbolUses(symbols));
}

Verdict ProgramVerifier::verifyWithin(Operation &op, Region &region) {
  if (failed(verify(&op)))
    return Verdict::Wrong;
  if (op.getNumRegions() == 0)
    return hasValidSymbolUses(&op) ? Verdict::Right : Verdict::Wrong;
  auto verdict = Verdict::Right;
  op.walk<WalkOrder::PreOrder>([&](Operation *nested) {
    bool isIsolated = llvm::all_of(nested->getOperands(), [&](Value operand) {
      return region.isAncestor(operand.getParentRegion());
    });
    // A nested symbol table verifies its own symbol uses.
    if (!isIsolated || nested->mightHaveTrait<OpTrait::SymbolTable>())
      verdict = Verdict::Unknown;
    else if (!hasValidSymbolUses(nested))
      verdict = Verdict::Wrong;
    return verdict == Verdict::Right ? WalkResult::advance()
                                     : WalkResult::interrupt();
  });
  return verdict;
}

/// Combines mlir::verify's two walks, for isolation and for dominance, with the
/// module's symbol check in a single walk, op by op.
Verdict ProgramVerifier::verifyFunction(func::FuncOp function) {
  if (!isValidAlone(function))
    return Verdict::Wrong;
  if (function.isExternal())
    return Verdict::Right;
  Region &body = function.getBody();
  if (!body.hasOneBlock() || body.front().empty())
    return Verdict::Unknown;
  for (Operation &op : body.front()) {
    prefetchNext(&op);
    if (!isInPlace(op, &body.front()))
      return Verdict::Unknown;
    Verdict verdict = verifyWithin(op, body);
    if (verdict != Verdict::Right)
      return verdict;
  }
  return Verdict::Right;
}

Verdict ProgramVerifier::verifyModule(ModuleOp module) {
  if (!isValidAlone(module))
    return Verdict::Wrong;
  DenseSet<Attribute> names;
  for (Operation &op : *module.getBody()) {
    auto name = op.getAttr(SymbolTable::getSymbolAttrName());
    bool isUsual = op.getNumOperands() == 0 && op.getNumSuccessors() == 0;
    if (!isUsual || (name && !names.insert(name).second))
      return Verdict::Unknown;
    auto function = dyn_cast<func::FuncOp>(op);
    Verdict verdict = function ? verifyFunction(function)
                               : verifyWithin(op, module.getBodyRegion());
    if (verdict != Verdict::Right)
      return verdict;
  }
  return Verdict::Right;
}

LogicalResult isthmus::verifyProgram(ModuleOp module) {
  if (usesUpstream())
    return verify(module);
  Verdict verdict = ProgramVerifier().verifyModule(module);
  return verdict == Verdict::Unknown ? verify(module)
                                     : success(verdict == Verdict::Right);
}

bool isthmus::verifiesEachPass() {
  return llvm::sys::Process::GetEnv("ISTHMUS_VERIFY_EACH") == "1";
}
