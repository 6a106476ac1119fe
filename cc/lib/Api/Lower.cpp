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

#ifdef ISTHMUS_WITH_ONNX
#include "isthmus/Dialect/Onnx/Structure.h"
#endif
#ifdef ISTHMUS_WITH_PT2
#include "isthmus/Importer/Pt2Importer.h"
#endif

using namespace mlir;
using namespace isthmus;
using Kind = ModelError::Kind;

#ifdef ISTHMUS_WITH_ONNX
/// "x=1x3x224x224", as the pass takes it.
static std::string shapeText(StringRef name, ArrayRef<int64_t> sizes) {
  auto numbers =
      llvm::map_range(sizes, [](int64_t size) { return std::to_string(size); });
  return name.str() + "=" + llvm::join(numbers, "x");
}

/// Whether there are graphs to convert. Text need not name an entry point.
static bool hasOnnx(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa_and_nonnull<onnx::OnnxDialect>(op->getDialect())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}
#endif

llvm::Error Model::lower(const LowerOptions &options) {
  if (!isAvailable(options.target))
    return isthmus::failed(Kind::MissingPart,
                           missingPart(partOf(options.target)));
  if (options.buffersToGlobals && options.target == Target::Torch)
    return isthmus::failed(Kind::Unsupported,
                           "expected a target that keeps buffers in globals, "
                           "got torch");
  PassManager manager(context.get(), ModuleOp::getOperationName());
  // What was read is valid. Verifying costs as much as many a pass, and for a
  // program that leaves the caches, more: it walks over all of it four times.
  manager.enableVerifier(verifiesEachPass());
  bool isOnnx = false;
#ifdef ISTHMUS_WITH_ONNX
  isOnnx = hasOnnx(*root);
  if (isOnnx) {
    SpecializeOnnxInputsOptions specialize;
    for (const auto &input : options.specialize)
      specialize.inputs.push_back(shapeText(input.getKey(), input.getValue()));
    manager.addPass(createSpecializeOnnxInputs(specialize));
    buildOnnxToTorchPipeline(manager, options.customOps, options.outline);
  }
#endif
#ifdef ISTHMUS_WITH_PT2
  // Its file says of every value how its sizes follow from those of inputs.
  if (program && !options.specialize.empty()) {
    Diagnostics diagnostics(context.get());
    Pt2ImportOptions import;
    import.specialize = options.specialize;
    auto specialized = isthmus::importPt2(program, context.get(), import);
    if (!specialized)
      return diagnostics.take(Kind::Unsupported,
                              "expected sizes that the program takes");
    root = std::move(specialized);
  }
#endif
  bool hasNamedInputs = isOnnx || program;
  program = nullptr;
  if (!hasNamedInputs && !options.specialize.empty())
    return isthmus::failed(Kind::Unsupported,
                           "input '" + options.specialize.begin()->getKey() +
                               "': expected a model to give it a shape, "
                               "got a program without names for inputs");
  TargetPipelineOptions lowering = options;
  if (isOnnx)
    lowering.outline.clear(); // what equal nodes become is one by now
  buildTorchToTargetPipeline(manager, options.target, lowering);

  Diagnostics diagnostics(context.get());
  if (mlir::failed(manager.run(*root)) || mlir::failed(verifyProgram(*root)))
    return diagnostics.take(
        Kind::Unsupported,
        ("expected a program that lowers to " + nameOf(options.target)).str());
  return llvm::Error::success();
}

llvm::Error Model::raiseCustomOps() {
  PassManager manager(context.get(), ModuleOp::getOperationName());
  manager.addPass(createRaiseCustomOps());
  program = nullptr;
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

llvm::Expected<std::vector<Weight>> Model::hoistWeights(int64_t minBytes) {
  auto main = root->lookupSymbol<func::FuncOp>("main");
  if (!main)
    return isthmus::failed(Kind::Unsupported,
                           "expected a function @main, got none");
  program = nullptr; // which has them as constants
  std::vector<Weight> weights;
  for (HoistedWeight &weight : isthmus::hoistWeights(main, minBytes)) {
    std::optional<WeightData> data = weight.getData();
    if (!data)
      return isthmus::failed(Kind::BadModel, "weight '" + weight.name +
                                                 "': expected data, got none");
    weights.push_back({std::move(weight.name),
                       cast<RankedTensorType>(weight.value.getType()),
                       data->data});
  }
  return weights;
}
