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
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  ListOption<std::string> legalOps{
      *this, "legal-ops", llvm::cl::desc("composite ATen ops to keep whole")};
  ListOption<std::string> customOps{
      *this, "custom-ops",
      llvm::cl::desc("ops to carry as custom ops, 'unsupported' or 'all'")};
  ListOption<std::string> outline{
      *this, "outline",
      llvm::cl::desc("classes of modules that become custom ops with a body")};
  ListOption<std::string> outlinePatterns{
      *this, "outline-patterns",
      llvm::cl::desc("files of patterns that become custom ops with a body")};
  Option<std::string> encoding{
      *this, "encoding",
      llvm::cl::desc("of custom ops: 'attributes' or 'operands'"),
      llvm::cl::init("attributes")};
  Option<bool> narrowF64{*this, "narrow-f64",
                         llvm::cl::desc("TOSA: compute in f32 what is f64"),
                         llvm::cl::init(false)};
  Option<bool> buffersToGlobals{
      *this, "buffers-to-globals",
      llvm::cl::desc("keep buffers that the program writes to in globals"),
      llvm::cl::init(false)};
};

#ifdef ISTHMUS_WITH_ONNX
struct OnnxPipelineOptions : PassPipelineOptions<OnnxPipelineOptions> {
  ListOption<std::string> customOps{
      *this, "custom-ops",
      llvm::cl::desc("nodes to leave whole, by name, or 'unsupported'")};
  ListOption<std::string> outline{
      *this, "outline",
      llvm::cl::desc("functions that become custom ops with a body")};
};
#endif
} // namespace

/// torch-to-linalg-pipeline and so on.
static void registerTargetPipelines() {
  for (Target target : allTargets())
    if (isAvailable(target))
      PassPipelineRegistration<PipelineOptions>(
          ("torch-to-" + nameOf(target) + "-pipeline").str(),
          ("Lower the torch backend contract to " + nameOf(target)).str(),
          [target](OpPassManager &manager, const PipelineOptions &options) {
            TargetPipelineOptions lowering;
            llvm::append_range(lowering.legalOps, options.legalOps);
            llvm::append_range(lowering.customOps, options.customOps);
            llvm::append_range(lowering.outline, options.outline);
            llvm::append_range(lowering.outlinePatterns,
                               options.outlinePatterns);
            lowering.customOpEncoding = options.encoding;
            lowering.narrowF64 = options.narrowF64;
            lowering.buffersToGlobals = options.buffersToGlobals;
            buildTorchToTargetPipeline(manager, target, lowering);
          });
}

void isthmus::registerPasses() {
  registerTargetPipelines();
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
        SmallVector<std::string> names(options.customOps.begin(),
                                       options.customOps.end());
        SmallVector<std::string> outline(options.outline.begin(),
                                         options.outline.end());
        buildOnnxToTorchPipeline(manager, names, outline);
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
