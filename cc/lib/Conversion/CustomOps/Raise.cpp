//===- Raise.cpp - Custom ops of every target back to torch ops -----------===//

#include "isthmus/Conversion/Target.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Support/SymbolUsers.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GEN_PASS_DEF_RAISECUSTOMOPS
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::custom_ops;

InFlightDiagnostic custom_ops::mistake(Operation *op, StringRef name) {
  return op->emitError() << "custom op '" << name << "': ";
}

FailureOr<Identity> custom_ops::readIdentity(Operation *op, StringRef domain,
                                             StringRef name, StringRef text,
                                             bool hasScalars) {
  std::string why;
  std::optional<llvm::json::Value> attributes = fromText(text, why);
  if (!attributes)
    return mistake(op, name) << why;
  return Identity{domain.str(), name.str(), std::move(*attributes), hasScalars};
}

std::optional<FailureOr<Identity>> custom_ops::identify(Operation *op) {
  for (const Target *target : targets())
    if (auto identity = target->identify(op))
      return identity;
  return std::nullopt;
}

std::optional<Identity> custom_ops::outlinedIn(func::FuncOp function) {
  auto says = function && !function.isExternal()
                  ? function->getAttrOfType<DictionaryAttr>(kFunctionAttr)
                  : DictionaryAttr();
  if (!says)
    return std::nullopt;
  auto domain = says.getAs<StringAttr>("domain");
  auto name = says.getAs<StringAttr>("name");
  auto text = says.getAs<StringAttr>("attributes");
  std::string why;
  std::optional<llvm::json::Value> attributes =
      text ? fromText(text, why) : std::nullopt;
  if (!domain || !name || !attributes || !attributes->getAsObject())
    return std::nullopt;
  return Identity{domain.str(), name.str(), std::move(*attributes),
                  /*hasScalars=*/true};
}

std::string custom_ops::nameOf(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    if (auto outlined =
            outlinedIn(SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                call, call.getCalleeAttr())))
      return outlined->name;
  for (const Target *target : targets())
    if (StringRef name = target->getPartName(op); !name.empty())
      return name.str();
  ScopedDiagnosticHandler quiet(op->getContext(),
                                [](Diagnostic &) { return success(); });
  std::optional<FailureOr<Identity>> identity = identify(op);
  return identity && succeeded(*identity) ? (*identity)->name : "";
}

/// The value of a constant, as a torch constant can hold it.
static ElementsAttr constantOf(Value value) {
  ElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)))
    return isa<DenseElementsAttr, DenseResourceElementsAttr>(elements)
               ? elements
               : ElementsAttr();
  for (const Target *target : targets())
    if (ElementsAttr constant = target->getConstant(value))
      return constant;
  return {};
}

namespace {

struct RaiseCustomOps : isthmus::impl::RaiseCustomOpsBase<RaiseCustomOps> {
  void runOnOperation() override {
    bool complete = true;
    SmallVector<std::pair<Operation *, Identity>> carried;
    getOperation()->walk([&](Operation *op) {
      std::optional<FailureOr<Identity>> identity = identify(op);
      if (identity && succeeded(*identity))
        carried.emplace_back(op, std::move(**identity));
      else
        complete &= !identity;
    });
    SmallVector<Operation *> nones;
    for (const auto &[op, identity] : carried)
      if (identity.name == kNoneName)
        nones.push_back(op); // its user records that it is none
      else
        complete &= succeeded(decode(op, identity));
    if (!complete)
      return signalPassFailure();
    for (Operation *none : nones)
      if (none->use_empty())
        none->erase();
    raiseConstants();
    removeLeftovers();
  }

private:
  /// A target's constant becomes a torch constant where a torch op uses it.
  void raiseConstants() {
    getOperation().walk([](UnrealizedConversionCastOp op) {
      if (op->getNumOperands() != 1 || op->getNumResults() != 1)
        return;
      ElementsAttr value = constantOf(op.getOperand(0));
      if (!value || torch::fromBuiltin(cast<TensorType>(value.getType())) !=
                        op.getType(0))
        return;
      OpBuilder builder(op);
      op.getResult(0).replaceAllUsesWith(torch::ValueTensorLiteralOp::create(
          builder, op.getOperand(0).getLoc(), value));
    });
  }

  /// Casts that cancel, constants that are torch constants now, and
  /// declarations without callers.
  void removeLeftovers() {
    ModuleOp module = getOperation();
    SmallVector<UnrealizedConversionCastOp> casts;
    module.walk(
        [&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
    reconcileUnrealizedCasts(casts);
    module.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
      if (isOpTriviallyDead(op) && !isa<torch::TypeInferenceOpInterface>(op))
        op->erase();
    });
    SymbolUsers users(module);
    for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (func->hasAttr(kFunctionAttr) && users.of(func).empty())
        func.erase();
  }
};

} // namespace
