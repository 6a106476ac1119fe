//===- Save.cpp - A program and its weights as files ----------------------===//

#include "Diagnostics.h"
#include "MoveWeights.h"
#include "Output.h"
#include "Resources.h"
#include "isthmus/Conversion/Passes.h"
#include "isthmus/Conversion/ProgramForm.h"
#include "isthmus/Conversion/Target.h"
#include "isthmus/Support/Parts.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace isthmus;
using Kind = ModelError::Kind;
namespace fs = llvm::sys::fs;

/// The dialect of a program: that of the first op in one of its functions.
static StringRef dialectOf(ModuleOp module) {
  for (auto func : module.getOps<FunctionOpInterface>())
    if (!func.isExternal())
      for (Operation &op : func.getFunctionBody().front())
        if (StringRef name = op.getName().getDialectNamespace();
            name != "func" && name != "ml_program" && name != "torch_c")
          return name;
  return "";
}

/// The target that writes a program into a file of its own: that of the
/// program's dialect, or any one, which says what its files cannot hold. Null
/// if this build has none.
static const Target *findFileTarget(ModuleOp module) {
  auto hasFiles = [](const Target *target) {
    return target && !target->getFileFormat().empty();
  };
  const Target *own = findTargetOfConstants(dialectOf(module));
  if (hasFiles(own))
    return own;
  const auto *other = llvm::find_if(targets(), hasFiles);
  return other == targets().end() ? nullptr : *other;
}

llvm::Error Model::write(llvm::raw_ostream &os, Format format,
                         bool elide) const {
  if (isText(format))
    return print(os, format == Format::GenericText, elide);
  Diagnostics diagnostics(context.get());
  if (format == Format::TargetFile) {
    const Target *target = findFileTarget(module());
    if (!target)
      return isthmus::failed(Kind::MissingPart,
                             "expected a target with a file format of its "
                             "own, such as tosa, got none: " +
                                 missingPart("tosa"));
    if (mlir::failed(target->writeFile(module(), os)))
      return diagnostics.take(Kind::Unsupported,
                              "expected a program that a " +
                                  target->getFileFormat().str() +
                                  " file can hold");
    return llvm::Error::success();
  }
  BytecodeWriterConfig config;
  config.setElideResourceDataFlag(elide);
  if (mlir::failed(writeBytecodeToFile(*root, os, config)))
    return diagnostics.take(Kind::System, "expected to write bytecode");
  return llvm::Error::success();
}

WeightForm Model::weightFormFor(const SaveOptions &options, bool isFile) const {
  constexpr int64_t mostInline = 1 << 20, mostText = 1 << 30;
  if (options.weights != WeightForm::Auto)
    return options.weights;
  StringRef dialect = dialectOf(module());
  const Target *target = findTargetOfConstants(dialect);
  bool readsGlobals = !target || target->readsGlobals();
  if (options.inPlace || options.checksums)
    return readsGlobals && dialect != "onnx" &&
                   options.format != Format::TargetFile
               ? WeightForm::External
               : WeightForm::Argument;
  if (options.format == Format::TargetFile)
    return WeightForm::Resource;
  if (!isFile && !readsGlobals)
    return WeightForm::Inline;
  // Resources for dialects whose own tools read no globals, and for formats
  // that are mapped when they are read.
  if (!isFile || dialect == "onnx" || dialect == "torch" ||
      (readsGlobals && options.format == Format::Bytecode))
    return WeightForm::Resource;
  int64_t bytes = countWeightBytes(module(), options.minWeightBytes);
  if (!weightFile.empty())
    bytes += countExternBytes(module());
  if (!readsGlobals)
    return bytes > mostInline ? WeightForm::Argument : WeightForm::Inline;
  return bytes > mostText ? WeightForm::External : WeightForm::Resource;
}

/// Whether a manifest next to the program gives the positions of its weights.
static bool hasManifest(WeightForm form) {
  return form == WeightForm::Argument || form == WeightForm::External;
}

/// The reason why the program cannot be saved as requested; messages refer to
/// `place`.
static llvm::Error findObjection(ModuleOp module, const SaveOptions &options,
                                 StringRef place, bool isFile) {
  bool isForIree = options.weights == WeightForm::Iree;
  bool isApart = isForIree || hasManifest(options.weights);
  auto refused = [&](Kind kind, const Twine &message) {
    return isthmus::failed(kind, place + ": expected " + message);
  };
  StringRef dialect = dialectOf(module);
  const Target *target = findTargetOfConstants(dialect);
  if (isForIree && target && !target->isReadByIree())
    return refused(Kind::Unsupported,
                   "a dialect that IREE reads, such as stablehlo, got " +
                       target->getName());
  if ((isForIree || options.weights == WeightForm::External) &&
      dialect == "onnx")
    return refused(Kind::Unsupported,
                   "a lowered program, whose weights can be globals, got the "
                   "onnx dialect");
  if (isForIree && !isText(options.format))
    return refused(Kind::Unsupported,
                   "text, as of a file called .mlir, which is what IREE "
                   "reads, got " +
                       Twine(options.format == Format::Bytecode
                                 ? "bytecode"
                                 : "a file of a target"));
  if (options.format == Format::TargetFile &&
      (options.weights == WeightForm::External ||
       options.weights == WeightForm::None))
    return refused(Kind::Unsupported,
                   "weights in the file of a target, or as arguments, got "
                   "another form of weights");
  if (!hasManifest(options.weights) && (options.inPlace || options.checksums))
    return refused(
        Kind::Unsupported,
        "arguments or extern globals, which have a manifest, for " +
            Twine(options.inPlace ? "weights in place" : "checksums") +
            ", got another form of weights");
  if (isApart && !isFile)
    return refused(Kind::System,
                   "a file to put weights beside, got something else");
  bool keepsWeights = options.weights != WeightForm::None;
  if ((isApart && !externWeights(module).empty()) ||
      (keepsWeights && lacksResources(module)))
    return refused(Kind::BadModel,
                   "a program with its weights, got one that was parted from "
                   "them: they are not in it, nor in files beside it");
  return llvm::Error::success();
}

/// The dialects that only IREE has are not registered.
static LogicalResult runForIree(PassManager &manager, ModuleOp module) {
  MLIRContext *context = module.getContext();
  context->allowUnregisteredDialects(true);
  LogicalResult result = manager.run(module);
  context->allowUnregisteredDialects(false);
  return result;
}

/// Moves the weights of a program to the form of separate files.
static llvm::Expected<SavedWeights> moveApart(ModuleOp module, StringRef path,
                                              const SaveOptions &options,
                                              NewFiles &files) {
  MLIRContext *context = module.getContext();
  Diagnostics diagnostics(context);
  auto invalid = [&] {
    return diagnostics.take(Kind::Unsupported, "expected a valid program");
  };
  PassManager toGlobals(context), toForm(context);
  toGlobals.addPass(createWeightsToGlobals({options.minWeightBytes}));
  if (mlir::failed(toGlobals.run(module)))
    return invalid();
  auto saved = moveWeights(module, path, options, files);
  if (!saved)
    return saved;
  bool isForIree = options.weights == WeightForm::Iree;
  if (isForIree) {
    // IREE does not read constants that no file can hold, such as bools, as
    // resources.
    inlineResources(module);
    toForm.addPass(createGlobalsToIreeParameters());
  } else if (options.weights == WeightForm::Argument) {
    toForm.addPass(createGlobalsToArguments());
  }
  if (mlir::failed(isForIree ? runForIree(toForm, module) : toForm.run(module)))
    return invalid();
  return saved;
}

llvm::Expected<SavedWeights> Model::save(StringRef path,
                                         const SaveOptions &given) const {
  bool isFile = path != "-" && (!fs::exists(path) || fs::is_regular_file(path));
  SaveOptions options = given;
  options.weights = weightFormFor(given, isFile);
  bool isApart =
      hasManifest(options.weights) || options.weights == WeightForm::Iree;
  if (!weightFile.empty() && !externWeights(module()).empty()) {
    // Files to be replaced may hold the weights.
    auto whole = withWeights();
    if (!whole)
      return whole.takeError();
    whole->weightFile.clear();
    Diagnostics diagnostics(context.get());
    PassManager toWeights(context.get());
    toWeights.addPass(createGlobalsToWeights());
    // Weights that remain globals keep their names.
    if (!isApart && mlir::failed(toWeights.run(whole->module())))
      return diagnostics.take(Kind::BadModel, "expected a valid program");
    return whole->save(path, options);
  }
  if (llvm::Error error = findObjection(
          module(), options, path == "-" ? "standard output" : path, isFile))
    return error;

  NewFiles files;
  SavedWeights weights;
  weights.form = options.weights;
  const Model *saved = this;
  std::optional<Model> changed;
  if (isApart || options.weights == WeightForm::Inline)
    saved = &changed.emplace(clone());
  if (options.weights == WeightForm::Inline)
    inlineResources(changed->module());
  if (isApart) {
    auto moved = moveApart(changed->module(), path, options, files);
    if (!moved)
      return moved;
    weights = std::move(*moved);
  }
  auto write = [&](llvm::raw_ostream &os) {
    return saved->write(os, options.format,
                        /*elide=*/options.weights == WeightForm::None);
  };
  if (!isFile) {
    if (llvm::Error error = writeInto(path, write))
      return error;
    return weights;
  }
  if (llvm::Error error = addFile(files, path, write, options.progress))
    return error;
  if (llvm::Error error = keepFiles(files))
    return error;
  return weights;
}
