//===- Registration.cpp - The dialects and passes that a build has --------===//

#include "isthmus/Conversion/Passes.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Dialect/Torch/TorchConversion.h"
#include "isthmus/Pipelines/Pipelines.h"
#include "isthmus/Support/LoadDialects.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

#ifdef ISTHMUS_WITH_ONNX
#include "isthmus/Dialect/Onnx/Onnx.h"
#endif
#ifdef ISTHMUS_WITH_LINALG
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#endif
#ifdef ISTHMUS_WITH_MHLO
#include "isthmus/Dialect/Mhlo/Mhlo.h"
#include "isthmus/Dialect/Mhlo/Stablehlo.h"
#endif
#ifdef ISTHMUS_WITH_TOSA
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#endif

using namespace mlir;
using namespace isthmus;

/// Adds Isthmus's own dialects to a registry and their names to a list.
template <typename... Dialects>
static void insertOwn(DialectRegistry &registry,
                      SmallVectorImpl<DialectName> &names) {
  registry.insert<Dialects...>();
  names.append({DialectName::of<Dialects>()...});
}

static DialectRegistry ownDialects(SmallVectorImpl<DialectName> &names) {
  DialectRegistry registry;
  insertOwn<torch::TorchDialect, torch_c::TorchConversionDialect>(registry,
                                                                  names);
#ifdef ISTHMUS_WITH_ONNX
  insertOwn<onnx::OnnxDialect>(registry, names);
#endif
#ifdef ISTHMUS_WITH_MHLO
  insertOwn<mhlo::MhloDialect, stablehlo::StablehloDialect>(registry, names);
#endif
  return registry;
}

static void insertOthers(DialectRegistry &registry) {
  registry.insert<func::FuncDialect, ml_program::MLProgramDialect>();
#ifdef ISTHMUS_WITH_LINALG
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                  complex::ComplexDialect, linalg::LinalgDialect,
                  math::MathDialect, scf::SCFDialect, tensor::TensorDialect>();
#endif
#ifdef ISTHMUS_WITH_TOSA
  registry.insert<tosa::TosaDialect>();
#endif
}

/// Registers in a registry or a context, if no name is taken there.
template <typename Place>
static llvm::Error registerIn(Place &place,
                              function_ref<void(DialectRegistry &)> append) {
  SmallVector<DialectName> names;
  DialectRegistry registry = ownDialects(names);
  auto taken = findTakenNames(place, names);
  if (!taken.empty())
    return llvm::createStringError(describeTakenNames(taken));
  insertOthers(registry);
  append(registry);
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
static void registerTargetPipeline(Target target) {
  auto build = [target](OpPassManager &manager, StringRef text,
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
      ("torch-to-" + nameOf(target) + "-pipeline").str(),
      ("Lower the torch backend contract to " + nameOf(target)).str(), build,
      [](function_ref<void(const detail::PassOptions &)> show) {
        show(PipelineOptions());
      });
}

void isthmus::registerPasses() {
  for (Target target : allTargets())
    if (isAvailable(target))
      registerTargetPipeline(target);
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
  registerSimplifyTorch();
  registerTorchDecomposeComplexOps();
  registerRaiseCustomOps();
  registerUseSharedTorchOps();
  registerVerifyTorchBackendContract();
  registerWeightsToArguments();
  registerWeightsToGlobals();
#ifdef ISTHMUS_WITH_ONNX
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
                                 options.outline.get());
      });
#endif
#ifdef ISTHMUS_WITH_LINALG
  registerConvertTorchBackendLegalToLinalgCall();
  registerConvertTorchToLinalg();
#endif
#ifdef ISTHMUS_WITH_MHLO
  registerConvertTorchBackendLegalToMhloCustomCall();
  registerConvertTorchToMhlo();
  registerMhloToStablehlo();
#endif
#ifdef ISTHMUS_WITH_TOSA
  registerConvertTorchBackendLegalToTosaCustom();
  registerConvertTorchToTosa();
  registerTosaSimplifyLayout();
  tosa::registerTosaPasses();
#endif
}
