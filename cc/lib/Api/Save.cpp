//===- Save.cpp - A program and its weights as files ----------------------===//

#include "Diagnostics.h"
#include "WeightFile.h"
#include "WeightStream.h"
#include "isthmus/Conversion/Passes.h"
#include "isthmus/Conversion/ProgramForm.h"
#include "isthmus/Support/MappedFile.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace isthmus;
using Kind = ModelError::Kind;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using Write = llvm::function_ref<llvm::Error(llvm::raw_ostream &)>;

llvm::Error Model::write(llvm::raw_ostream &os, Format format,
                         bool elide) const {
  if (format == Format::Text)
    return print(os, elide);
  Diagnostics diagnostics(context.get());
  BytecodeWriterConfig config;
  config.setElideResourceDataFlag(elide);
  if (mlir::failed(writeBytecodeToFile(*root, os, config)))
    return diagnostics.take(Kind::System, "expected to write bytecode");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Files, all or none
//===----------------------------------------------------------------------===//

namespace {

/// Files under temporary names beside those that they replace. What is not kept
/// goes.
class NewFiles {
public:
  ~NewFiles() {
    for (auto &[file, path] : files)
      llvm::consumeError(file.discard());
  }

  llvm::Error add(StringRef path, Write write,
                  std::function<bool(uint64_t)> progress = {}) {
    if (fs::exists(path) && !fs::is_regular_file(path))
      return isthmus::failed(Kind::System,
                             path + ": expected a file, got something else");
    auto file = fs::TempFile::create(path + ".%%%%%%%%.tmp",
                                     fs::all_read | fs::owner_write);
    if (!file)
      return refused(path, file.takeError());
    files.emplace_back(std::move(*file), path.str());
    WeightStream os(files.back().first.FD, std::move(progress));
    llvm::Error error = write(os);
    os.flush();
    return refused(path, llvm::joinErrors(std::move(error),
                                          llvm::errorCodeToError(os.error())));
  }

  llvm::Error keep() {
    while (!files.empty()) {
      auto [file, path] = std::move(files.front());
      files.erase(files.begin());
      if (llvm::Error error = file.keep(path))
        return refused(path, std::move(error));
    }
    return llvm::Error::success();
  }

private:
  static llvm::Error refused(const Twine &path, llvm::Error error) {
    return llvm::handleErrors(
        std::move(error), [&](std::unique_ptr<llvm::ECError> system) {
          return isthmus::failed(Kind::System, path + ": " + system->message());
        });
  }

  std::vector<std::pair<fs::TempFile, std::string>> files;
};

} // namespace

/// Writes into what is not a file to be replaced: a pipe, a device.
static llvm::Error writeInto(StringRef path, Write write) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  llvm::Error error = llvm::Error::success();
  if (!code) {
    error = write(os);
    os.close();
    code = os.error();
    os.clear_error();
  }
  if (code)
    error = llvm::joinErrors(
        std::move(error),
        isthmus::failed(Kind::System, path + ": " + code.message()));
  return error;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// The dialect that a program is in: of the first op in one of its functions.
static StringRef dialectOf(ModuleOp module) {
  for (auto func : module.getOps<FunctionOpInterface>())
    if (!func.isExternal())
      for (Operation &op : func.getFunctionBody().front())
        if (StringRef name = op.getName().getDialectNamespace();
            name != "func" && name != "ml_program")
          return name;
  return "";
}

WeightForm Model::weightFormFor(const SaveOptions &options) const {
  constexpr int64_t mostInline = 1 << 20, mostText = 1 << 30;
  if (options.weights != WeightForm::Auto)
    return options.weights;
  StringRef dialect = dialectOf(module());
  bool isForXla = dialect == "mhlo" || dialect == "stablehlo";
  if (options.inPlace || options.checksums)
    return isForXla ? WeightForm::Argument : WeightForm::External;
  // Those whose own tools read no globals, and what is mapped when it is read.
  if (dialect == "onnx" || dialect == "torch" ||
      (!isForXla && options.format == Format::Bytecode))
    return WeightForm::Resource;
  int64_t bytes = countWeightBytes(module(), options.minWeightBytes);
  if (isForXla)
    return bytes > mostInline ? WeightForm::Argument : WeightForm::Inline;
  return bytes > mostText ? WeightForm::External : WeightForm::Resource;
}

/// Puts the values of resources into the program's own text.
static void inlineResources(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [](DenseResourceElementsAttr value) -> std::optional<Attribute> {
        AsmResourceBlob *blob = value.getRawHandle().getBlob();
        ShapedType type = value.getShapedType();
        bool isSplat = false;
        if (!blob || type.getElementType().isInteger(1) ||
            !DenseElementsAttr::isValidRawBuffer(type, blob->getData(),
                                                 isSplat))
          return std::nullopt;
        return DenseElementsAttr::getFromRawBuffer(type, blob->getData());
      });
  replacer.recursivelyReplaceElementsIn(module);
}

/// Splits weights into those that lie in a file inside of `folder`, with where,
/// and others.
static void findInPlace(StringRef folder, std::vector<WeightData> &weights,
                        std::vector<WeightExtent> &extents) {
  SmallString<128> root;
  if (fs::real_path(folder.empty() ? "." : folder, root))
    return;
  if (!StringRef(root).ends_with("/"))
    root += '/';
  llvm::erase_if(weights, [&](const WeightData &weight) {
    auto place = findInFile(weight.data);
    SmallString<128> file;
    if (!place || fs::real_path(place->path, file) ||
        !StringRef(file).starts_with(root))
      return false;
    extents.push_back({weight.name, weight.elementType, weight.shape,
                       file.substr(root.size()).str(), place->offset,
                       weight.data.size()});
    return true;
  });
}

/// What a stream tells of its progress, for a file of `total` bytes.
static std::function<bool(uint64_t)> progressOf(const SaveOptions &options,
                                                uint64_t total) {
  if (!options.progress)
    return {};
  return [&options, total](uint64_t written) {
    return options.progress(written, total);
  };
}

/// Writes the weights of globals beside the program, and takes them out of it.
static llvm::Error moveWeights(ModuleOp module, StringRef path,
                               const SaveOptions &options, NewFiles &files) {
  std::vector<WeightData> weights;
  for (const HoistedWeight &weight : externalizeGlobals(module)) {
    std::optional<WeightData> data = weight.getData();
    if (!data)
      return isthmus::failed(Kind::BadModel, "weight '" + weight.name +
                                                 "': expected data, got none");
    weights.push_back(std::move(*data));
  }
  llvm::StringMap<ArrayRef<char>> bytes;
  for (const WeightData &weight : weights)
    bytes[weight.name] = weight.data;
  std::vector<WeightExtent> extents;
  if (options.inPlace)
    findInPlace(path::parent_path(path), weights, extents);

  if (!weights.empty()) {
    bool isForIree = options.weights == WeightForm::Iree;
    std::string file = isForIree ? irpaOf(path) : safetensorsOf(path);
    if (!isForIree && fs::is_regular_file(file) &&
        !fs::exists(manifestOf(path)))
      return isthmus::failed(
          Kind::System,
          file + ": expected no weights but those of a program of this name, "
                 "which have a manifest; got others, which would be lost");
    auto write = [&](llvm::raw_ostream &os) {
      if (isForIree)
        writeIrpa(weights, os);
      else
        llvm::append_range(extents,
                           writeSafetensors(weights, path::filename(file), os));
      return llvm::Error::success();
    };
    uint64_t total = 0;
    for (const WeightData &weight : weights)
      total += weight.data.size();
    if (llvm::Error error = files.add(file, write, progressOf(options, total)))
      return error;
  }
  if (options.weights == WeightForm::Iree)
    return llvm::Error::success(); // which goes by the names in the archive
  if (options.checksums)
    for (WeightExtent &extent : extents)
      extent.checksum = checksumOf(bytes[extent.name]);
  return files.add(manifestOf(path), [&](llvm::raw_ostream &os) {
    writeManifest(extents, os);
    return llvm::Error::success();
  });
}

/// Whether a manifest beside the program says where its weights are.
static bool hasManifest(WeightForm form) {
  return form == WeightForm::Argument || form == WeightForm::External;
}

llvm::Error Model::save(StringRef path, const SaveOptions &given) const {
  SaveOptions options = given;
  options.weights = weightFormFor(given);
  bool isFile = !fs::exists(path) || fs::is_regular_file(path);
  bool isForIree = options.weights == WeightForm::Iree;
  bool isApart = hasManifest(options.weights) || isForIree;
  if (isForIree && options.format != Format::Text)
    return isthmus::failed(
        Kind::Unsupported,
        path + ": expected text, as of a file called .mlir, which is what IREE "
               "reads, got bytecode");
  if (!hasManifest(options.weights) && (options.inPlace || options.checksums))
    return isthmus::failed(
        Kind::Unsupported,
        path +
            ": expected arguments or extern globals, which have a manifest, "
            "for " +
            (options.inPlace ? "weights in place" : "checksums") +
            ", got another form of weights");
  if (isApart && !isFile)
    return isthmus::failed(Kind::System,
                           path + ": expected a file to put weights beside, "
                                  "got something else");
  NewFiles files;
  const Model *saved = this;
  std::optional<Model> changed;
  if (isApart || options.weights == WeightForm::Inline)
    saved = &changed.emplace(clone());
  if (options.weights == WeightForm::Inline)
    inlineResources(changed->module());
  if (isApart) {
    Diagnostics diagnostics(context.get());
    PassManager toGlobals(context.get()), toForm(context.get());
    toGlobals.addPass(createWeightsToGlobals({options.minWeightBytes}));
    if (mlir::failed(toGlobals.run(changed->module())))
      return diagnostics.take(Kind::Unsupported, "expected a valid program");
    if (llvm::Error error =
            moveWeights(changed->module(), path, options, files))
      return error;
    if (options.weights == WeightForm::Argument)
      toForm.addPass(createGlobalsToArguments());
    if (isForIree)
      toForm.addPass(createGlobalsToIreeParameters());
    context->allowUnregisteredDialects(isForIree);
    bool isChanged = succeeded(toForm.run(changed->module()));
    context->allowUnregisteredDialects(false);
    if (!isChanged)
      return diagnostics.take(Kind::Unsupported, "expected a valid program");
  }
  auto write = [&](llvm::raw_ostream &os) {
    return saved->write(os, options.format,
                        /*elide=*/options.weights == WeightForm::None);
  };
  if (!isFile)
    return writeInto(path, write);
  if (llvm::Error error = files.add(path, write, progressOf(options, 0)))
    return error;
  return files.keep();
}
