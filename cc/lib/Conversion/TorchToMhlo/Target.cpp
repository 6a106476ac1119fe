//===- Target.cpp - MHLO and StableHLO as targets -------------------------===//

#include "isthmus/Conversion/Target.h"
#include "isthmus/Conversion/Passes.h"
#include "isthmus/Dialect/Mhlo/Mhlo.h"
#include "isthmus/Dialect/Mhlo/Stablehlo.h"
#include "isthmus/Dialect/Sdy/Sdy.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace isthmus;

/// The value of a bool constant that MHLO stores as bytes and converts.
static ElementsAttr bytesAsFlags(Operation *convert) {
  ElementsAttr bytes;
  auto type = dyn_cast<RankedTensorType>(convert->getResult(0).getType());
  if (!type || !type.getElementType().isInteger(1) ||
      !matchPattern(convert->getOperand(0), m_Constant(&bytes)) ||
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

namespace {

/// XLA reads both dialects, which have the same ops.
class HloTarget : public Target {
public:
  void populatePatterns(const TorchTypeConverter &types,
                        RewritePatternSet &patterns,
                        UnsupportedOps &unsupported) const override {
    populateTorchToMhlo(types, patterns, unsupported);
  }

  ArrayRef<StringRef> getKeptOps() const override {
    static constexpr StringRef ops[] = {"aten.atan2",  "aten.expm1",
                                        "aten.linear", "aten.log1p",
                                        "aten.matmul", "aten.tan"};
    return ops;
  }

  void addCarrying(OpPassManager &manager, ArrayRef<std::string> ops,
                   const TargetPipelineOptions &options) const override {
    auto pass =
        makeCarryOptions<ConvertTorchBackendLegalToMhloCustomCallOptions>(
            ops, options);
    manager.addPass(createConvertTorchBackendLegalToMhloCustomCall(pass));
  }

  void addLowering(OpPassManager &manager, ArrayRef<std::string> customOps,
                   const TargetPipelineOptions &options) const override {
    auto pass =
        makeLoweringOptions<ConvertTorchToMhloOptions>(customOps, options);
    pass.target = getName().str();
    manager.addPass(createConvertTorchToMhlo(pass));
  }

  bool readsGlobals() const override { return false; }
  bool isPartitioned() const override { return true; }

  std::optional<FailureOr<custom_ops::Identity>>
  identify(Operation *op) const override {
    if (!isa<mhlo::CustomCallOp, stablehlo::CustomCallOp>(op))
      return std::nullopt;
    auto name = op->getAttrOfType<StringAttr>("call_target_name");
    auto config = op->getAttrOfType<DictionaryAttr>("backend_config");
    auto domain = config ? config.getAs<StringAttr>("domain") : StringAttr();
    if (!domain)
      return std::nullopt;
    NamedAttrList says(config);
    says.erase("domain");
    auto attributes =
        custom_ops::fromAttribute(says.getDictionary(op->getContext()));
    if (!attributes)
      return FailureOr<custom_ops::Identity>(
          custom_ops::mistake(op, name)
          << "expected a backend_config of i64, f64, i1, strings, arrays of "
             "them and dictionaries");
    return FailureOr<custom_ops::Identity>(
        custom_ops::Identity{domain.str(), name.str(), std::move(*attributes),
                             /*hasScalars=*/false});
  }

  StringRef getPartName(Operation *op) const override {
    return isa<mhlo::CompositeOp, stablehlo::CompositeOp>(op)
               ? op->getAttrOfType<StringAttr>("name").getValue()
               : "";
  }

  ElementsAttr getConstant(Value value) const override {
    Operation *op = value.getDefiningOp();
    return isa_and_nonnull<mhlo::ConvertOp, stablehlo::ConvertOp>(op)
               ? bytesAsFlags(op)
               : ElementsAttr();
  }
};

class MhloTarget final : public HloTarget {
public:
  StringRef getName() const override { return "mhlo"; }

  void addDialects(DialectSet &dialects) const override {
    dialects.addOwn<mhlo::MhloDialect, sdy::SdyDialect>();
  }

  void registerPasses() const override {
    registerConvertTorchBackendLegalToMhloCustomCall();
    registerConvertTorchToMhlo();
  }

  ConstantForm getConstantForm() const override {
    return {"mhlo.constant", "value"};
  }
};

class StablehloTarget final : public HloTarget {
public:
  StringRef getName() const override { return "stablehlo"; }

  void addDialects(DialectSet &dialects) const override {
    dialects.addOwn<mhlo::MhloDialect, stablehlo::StablehloDialect,
                    sdy::SdyDialect>();
  }

  void registerPasses() const override { registerMhloToStablehlo(); }

  StringRef getOtherSource() const override { return "mhlo"; }

  void addLowering(OpPassManager &manager, ArrayRef<std::string> customOps,
                   const TargetPipelineOptions &options) const override {
    HloTarget::addLowering(manager, customOps, options);
    manager.addPass(createMhloToStablehlo());
  }

  ConstantForm getConstantForm() const override {
    return {"stablehlo.constant", "value"};
  }
  bool isReadByIree() const override { return true; }
};

RegisterTarget<MhloTarget> registeredMhlo;
RegisterTarget<StablehloTarget> registeredStablehlo;

} // namespace
