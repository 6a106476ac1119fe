//===- Manifest.cpp - Positions of a program's weights --------------------===//
//
// {"version": 1, "program": "model.mlir", "weights": [
//   {"name": "w", "type": "f32", "shape": [2, 3],
//    "file": "model.onnx", "offset": 192, "length": 24,
//    "checksum": "0123456789abcdef"}]}
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "isthmus/Support/Json.h"
#include "llvm/ADT/StringExtras.h"

using namespace isthmus;
using namespace isthmus::weights;
using llvm::StringRef;
using llvm::json::ObjectMapper;
using llvm::json::Path;
using llvm::json::Value;

static constexpr int64_t version = 1;

namespace isthmus { // where the JSON library looks for it

static bool fromJSON(const Value &json, WeightExtent &weight, Path path) {
  ObjectMapper object(json, path);
  std::optional<std::string> checksum;
  std::vector<int64_t> shape;
  if (!object || !object.map("name", weight.name) ||
      !object.map("type", weight.elementType) || !object.map("shape", shape) ||
      !object.map("file", weight.file) ||
      !object.map("offset", weight.offset) ||
      !object.map("length", weight.length) ||
      !object.mapOptional("checksum", checksum))
    return false;
  weight.shape.assign(shape.begin(), shape.end());
  if (!checksum)
    return true;
  uint64_t value;
  if (checksum->size() != 16 || StringRef(*checksum).getAsInteger(16, value)) {
    path.field("checksum").report("expected 16 hexadecimal digits");
    return false;
  }
  weight.checksum = value;
  return true;
}

} // namespace isthmus

std::vector<WeightExtent> weights::readManifest(StringRef text,
                                                Findings &findings) {
  auto json = parseJson(text);
  if (!json) {
    findings.push_back(llvm::toString(json.takeError()));
    return {};
  }
  const llvm::json::Object *manifest = json->getAsObject();
  std::optional<int64_t> found =
      manifest ? manifest->getInteger("version") : std::nullopt;
  if (!found || *found != version) {
    findings.push_back(("expected a manifest of version " +
                        llvm::Twine(version) + ", got " +
                        (found ? "version " + std::to_string(*found) : "none"))
                           .str());
    return {};
  }
  const llvm::json::Array *list = manifest->getArray("weights");
  if (!list) {
    findings.push_back("expected a list of weights, got none");
    return {};
  }
  std::vector<WeightExtent> weights;
  for (auto [i, entry] : llvm::enumerate(*list)) {
    WeightExtent weight;
    Path::Root root("weight");
    if (fromJSON(entry, weight, root))
      weights.push_back(std::move(weight));
    else
      findings.push_back(
          ("weight " + llvm::Twine(i) + ": " + explain(root)).str());
  }
  return weights;
}

std::optional<std::string> weights::programOfManifest(StringRef text) {
  auto json = parseJson(text);
  if (!json) {
    llvm::consumeError(json.takeError());
    return std::nullopt;
  }
  const llvm::json::Object *manifest = json->getAsObject();
  if (!manifest || !manifest->getInteger("version") ||
      !manifest->getArray("weights"))
    return std::nullopt;
  return manifest->getString("program").value_or("").str();
}

static void writeEntry(const WeightExtent &weight, llvm::raw_ostream &os) {
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("name", weight.name);
    json.attribute("type", weight.elementType);
    json.attribute("shape", llvm::json::Array(weight.shape));
    json.attribute("file", weight.file);
    json.attribute("offset", weight.offset);
    json.attribute("length", weight.length);
    if (weight.checksum)
      json.attribute("checksum",
                     llvm::utohexstr(*weight.checksum, /*LowerCase=*/true,
                                     /*Width=*/16));
  });
}

void isthmus::writeManifest(llvm::ArrayRef<WeightExtent> weights,
                            StringRef program, llvm::raw_ostream &os) {
  os << "{\"version\":" << version
     << ",\"program\":" << Value(llvm::json::fixUTF8(program))
     << ",\"weights\":[\n";
  llvm::interleave(
      weights, os, [&](const WeightExtent &weight) { writeEntry(weight, os); },
      ",\n");
  os << "\n]}\n";
}
