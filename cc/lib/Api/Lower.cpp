//===- Lower.cpp - A program from one dialect to another ------------------===//

#include "Diagnostics.h"
#include "isthmus/Conversion/CustomOps.h"
#include "isthmus/Conversion/Passes.h"
#include "isthmus/Conversion/ProgramForm.h"
#include "isthmus/Pipelines/Pipelines.h"
#include "isthmus/Support/Parts.h"
#include "isthmus/Support/VerifyProgram.h"
#include "mlir/IR/BuiltinDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"

using namespace mlir;
using namespace isthmus;
using Kind = ModelError::Kind;

#ifdef ISTHMUS_WITH_ONNX
/// "x=1x3x224x224", the form that the pass accepts.
static std::string shapeText(StringRef name, ArrayRef<int64_t> sizes) {
  auto numbers =
      llvm::map_range(sizes, [](int64_t size) { return std::to_string(size); });
  return name.str() + "=" + llvm::join(numbers, "x");
}
#endif

/// The first op of the dialects that are lowered, onnx and torch, or else the
/// first op of a dialect of a target. Null if a program has neither.
static Operation *findFirstNode(ModuleOp module) {
  Operation *other = nullptr;
  Operation *node = nullptr;
  module.walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (dialect == "onnx" || dialect == "torch") {
      node = op;
      return WalkResult::interrupt();
    }
    if (!other && dialect != "builtin" && dialect != "func" &&
        dialect != "ml_program" && dialect != "sdy" && dialect != "torch_c")
      other = op;
    return WalkResult::advance();
  });
  return node ? node : other;
}

/// Whether a lowering to the target starts from programs of a dialect.
static bool isLoweredFrom(StringRef dialect, const Target &target) {
  return dialect == "onnx" || dialect == "torch" ||
         dialect == target.getOtherSource();
}

/// With ISTHMUS_SAVE_STAGES=DIR, writes the program after each pass that
/// changes it to a file in DIR. Large constants are left out.
static void saveStages(PassManager &manager) {
  std::optional<std::string> folder =
      llvm::sys::Process::GetEnv("ISTHMUS_SAVE_STAGES");
  if (!folder || folder->empty())
    return;
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs().elideLargeResourceString();
  manager.enableIRPrintingToFileTree(
      /*shouldPrintBeforePass=*/{},
      /*shouldPrintAfterPass=*/[](Pass *, Operation *) { return true; },
      /*printModuleScope=*/false, /*printAfterOnlyOnChange=*/true,
      /*printAfterOnlyOnFailure=*/false, *folder, flags);
}

llvm::Error Model::lower(const LowerOptions &options) {
  warnings.clear();
  const Target *target = findTarget(options.target);
  if (!target)
    return isthmus::failed(partOfTarget(options.target).empty()
                               ? Kind::Unsupported
                               : Kind::MissingPart,
                           whyNoTarget(options.target));
  auto objections = objectionsTo(options, *target);
  if (!objections.empty())
    return llvm::make_error<ModelError>(Kind::Unsupported,
                                        std::move(objections));
  PassManager manager(context.get(), ModuleOp::getOperationName());
  // The input is already verified. Verifying costs as much as a pass, and more
  // for a program that exceeds the caches: it walks over all of it four times.
  manager.enableVerifier(verifiesEachPass());
  saveStages(manager);
  Operation *node = findFirstNode(*root);
  StringRef dialect = node ? node->getName().getDialectNamespace() : "torch";
  if (!isLoweredFrom(dialect, *target))
    return isthmus::failed(Kind::Unsupported,
                           "expected a program of the torch or the onnx "
                           "dialect, got one with '" +
                               node->getName().getStringRef() + "'");
  bool isOnnx = false;
#ifdef ISTHMUS_WITH_ONNX
  isOnnx = dialect == "onnx";
  if (isOnnx) {
    SpecializeOnnxInputsOptions specialize;
    for (const auto &input : options.specialize)
      specialize.inputs.push_back(shapeText(input.getKey(), input.getValue()));
    manager.addPass(createSpecializeOnnxInputs(specialize));
    buildOnnxToTorchPipeline(manager, options.customOps, options.outline,
                             options.deviceConfiguration);
  }
#endif
  bool isSpecializable = isOnnx;
  if (source) {
    isSpecializable = true;
    if (!options.specialize.empty()) {
      Diagnostics diagnostics(context.get());
      auto specialized =
          frontEnd->import(*source, context.get(), options.specialize);
      if (!specialized)
        return diagnostics.take(Kind::Unsupported,
                                "expected sizes that the program takes");
      root = std::move(specialized);
    }
  }
  source.reset();
  if (!isSpecializable && !options.specialize.empty())
    return isthmus::failed(Kind::Unsupported,
                           "input '" + options.specialize.begin()->getKey() +
                               "': expected a model to give it a shape, "
                               "got a program without names for inputs");
  if (!isOnnx && !options.deviceConfiguration.empty())
    return isthmus::failed(Kind::Unsupported,
                           "device-configuration: expected an ONNX model, got "
                           "a program of another kind");
  TargetPipelineOptions lowering = options;
  if (isOnnx)
    lowering.outline.clear(); // equal nodes have been merged by now
  buildTorchToTargetPipeline(manager, *target, lowering);

  Diagnostics diagnostics(context.get(), &warnings);
  if (mlir::failed(manager.run(*root)) || mlir::failed(verifyProgram(*root)))
    return diagnostics.take(
        Kind::Unsupported,
        ("expected a program that lowers to " + target->getName()).str());
  return llvm::Error::success();
}

llvm::Error Model::raiseCustomOps() {
  PassManager manager(context.get(), ModuleOp::getOperationName());
  manager.addPass(createRaiseCustomOps());
  source.reset();
  Diagnostics diagnostics(context.get());
  if (mlir::failed(manager.run(*root)))
    return diagnostics.take(Kind::BadModel,
                            "expected custom ops that keep the contract");
  return llvm::Error::success();
}

llvm::StringMap<unsigned> Model::customOps() const {
  llvm::StringMap<unsigned> counts;
  module().walk([&](Operation *op) {
    std::string name = custom_ops::nameOf(op);
    if (!name.empty() && name != custom_ops::kNoneName)
      ++counts[name];
  });
  return counts;
}

/// The function whose constants become parameters.
static llvm::Expected<func::FuncOp> mainOf(ModuleOp module) {
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    return main;
  return isthmus::failed(Kind::Unsupported,
                         "expected a function @main, got none");
}

static llvm::Expected<std::vector<Weight>>
toWeights(SmallVector<HoistedWeight> hoisted) {
  std::vector<Weight> weights;
  for (HoistedWeight &weight : hoisted) {
    std::optional<WeightData> data = weight.getData();
    if (!data)
      return isthmus::failed(Kind::BadModel, "weight '" + weight.name +
                                                 "': expected data, got none");
    auto dense = dyn_cast<DenseElementsAttr>(weight.value);
    weights.push_back({std::move(weight.name),
                       cast<RankedTensorType>(weight.value.getType()),
                       data->data, dense && dense.isSplat()});
  }
  return weights;
}

llvm::Expected<std::vector<Weight>> Model::hoistWeights(int64_t minBytes) {
  auto main = mainOf(*root);
  if (!main)
    return main.takeError();
  source.reset(); // it has them as constants
  return toWeights(isthmus::hoistWeights(*main, minBytes));
}

llvm::Expected<std::vector<Weight>> Model::hoistNamedWeights() {
  auto main = mainOf(*root);
  if (!main)
    return main.takeError();
  source.reset();
  return toWeights(isthmus::hoistNamedWeights(*main));
}
