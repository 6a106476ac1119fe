//===- Registration.cpp - The dialects and passes of a build --------------===//

#include "isthmus/Conversion/Passes.h"
#include "isthmus/Pipelines/Pipelines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

#ifdef ISTHMUS_WITH_ONNX
#include "isthmus/Dialect/Onnx/Onnx.h"
#endif

using namespace mlir;
using namespace isthmus;

/// The dialects that programs of this build may use.
static DialectSet allDialects() {
  DialectSet dialects;
  dialects.addOthers<func::FuncDialect, ml_program::MLProgramDialect>();
#ifdef ISTHMUS_WITH_ONNX
  dialects.addOwn<onnx::OnnxDialect>();
#endif
  for (const Target *target : targets())
    target->addDialects(dialects);
  return dialects;
}

/// Registers in a registry or a context, if no dialect has the name.
template <typename Place>
static llvm::Error registerIn(Place &place,
                              function_ref<void(DialectRegistry &)> append) {
  DialectSet dialects = allDialects();
  auto taken = findTakenNames(place, dialects.own);
  if (!taken.empty())
    return llvm::createStringError(describeTakenNames(taken));
  append(dialects.registry);
  return llvm::Error::success();
}

llvm::Error isthmus::registerDialects(DialectRegistry &registry) {
  return registerIn(registry, [&](DialectRegistry &dialects) {
    dialects.appendTo(registry);
  });
}

llvm::Error isthmus::registerDialects(MLIRContext &context) {
  return registerIn(context, [&](DialectRegistry &dialects) {
    context.appendDialectRegistry(dialects);
  });
}

namespace {
/// An option of a pipeline, of the same type as its member of
/// TargetPipelineOptions.
template <typename T>
struct PipelineOption : detail::PassOptions::Option<T> {
  PipelineOption(detail::PassOptions &parent, StringRef argument,
                 StringRef description, const T &value)
      : detail::PassOptions::Option<T>(parent, argument,
                                       llvm::cl::desc(description),
                                       llvm::cl::init(value)) {}
  T get() const { return this->getValue(); }
};

template <typename T>
struct PipelineOption<std::vector<T>> : detail::PassOptions::ListOption<T> {
  PipelineOption(detail::PassOptions &parent, StringRef argument,
                 StringRef description, const std::vector<T> &)
      : detail::PassOptions::ListOption<T>(parent, argument,
                                           llvm::cl::desc(description)) {}
  std::vector<T> get() const { return {this->begin(), this->end()}; }
};

struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
#define LOWERING_OPTION(TYPE, NAME, ARGUMENT, DESCRIPTION)                     \
  PipelineOption<TYPE> NAME{*this, ARGUMENT, DESCRIPTION,                      \
                            TargetPipelineOptions().NAME};
#include "isthmus/Conversion/LoweringOptions.inc"

  TargetPipelineOptions get() const {
    TargetPipelineOptions options;
#define LOWERING_OPTION(TYPE, NAME, ARGUMENT, DESCRIPTION)                     \
  options.NAME = NAME.get();
#include "isthmus/Conversion/LoweringOptions.inc"
    return options;
  }
};

#ifdef ISTHMUS_WITH_ONNX
struct OnnxPipelineOptions : PassPipelineOptions<OnnxPipelineOptions> {
#define ONNX_OPTION(TYPE, NAME, ARGUMENT, DESCRIPTION)                         \
  PipelineOption<TYPE> NAME{*this, ARGUMENT, DESCRIPTION, {}};
#include "isthmus/Conversion/LoweringOptions.inc"
};
#endif
} // namespace

/// torch-to-linalg-pipeline and so on.
static void registerTargetPipeline(const Target &target) {
  auto build = [&target](OpPassManager &manager, StringRef text,
                         function_ref<LogicalResult(const Twine &)> fail) {
    PipelineOptions parsed;
    if (failed(parsed.parseFromString(text)))
      return failure();
    TargetPipelineOptions options = parsed.get();
    auto objections = objectionsTo(options, target);
    if (!objections.empty())
      return fail(llvm::join(objections, "\n"));
    buildTorchToTargetPipeline(manager, target, options);
    return success();
  };
  registerPassPipeline(
      ("torch-to-" + target.getName() + "-pipeline").str(),
      ("Lower the torch backend contract to " + target.getName()).str(), build,
      [](function_ref<void(const detail::PassOptions &)> show) {
        show(PipelineOptions());
      });
}

void isthmus::registerPasses() {
  for (const Target *target : targets()) {
    registerTargetPipeline(*target);
    target->registerPasses();
  }
  registerTransformsPasses();
  registerArgumentsToGlobals();
  registerBuffersToArguments();
  registerBuffersToGlobals();
  registerExternalizeGlobals();
  registerFuncToMlProgram();
  registerGlobalsToArguments();
  registerGlobalsToIreeParameters();
  registerGlobalsToWeights();
  registerInlineGlobals();
  registerMergeEqualOps();
  registerMlProgramToFunc();
  registerOutlineCustomOps();
  registerOutlinePatterns();
  registerShardProgram();
  registerSimplifyTorch();
  registerTorchDecomposeComplexOps();
  registerRaiseCustomOps();
  registerUseSharedTorchOps();
  registerVerifyTorchBackendContract();
  registerWeightsToArguments();
  registerWeightsToGlobals();
#ifdef ISTHMUS_WITH_ONNX
  registerApplyDeviceConfiguration();
  registerConvertFunctionTypesToTorchTypes();
  registerConvertOnnxToTorch();
  registerEraseOnnxEntryPoint();
  registerFinalizeTorchTypeConversion();
  registerSpecializeOnnxInputs();
  PassPipelineRegistration<OnnxPipelineOptions>(
      "convert-onnx-to-torch-pipeline",
      "Lower an ONNX graph to the torch backend contract",
      [](OpPassManager &manager, const OnnxPipelineOptions &options) {
        buildOnnxToTorchPipeline(manager, options.customOps.get(),
                                 options.outline.get(),
                                 options.deviceConfiguration.get());
      });
#endif
}
