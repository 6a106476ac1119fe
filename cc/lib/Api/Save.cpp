//===- Save.cpp - A program and its weights as files ----------------------===//

#include "Diagnostics.h"
#include "Resources.h"
#include "WeightFile.h"
#include "WeightStream.h"
#include "isthmus/Conversion/Passes.h"
#include "isthmus/Conversion/ProgramForm.h"
#include "isthmus/Support/MappedFile.h"
#include "isthmus/Support/NewFiles.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
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

/// What was refused, as an error of a model.
static llvm::Error toModelError(llvm::Error error) {
  return llvm::handleErrors(
      std::move(error),
      [](std::unique_ptr<ModelError> known) -> llvm::Error {
        return llvm::Error(std::move(known));
      },
      [](const llvm::ErrorInfoBase &other) -> llvm::Error {
        return isthmus::failed(Kind::System, other.message());
      });
}

static llvm::Error add(NewFiles &files, StringRef path, Write write,
                       std::function<bool(uint64_t)> progress = {}) {
  return toModelError(files.add(path, [&](int file) {
    WeightStream os(file, std::move(progress));
    llvm::Error error = write(os);
    os.flush();
    return llvm::joinErrors(std::move(error),
                            llvm::errorCodeToError(os.error()));
  }));
}

/// Writes into what is not a file to be replaced: a pipe, a device, "-".
static llvm::Error writeInto(StringRef path, Write write) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  llvm::Error error = llvm::Error::success();
  if (!code) {
    error = write(os);
    os.flush();
    code = os.error();
    os.clear_error();
  }
  if (code)
    error = llvm::joinErrors(
        std::move(error),
        isthmus::failed(Kind::System, (path == "-" ? "standard output" : path) +
                                          ": " + code.message()));
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
    return isForXla || dialect == "onnx" ? WeightForm::Argument
                                         : WeightForm::External;
  // Those whose own tools read no globals, and what is mapped when it is read.
  if (dialect == "onnx" || dialect == "torch" ||
      (!isForXla && options.format == Format::Bytecode))
    return WeightForm::Resource;
  int64_t bytes = countWeightBytes(module(), options.minWeightBytes);
  if (!weightFile.empty())
    bytes += countExternBytes(module());
  if (isForXla)
    return bytes > mostInline ? WeightForm::Argument : WeightForm::Inline;
  return bytes > mostText ? WeightForm::External : WeightForm::Resource;
}

/// Whether two paths are of one file.
static bool isSameFile(const Twine &a, const Twine &b) {
  bool isSame = false;
  return !fs::equivalent(a, b, isSame) && isSame;
}

/// The real path of a folder, with a slash behind it; empty if it has none.
static std::string realFolder(StringRef folder) {
  SmallString<128> root;
  if (fs::real_path(folder.empty() ? "." : folder, root))
    return "";
  if (!StringRef(root).ends_with("/"))
    root += '/';
  return std::string(root);
}

/// Where a weight lies, if in a file inside of the real folder `root` that was
/// read: one that has its name by now is not its place.
static std::optional<WeightExtent> findInPlace(StringRef root,
                                               const WeightData &weight) {
  auto place = findInFile(weight.data);
  auto identity = identifyInFile(weight.data);
  fs::file_status status;
  if (!place || !identity || fs::status(place->path, status) ||
      status.getUniqueID() != fs::UniqueID((*identity)[0], (*identity)[1]))
    return std::nullopt;
  SmallString<128> file;
  if (root.empty() || fs::real_path(place->path, file) ||
      !StringRef(file).starts_with(root) || !llvm::json::isUTF8(file))
    return std::nullopt;
  return WeightExtent{weight.name,   weight.elementType,
                      weight.shape,  file.substr(root.size()).str(),
                      place->offset, weight.data.size()};
}

/// Weights with some of their bytes in common cannot all stay: a manifest gives
/// each its own, or the same to several.
static void keepApart(MutableArrayRef<std::optional<WeightExtent>> extents) {
  auto placeOf = [](const WeightExtent &extent) {
    return std::tie(extent.file, extent.offset, extent.length);
  };
  std::vector<std::optional<WeightExtent> *> order;
  for (auto &extent : extents)
    if (extent && extent->length)
      order.push_back(&extent);
  llvm::sort(order, [&](const auto *a, const auto *b) {
    return placeOf(**a) < placeOf(**b);
  });
  const WeightExtent *kept = nullptr;
  for (std::optional<WeightExtent> *extent : order) {
    bool isApart = !kept || (*extent)->file != kept->file ||
                   (*extent)->offset >= kept->offset + kept->length ||
                   placeOf(**extent) == placeOf(*kept);
    if (isApart)
      kept = &**extent;
    else
      extent->reset();
  }
}

/// Whether a file that is about to be written would replace anything but what
/// the same program had there, as an error.
static llvm::Error checkReplaced(StringRef file, StringRef program) {
  if (file == program)
    return isthmus::failed(
        Kind::System, program + ": expected a name that ends otherwise, as the "
                                "file of this name is for the weights");
  if (!fs::is_regular_file(file))
    return llvm::Error::success();
  std::optional<std::string> owner = findProgram(file);
  if (!owner)
    return isthmus::failed(
        Kind::System,
        file + ": expected no weights but those of a program of this name; "
               "got a file of another writer, which would be lost");
  SmallString<128> other(path::parent_path(program));
  path::append(other, *owner);
  if (!owner->empty() && *owner != path::filename(program) && fs::exists(other))
    return isthmus::failed(Kind::System,
                           file + ": expected no weights but those of '" +
                               path::filename(program) + "', got those of '" +
                               *owner + "', which would be lost");
  return llvm::Error::success();
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
  bool isForIree = options.weights == WeightForm::Iree;
  std::string file = isForIree ? irpaOf(path) : safetensorsOf(path);
  StringRef folder = path::parent_path(path), program = path::filename(path);
  auto isWritten = [&](const WeightExtent &extent, StringRef output) {
    SmallString<128> source(folder);
    path::append(source, extent.file);
    return isSameFile(source, output);
  };

  // In the order of the weights, which is that of parameters.
  std::vector<std::optional<WeightExtent>> extents(weights.size());
  if (options.inPlace) {
    std::string root = realFolder(folder);
    for (auto [extent, weight] : llvm::zip_equal(extents, weights))
      extent = findInPlace(root, weight);
    keepApart(extents);
    for (const auto &extent : extents)
      if (extent && isWritten(*extent, path))
        return isthmus::failed(
            Kind::System, path +
                              ": expected a file of its own, got that of "
                              "weight '" +
                              extent->name + "', which stays in its place");
  }
  // What is in the file that others are written to has to move with them.
  bool writesFile = !llvm::all_of(
      extents, [](const auto &extent) { return extent.has_value(); });
  std::vector<WeightData> written;
  for (auto [extent, weight] : llvm::zip_equal(extents, weights)) {
    if (writesFile && extent && isWritten(*extent, file))
      extent.reset();
    if (!extent)
      written.push_back(weight);
  }

  std::vector<WeightExtent> places;
  if (writesFile) {
    if (llvm::Error error = checkReplaced(file, path))
      return error;
    if (!isForIree && !llvm::json::isUTF8(path::filename(file)))
      return isthmus::failed(
          Kind::System, path + ": expected a name in UTF-8 for a file with "
                               "weights beside it, which JSON can hold");
    auto write = [&](llvm::raw_ostream &os) {
      if (isForIree)
        writeIrpa(written, program, os);
      else
        places = writeSafetensors(written, path::filename(file), program, os);
      return llvm::Error::success();
    };
    uint64_t total = 0;
    for (const WeightData &weight : written)
      total += weight.data.size();
    if (llvm::Error error = add(files, file, write, progressOf(options, total)))
      return error;
  }
  if (isForIree)
    return llvm::Error::success(); // which goes by the names in the archive
  std::vector<WeightExtent> all;
  auto next = places.begin();
  for (auto [extent, weight] : llvm::zip_equal(extents, weights)) {
    all.push_back(extent ? *extent : *next++);
    if (options.checksums)
      all.back().checksum = checksumOf(weight.data);
  }
  std::string manifest = manifestOf(path);
  if (llvm::Error error = checkReplaced(manifest, path))
    return error;
  return add(files, manifest, [&](llvm::raw_ostream &os) {
    writeManifest(all, program, os);
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
  bool isForIree = options.weights == WeightForm::Iree;
  bool isApart = hasManifest(options.weights) || isForIree;
  if (!weightFile.empty() && !externWeights(module()).empty()) {
    // Files that are to be replaced may hold them.
    auto whole = withWeights();
    if (!whole)
      return whole.takeError();
    whole->weightFile.clear();
    Diagnostics diagnostics(context.get());
    PassManager toWeights(context.get());
    toWeights.addPass(createGlobalsToWeights());
    // Those that stay globals keep their names.
    if (!isApart && mlir::failed(toWeights.run(whole->module())))
      return diagnostics.take(Kind::BadModel, "expected a valid program");
    return whole->save(path, options);
  }
  bool isFile = path != "-" && (!fs::exists(path) || fs::is_regular_file(path));
  std::string place = path == "-" ? "standard output" : path.str();
  StringRef dialect = dialectOf(module());
  if (isForIree && dialect == "mhlo")
    return isthmus::failed(Kind::Unsupported,
                           place + ": expected StableHLO, which IREE reads, "
                                   "got MHLO");
  if ((isForIree || options.weights == WeightForm::External) &&
      dialect == "onnx")
    return isthmus::failed(Kind::Unsupported,
                           place +
                               ": expected a lowered program, whose weights "
                               "can be globals, got the onnx dialect");
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
                           place + ": expected a file to put weights beside, "
                                   "got something else");
  bool keepsWeights = options.weights != WeightForm::None;
  if ((isApart && !externWeights(module()).empty()) ||
      (keepsWeights && lacksResources(module())))
    return isthmus::failed(Kind::BadModel,
                           place + ": expected a program with its weights, got "
                                   "one that was parted from them: they are "
                                   "not in it, nor in files beside it");
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
    // What no file holds, such as bools, IREE does not read as a resource.
    if (isForIree)
      inlineResources(changed->module());
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
  if (llvm::Error error = add(files, path, write, progressOf(options, 0)))
    return error;
  return toModelError(files.keep());
}
