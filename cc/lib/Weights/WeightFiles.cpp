//===- WeightFiles.cpp - The weights that a program's files hold ----------===//

#include "isthmus/Weights/WeightFiles.h"
#include "ElementTypes.h"
#include "Formats.h"
#include "isthmus/Support/ContainedFile.h"
#include "isthmus/Support/MappedFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace isthmus;
using namespace isthmus::weights;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;

std::optional<uint64_t> isthmus::checksumOf(ArrayRef<char> data) {
  constexpr size_t pieceSize = 1 << 20;
  auto hash = [](ArrayRef<char> bytes) {
    return llvm::xxh3_64bits(StringRef(bytes.data(), bytes.size()));
  };
  llvm::SmallVector<char, 0> block;
  llvm::SmallVector<char> hashes;
  while (!data.empty()) {
    auto piece = readOnce(data.take_front(pieceSize), block);
    if (!piece)
      return std::nullopt;
    char bytes[8];
    llvm::support::endian::write64le(bytes, hash(*piece));
    hashes.append(std::begin(bytes), std::end(bytes));
    data = data.drop_front(piece->size());
  }
  return hash(hashes);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static std::string placeOf(const WeightExtent &weight) {
  std::string place = "weight '" + weight.name + "'";
  return weight.file.empty() ? place : place + " in '" + weight.file + "'";
}

/// The defect of a weight or of the file that should contain it; empty if there
/// is none.
static std::string checkExtent(const WeightExtent &weight, StringRef file) {
  const ElementType *type = findElementType(weight.elementType);
  if (!type)
    return "expected an element type such as f32, got '" + weight.elementType +
           "'";
  std::optional<uint64_t> size = countBytes(*type, weight.shape);
  auto shape = llvm::map_range(weight.shape,
                               [](int64_t dim) { return std::to_string(dim); });
  if (size != weight.length)
    return "expected the bytes of a tensor [" + llvm::join(shape, ", ") +
           "] of " + weight.elementType +
           (size ? ", " + std::to_string(*size) : "") + ", got " +
           std::to_string(weight.length);
  if (weight.offset > file.size() ||
      weight.length > file.size() - weight.offset)
    return "expected a file of " + std::to_string(weight.offset) + " + " +
           std::to_string(weight.length) + " bytes or more, got " +
           std::to_string(file.size());
  if (weight.checksum) {
    auto data = file.substr(weight.offset, weight.length);
    std::optional<uint64_t> got =
        checksumOf(ArrayRef(data.data(), data.size()));
    if (got != weight.checksum)
      return "expected the checksum " +
             llvm::utohexstr(*weight.checksum, /*LowerCase=*/true, 16) +
             ", got " + llvm::utohexstr(got.value_or(0), true, 16);
  }
  return "";
}

/// A weight, and its bytes in a mapped file.
using Placed = std::pair<StringRef, const WeightExtent *>;

/// Two weights may have the same bytes; otherwise they must not overlap.
static void checkOverlaps(llvm::SmallVector<Placed> order, Findings &findings) {
  llvm::sort(order, [](const Placed &a, const Placed &b) {
    return std::pair(a.first.begin(), a.first.end()) <
           std::pair(b.first.begin(), b.first.end());
  });
  Placed last; // the one of those so far that ends last
  for (const Placed &placed : order) {
    StringRef before = last.first, bytes = placed.first;
    bool isSame =
        bytes.begin() == before.begin() && bytes.end() == before.end();
    if (last.second && bytes.begin() < before.end() && !isSame)
      findings.push_back(placeOf(*placed.second) +
                         ": expected bytes of its own, got some of '" +
                         last.second->name + "'");
    if (!last.second || bytes.end() > before.end())
      last = placed;
  }
}

static llvm::Error toError(StringRef path, const Findings &findings) {
  llvm::Error error = llvm::Error::success();
  for (const std::string &finding : findings)
    error = llvm::joinErrors(std::move(error),
                             llvm::createStringError(path + ": " + finding));
  return error;
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<WeightFiles>> WeightFiles::open(StringRef path) {
  fs::file_status status;
  if (!fs::status(path, status) && !fs::is_regular_file(status))
    return llvm::createStringError(path +
                                   ": expected a file, got something else");
  auto first = mapFile(path);
  if (!first)
    return llvm::createStringError(first.getError(),
                                   path + ": " + first.getError().message());
  Findings findings;
  StringRef text = (*first)->getBuffer();
  // A safetensors file begins with a length, whose bytes may look like another
  // format.
  StringRef extension = llvm::sys::path::extension(path);
  bool isManifest = extension == ".json" || (extension != ".safetensors" &&
                                             text.ltrim().starts_with("{"));
  std::vector<WeightExtent> extents = isManifest
                                          ? readManifest(text, findings)
                                          : readSafetensors(text, findings);

  auto result = std::make_unique<WeightFiles>();
  llvm::StringMap<llvm::MemoryBuffer *> files; // null if one failed to open
  llvm::StringMap<llvm::MemoryBuffer *> byRealPath; // a file may have two names
  llvm::SmallVector<Placed> placed;
  StringRef folder = llvm::sys::path::parent_path(path);
  if (!isManifest) {
    files[""] = first->get();
    result->files.push_back(std::move(*first));
  }
  for (const WeightExtent &weight : extents) {
    auto [known, isNew] = files.try_emplace(weight.file, nullptr);
    if (isNew) {
      auto file = mapContainedFile(folder.empty() ? "." : folder, weight.file,
                                   "weights", "the manifest");
      if (file) {
        auto [same, isFirst] =
            byRealPath.try_emplace((*file)->getBufferIdentifier(), file->get());
        known->second = same->second;
        if (isFirst)
          result->files.push_back(std::move(*file));
      } else {
        findings.push_back("weight '" + weight.name +
                           "': " + llvm::toString(file.takeError()));
      }
    }
    if (!known->second)
      continue;
    StringRef bytes = known->second->getBuffer();
    std::string finding = checkExtent(weight, bytes);
    if (!finding.empty()) {
      findings.push_back(placeOf(weight) + ": " + finding);
      continue;
    }
    bytes = bytes.substr(weight.offset, weight.length);
    WeightData data{weight.name, weight.elementType, weight.shape,
                    ArrayRef(bytes.data(), bytes.size())};
    if (!result->weights.try_emplace(weight.name, std::move(data)).second)
      findings.push_back(placeOf(weight) +
                         ": expected a name of its own, got it twice");
    if (weight.length)
      placed.emplace_back(bytes, &weight);
  }
  checkOverlaps(std::move(placed), findings);
  if (!findings.empty())
    return toError(path, findings);
  return result;
}

bool isthmus::isElementType(StringRef name) { return findElementType(name); }

std::optional<std::string> isthmus::findProgram(StringRef path) {
  auto file = mapFile(path);
  if (!file)
    return std::nullopt;
  StringRef extension = llvm::sys::path::extension(path);
  auto *find = extension == ".json"   ? programOfManifest
               : extension == ".irpa" ? programOfIrpa
                                      : programOfSafetensors;
  return find((*file)->getBuffer());
}

const WeightData *WeightFiles::lookup(StringRef name) const {
  auto found = weights.find(name);
  return found == weights.end() ? nullptr : &found->second;
}
