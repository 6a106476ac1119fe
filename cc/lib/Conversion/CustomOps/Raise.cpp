//===- Raise.cpp - Custom ops of every target back to torch ops -----------===//

#include "isthmus/Conversion/CustomOps.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#ifdef ISTHMUS_WITH_MHLO
#include "isthmus/Dialect/Mhlo/Mhlo.h"
#include "isthmus/Dialect/Mhlo/Stablehlo.h"
#endif

#define GEN_PASS_DEF_RAISECUSTOMOPS
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::custom_ops;

static InFlightDiagnostic mistake(Operation *op, StringRef name) {
  return op->emitError() << "custom op '" << name << "': ";
}

/// What a text says that is meant to be of the contract; fails with an error
/// if it is not.
static FailureOr<Identity> readText(Operation *op, StringRef domain,
                                    StringRef name, StringRef text,
                                    bool hasScalars) {
  std::string why;
  std::optional<llvm::json::Value> attributes = fromText(text, why);
  if (!attributes)
    return mistake(op, name) << why;
  return Identity{domain.str(), name.str(), std::move(*attributes), hasScalars};
}

/// An op of someone else's has a domain of his own, and attributes that do not
/// look like ours.
static bool isOurs(StringRef domain, StringRef text) {
  return domain == kTorchDomain || text.contains("\"arguments\"");
}

std::optional<FailureOr<Identity>> custom_ops::identify(Operation *op) {
  if (auto custom = dyn_cast<tosa::CustomOp>(op)) {
    StringRef domain = custom.getDomainName();
    if (!isOurs(domain, custom.getImplementationAttrs()))
      return std::nullopt;
    return readText(op, domain, custom.getOperatorName(),
                    custom.getImplementationAttrs(), /*hasScalars=*/false);
  }
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    auto says = callee && callee.isExternal()
                    ? callee->getAttrOfType<DictionaryAttr>(kFunctionAttr)
                    : DictionaryAttr();
    if (!says)
      return std::nullopt; // a body says what it is by itself
    auto domain = says.getAs<StringAttr>("domain");
    auto name = says.getAs<StringAttr>("name");
    auto text = says.getAs<StringAttr>("attributes");
    if (!domain || !name || !text)
      return FailureOr<Identity>(
          mistake(op, call.getCallee())
          << "expected '" << kFunctionAttr
          << "' to say 'domain', 'name' and 'attributes'");
    return readText(op, domain, name, text, /*hasScalars=*/true);
  }
#ifdef ISTHMUS_WITH_MHLO
  if (isa<mhlo::CustomCallOp, stablehlo::CustomCallOp>(op)) {
    auto name = op->getAttrOfType<StringAttr>("call_target_name");
    auto config = op->getAttrOfType<DictionaryAttr>("backend_config");
    auto domain = config ? config.getAs<StringAttr>("domain") : StringAttr();
    if (!domain)
      return std::nullopt;
    NamedAttrList says(config);
    says.erase("domain");
    auto attributes = fromAttribute(says.getDictionary(op->getContext()));
    if (!attributes)
      return FailureOr<Identity>(
          mistake(op, name)
          << "expected a backend_config of i64, f64, i1, strings, arrays of "
             "them and dictionaries");
    return FailureOr<Identity>(Identity{domain.str(), name.str(),
                                        std::move(*attributes),
                                        /*hasScalars=*/false});
  }
#endif
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
#ifdef ISTHMUS_WITH_MHLO
  if (isa<mhlo::CompositeOp, stablehlo::CompositeOp>(op))
    return op->getAttrOfType<StringAttr>("name").str();
#endif
  if (!isa<tosa::CustomOp, func::CallOp>(op) &&
      op->getName().stripDialect() != "custom_call")
    return "";
  ScopedDiagnosticHandler quiet(op->getContext(),
                                [](Diagnostic &) { return success(); });
  std::optional<FailureOr<Identity>> identity = identify(op);
  return identity && succeeded(*identity) ? (*identity)->name : "";
}

#ifdef ISTHMUS_WITH_MHLO
/// A constant of flags that MHLO has as bytes, which it converts.
static ElementsAttr bytesAsFlags(Operation *op) {
  ElementsAttr bytes;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.getElementType().isInteger(1) ||
      !matchPattern(op->getOperand(0), m_Constant(&bytes)) ||
      !bytes.getElementType().isSignlessInteger(8))
    return {};
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(bytes))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  auto dense = dyn_cast<DenseElementsAttr>(bytes);
  if (!dense)
    return {};
  SmallVector<bool> flags;
  for (int8_t byte : dense.getValues<int8_t>())
    flags.push_back(byte != 0);
  return DenseElementsAttr::get(type, ArrayRef(flags));
}
#endif

/// The constant that a value is, as torch can have it.
static ElementsAttr constantOf(Value value) {
  ElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)))
    return isa<DenseElementsAttr, DenseResourceElementsAttr>(elements)
               ? elements
               : ElementsAttr();
#ifdef ISTHMUS_WITH_MHLO
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<mhlo::ConvertOp, stablehlo::ConvertOp>(op))
    return bytesAsFlags(op);
#endif
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
        nones.push_back(op); // whoever takes it says that it is none
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
  /// A constant of the target is torch's own where a torch op takes it.
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

  /// Casts that met, constants that are torch constants now, and declarations
  /// that nobody calls.
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
    for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (func->hasAttr(kFunctionAttr) &&
          SymbolTable::symbolKnownUseEmpty(func, module))
        func.erase();
  }
};

} // namespace
