//===- MoveWeights.cpp - Weights of a program as files --------------------===//

#include "MoveWeights.h"
#include "Diagnostics.h"
#include "Output.h"
#include "WeightFile.h"
#include "isthmus/Conversion/ProgramForm.h"
#include "isthmus/Support/MappedFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace isthmus;
using Kind = ModelError::Kind;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Whether two paths refer to the same file.
static bool isSameFile(const Twine &a, const Twine &b) {
  bool isSame = false;
  return !fs::equivalent(a, b, isSame) && isSame;
}

/// The real path of a folder, with a trailing slash; empty if it has none.
static std::string realFolder(StringRef folder) {
  SmallString<128> root;
  if (fs::real_path(folder.empty() ? "." : folder, root))
    return "";
  if (!StringRef(root).ends_with("/"))
    root += '/';
  return std::string(root);
}

/// The extent of a weight, if it lies in a file inside the real folder `root`
/// and that file is the one that was read: a newer file of the same name does
/// not count.
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

/// Weights whose bytes partly overlap cannot all stay: in a manifest, weights
/// have disjoint or identical bytes.
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

/// An error if a file to be written would replace anything but the same
/// program's earlier file.
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

/// The extent of each weight; none if it is in no file that can stay.
using Extents = std::vector<std::optional<WeightExtent>>;

/// The weights that can stay in place, for a program saved as `path` whose
/// other weights are in `file`.
static llvm::Expected<Extents> findInPlace(ArrayRef<WeightData> weights,
                                           StringRef path, StringRef file) {
  StringRef folder = path::parent_path(path);
  std::string root = realFolder(folder);
  Extents extents;
  for (const WeightData &weight : weights)
    extents.push_back(findInPlace(root, weight));
  keepApart(extents);
  auto isIn = [&](const WeightExtent &extent, StringRef output) {
    SmallString<128> source(folder);
    path::append(source, extent.file);
    return isSameFile(source, output);
  };
  for (const auto &extent : extents)
    if (extent && isIn(*extent, path))
      return isthmus::failed(Kind::System,
                             path +
                                 ": expected a file of its own, got that of "
                                 "weight '" +
                                 extent->name + "', which stays in its place");
  // Weights in the file that the others are written to must move with them.
  if (llvm::is_contained(extents, std::nullopt))
    for (auto &extent : extents)
      if (extent && isIn(*extent, file))
        extent.reset();
  return extents;
}

/// Writes `file` for the weights without an extent, sets their extents, and
/// records the file in `saved`.
static llvm::Error writeOthers(ArrayRef<WeightData> weights, Extents &extents,
                               StringRef path, StringRef file,
                               const SaveOptions &options, NewFiles &files,
                               SavedWeights &saved) {
  std::vector<WeightData> written;
  for (auto [weight, extent] : llvm::zip_equal(weights, extents))
    if (!extent) {
      written.push_back(weight);
      saved.writtenBytes += weight.data.size();
    }
  saved.written = written.size();
  if (written.empty())
    return llvm::Error::success();
  saved.file = file;
  if (llvm::Error error = checkReplaced(file, path))
    return error;
  StringRef program = path::filename(path), name = path::filename(file);
  bool isForIree = options.weights == WeightForm::Iree;
  if (!isForIree && !llvm::json::isUTF8(name))
    return isthmus::failed(Kind::System,
                           path + ": expected a name in UTF-8 for a file with "
                                  "weights beside it, which JSON can hold");
  std::vector<WeightExtent> places;
  auto write = [&](llvm::raw_ostream &os) {
    if (isForIree)
      writeIrpa(written, program, os);
    else
      places = writeSafetensors(written, name, program, os);
    return llvm::Error::success();
  };
  if (llvm::Error error =
          addFile(files, file, write, options.progress, saved.writtenBytes))
    return error;
  auto next = places.begin();
  for (auto &extent : extents)
    if (!extent && !isForIree)
      extent = *next++;
  return llvm::Error::success();
}

llvm::Expected<SavedWeights> isthmus::moveWeights(ModuleOp module,
                                                  StringRef path,
                                                  const SaveOptions &options,
                                                  NewFiles &files) {
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
  Extents extents(weights.size());
  SavedWeights saved;
  saved.form = options.weights;
  saved.count = weights.size();
  if (options.inPlace) {
    auto found = findInPlace(weights, path, file);
    if (!found)
      return found.takeError();
    extents = std::move(*found);
  }
  if (llvm::Error error =
          writeOthers(weights, extents, path, file, options, files, saved))
    return error;
  if (isForIree) // IREE uses the names in the archive
    return saved;

  // In the order of the weights, which is the order of the parameters.
  std::vector<WeightExtent> all;
  for (auto [weight, extent] : llvm::zip_equal(weights, extents)) {
    all.push_back(*extent);
    if (options.checksums)
      all.back().checksum = checksumOf(weight.data);
  }
  saved.manifest = manifestOf(path);
  if (llvm::Error error = checkReplaced(saved.manifest, path))
    return error;
  auto write = [&](llvm::raw_ostream &os) {
    writeManifest(all, path::filename(path), os);
    return llvm::Error::success();
  };
  if (llvm::Error error = addFile(files, saved.manifest, write))
    return error;
  return saved;
}
